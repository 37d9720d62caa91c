import { Skeleton, Tag } from 'antd';
import type { ReactNode } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { type DocumentRecord, documentRecords, handlingState } from '../../contract/records.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';
import { spanText } from './span.ts';

const max = 100;
const acts: Acts<DocumentRecord> = {
  correct: {
    label: '更正',
    title: '更正意见',
    call: documentRecords.correct,
    offered: (row) => row.can_edit,
    code: null,
    initial: (row) => ({ suggestion: row.suggestion }),
    fields: [{ name: 'suggestion', kind: 'textarea', help: '办理后 10 分钟内、后面无人办理时可以更正；原意见保留' }],
    invalidates: ['document', 'tickets'],
    done: '已更正',
  },
  remind: {
    label: '短信催办',
    call: documentRecords.remindByPost,
    offered: (row) => row.can_sms,
    atOnce: true,
  },
};

/** The handling record of a document, with buttons to correct opinions and to remind people. */
export function HandlingRecord({ doc }: { doc: DocumentDetail }) {
  const { buttons, drawer } = useActs((_key, { id }) => `document:record:${id}`, acts);
  const { data, error, refetch } = useCall(documentRecords.ticketLog, {
    query: { document_id: doc.id, per_page: max, desc: true },
  });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 4 }} />;
  return (
    <section className="kit-panel" aria-label="办理记录">
      <h2>办理记录</h2>
      <ol className="document-records">
        {data.value.map((row) => (
          <li key={row.id}>
            <Row row={row} acts={buttons(row, [], { size: 'small' })} />
          </li>
        ))}
      </ol>
      {data.total > data.value.length && <p className="kit-muted">更早的 {data.total - data.value.length} 条未显示</p>}
      {drawer}
    </section>
  );
}

function Row({ row, acts }: { row: DocumentRecord; acts: ReactNode }) {
  const colour = row.overdue ? 'error' : row.status === handlingState.open ? 'processing' : 'default';
  const who = row.agent_alias ? `${row.agent_alias}（代 ${row.participant_alias}）` : row.participant_alias;
  return (
    <>
      <div className="kit-row">
        <strong>{who}</strong>
        <span className="kit-muted">{row.dept_name}</span>
        <Tag color={colour} className="kit-status">
          {row.status === handlingState.handled ? row.transition_name : row.status_name}
        </Tag>
        {row.corrected && <Tag className="kit-status">已更正</Tag>}
      </div>
      <p className="kit-muted">
        {row.state_name} · <Moment at={row.arrived_at} /> 到达 ·{' '}
        {row.handled_at ? (
          <>
            <Moment at={row.handled_at} /> 办理，用时 {spanText(row.duration_min)}
          </>
        ) : (
          `已等待 ${spanText(row.duration_min)}`
        )}
        {row.due_at && row.status === handlingState.open && (
          <>
            {' '}
            · 时限 <Moment at={row.due_at} />
          </>
        )}
      </p>
      {row.suggestion && <p className="document-said">{row.suggestion}</p>}
      {row.attachments.length > 0 && <FileLinks files={row.attachments} />}
      {row.corrected && (
        <p className="kit-muted">
          <Moment at={row.corrected.at} /> 更正，原意见：{row.corrected.before || '无'}
        </p>
      )}
      {row.sms_count > 0 && (
        <p className="kit-muted">
          已短信催办 {row.sms_count} 次，最近 <Moment at={row.last_sms_at} />
        </p>
      )}
      {(row.can_edit || row.can_sms) && <div className="kit-row">{acts}</div>}
    </>
  );
}
