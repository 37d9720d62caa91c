import { Avatar, Skeleton, Tag } from 'antd';
import type { ReactNode } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { News } from '#kernel/web/kit/show/News.tsx';
import { Waited, waitedSince } from '#kernel/web/kit/show/Waited.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { attributeType, stateType } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';
import type { Detail, FlowLog, FlowStep } from '../../contract/shapes.ts';
import { Signature } from './Signature.tsx';
import { useAhead, type Edited } from '../record/ahead.ts';
import { isNews, logAsked } from './news.tsx';
import { differencesOf, type Difference } from './differences.ts';
import { doerOf, sentencesOf, still } from './opinions.ts';

interface Props {
  ticket: Pick<Detail, 'id' | 'act_state_id' | 'field_list' | 'state'>;
  /** The last log row that was read. */
  until: Parameters<typeof isNews>[1];
  edited: Edited;
}

/** A ticket's progress in one line, newest first: later states, the people it waits for, and every action with its changes. */
export function Timeline({ ticket, until, edited }: Props) {
  const ahead = useAhead(ticket, edited);
  const steps = useCall(tickets.flowsteps, { params: { id: ticket.id } }, { meta: live });
  const { data, error, refetch } = useCall(tickets.flowlogs, logAsked(ticket.id), { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data || !steps.data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const changed = differencesOf(data.value.toReversed(), ticket.field_list);
  const moves = data.value.filter((log) => !still.includes(log.action));
  const since = moves[0]?.gmt_created;
  return (
    <section className="kit-panel" aria-label="流转记录">
      <h2 className="ticket-side">流转记录</h2>
      <ol className="timeline">
        {ahead && <Ahead {...ahead} />}
        {steps.data.value
          .filter((step) => step.is_current)
          .map((step) => (
            <Now key={step.state_id} step={step} since={since} called={ticket.state.state_name} />
          ))}
        {data.value.map((log) => (
          <Action
            key={log.id}
            log={log}
            before={moves[moves.indexOf(log) + 1]}
            changed={changed.get(log.seq) ?? []}
            fresh={isNews(log, until)}
          />
        ))}
      </ol>
      {data.total > data.value.length && <p className="kit-muted">更早的 {data.total - data.value.length} 条未显示</p>}
    </section>
  );
}

/** States not reached yet. */
function Ahead({ names, stop }: NonNullable<ReturnType<typeof useAhead>>) {
  if (names.length === 0 && stop === '') return null;
  return (
    <Item sign="○" kind="ahead">
      <span className="kit-muted">
        之后：{names.join(' → ')}
        {stop !== '' && `${names.length > 0 ? ' → ' : ''}再往后暂不能预计（${stop}）`}
      </span>
    </Item>
  );
}

/** `called`: the name of its ticket's status, which may be over without being finished. */
function Now({ step, since, called }: { step: FlowStep; since: string | undefined; called: string }) {
  const people = step.waiting_for.map((person) => person.alias).join('、');
  const over = step.type_id === stateType.end;
  return (
    <Item sign={over ? '✓' : '…'} kind={over ? 'over' : 'now'}>
      <div className="kit-row" aria-current="step">
        <strong>{over ? called : step.state_name}</strong>
        <span>{people ? `等待 ${people}` : over && called === step.state_name ? '已办结' : ''}</span>
        {!over && since && (
          <span className="kit-muted">
            已等 <Waited since={since} />
          </span>
        )}
      </div>
    </Item>
  );
}

interface ActionProps {
  log: FlowLog;
  /** The previous action that moved it; missing if this one did not move it. */
  before: FlowLog | undefined;
  changed: readonly Difference[];
  fresh: boolean;
}

function Action({ log, before, changed, fresh }: ActionProps) {
  const { words, reasons } = sentencesOf(log);
  const refused = log.transition.attribute_type_id === attributeType.refuse || backwards.includes(log.action);
  const skipped = log.action === 'skip';
  const moved = !still.includes(log.action);
  return (
    <Item sign={log.participant_info?.alias.slice(-2) ?? '系统'} kind={refused ? 'back' : skipped ? 'ahead' : 'done'}>
      <div className="kit-row">
        {fresh && <News />}
        <strong>{doerOf(log)}</strong>
        <Tag color={refused ? 'warning' : 'default'} className="kit-status">
          {log.transition.transition_name}
        </Tag>
        {log.corrected && <Tag className="kit-status">已更正</Tag>}
        <span className="kit-muted">
          {log.state.state_name} · <Moment at={log.gmt_created} />
          {moved && before && log.participant_info && ` · 用时 ${waitedSince(before.gmt_created, timeOf(log))}`}
        </span>
      </div>
      {words && <p className="ticket-text">{words}</p>}
      {log.signature && <Signature log={log} />}
      {log.files.length > 0 && <FileLinks files={log.files} />}
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
    </Item>
  );
}

function Item({ sign, kind, children }: { sign: string; kind: string; children: ReactNode }) {
  return (
    <li className={`timeline-${kind}`}>
      <Avatar size={32} className="timeline-sign" aria-hidden="true">
        {sign}
      </Avatar>
      <div>{children}</div>
    </li>
  );
}

const timeOf = (log: FlowLog) => new Date(log.gmt_created.replace(' ', 'T'));
const backwards: readonly string[] = ['return', 'retreat', 'close', 'state'];
