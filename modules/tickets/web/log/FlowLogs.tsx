import { Skeleton, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { attributeType } from '#modules/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';
import { tickets } from '../../contract.ts';
import type { FlowLog } from '../../contract/shapes.ts';
import { Signature } from './Signature.tsx';
import { News } from '#kernel/web/kit/show/News.tsx';
import { logAsked } from './news.tsx';
import { differencesOf, type Difference } from './differences.ts';
import { doerOf, sentencesOf } from './opinions.ts';

interface Props {
  ticket: number;
  items: readonly FieldItem[];
  /** Whether the reader sees a row for the first time. */
  isNew: (log: FlowLog) => boolean;
}

/** Everything done to a ticket, the newest on top, with what it changed in the form. */
export function FlowLogs({ ticket, items, isNew }: Props) {
  const { data, error, refetch } = useCall(tickets.flowlogs, logAsked(ticket));
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 6 }} />;
  const changed = differencesOf(data.value.toReversed(), items);
  return (
    <section className="kit-panel" aria-label="流转记录">
      <h2 className="ticket-side">流转记录</h2>
      <ol className="ticket-log">
        {data.value.map((log) => (
          <li key={log.id}>
            <Action log={log} changed={changed.get(log.seq) ?? []} fresh={isNew(log)} />
          </li>
        ))}
      </ol>
      {data.total > data.value.length && <p className="kit-muted">更早的 {data.total - data.value.length} 条未显示</p>}
    </section>
  );
}

interface ActionProps {
  log: FlowLog;
  changed: readonly Difference[];
  fresh: boolean;
}

function Action({ log, changed, fresh }: ActionProps) {
  const { words, reasons } = sentencesOf(log);
  const refused = log.transition.attribute_type_id === attributeType.refuse || backwards.includes(log.action);
  return (
    <>
      <div className="kit-row">
        {fresh && <News />}
        <strong>{doerOf(log)}</strong>
        <Tag color={refused ? 'warning' : 'default'} className="kit-status">
          {log.transition.transition_name}
        </Tag>
        {log.corrected && <Tag className="kit-status">已更正</Tag>}
        <span className="kit-muted">
          {log.state.state_name} · <Moment at={log.gmt_created} />
        </span>
      </div>
      {words && <p className="ticket-text">{words}</p>}
      {log.signature && <Signature log={log} />}
      {changed.length > 0 && (
        <ul className="ticket-changes" aria-label="修改的内容">
          {changed.map((one) => (
            <li key={one.key}>
              {one.name}：<del>{one.from}</del> → <ins>{one.to}</ins>
            </li>
          ))}
        </ul>
      )}
      {reasons.map((reason) => (
        <p key={reason} className="kit-muted">
          {reason}
        </p>
      ))}
    </>
  );
}

const backwards: readonly string[] = ['return', 'retreat', 'close', 'state'];
