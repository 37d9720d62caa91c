import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { isOverState } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';
import type { Detail, Row } from '../../contract/shapes.ts';
import { openedAt } from '../opened.ts';

/** The ticket above this one and those below it, as far as the reader may see them, and where another may be started. */
export function Family({ ticket }: { ticket: Detail }) {
  const { id, parent_ticket_id: above, start_below } = ticket;
  const below = useCall(tickets.list, { query: { parent_ticket_id: id, per_page: 100, order_by: 'gmt_created' } });
  const parent = useCall(
    tickets.list,
    { query: { ticket_ids: String(above ?? 0), per_page: 1 } },
    { enabled: above !== null },
  );
  const parents = above === null ? [] : (parent.data?.value ?? []);
  const children = below.data?.value ?? [];
  if (parents.length + children.length + start_below.length === 0) return null;
  const open = children.filter((row) => !isOverState(row.act_state_id)).length;
  return (
    <section className="kit-panel" aria-label="上下级工单">
      {parents.length > 0 && <h2 className="ticket-side">上级工单</h2>}
      <Lines rows={parents} />
      {(children.length > 0 || start_below.length > 0) && (
        <h2 className="ticket-side">
          下级工单 {children.length} 张{open > 0 && `，${open} 张还在办`}
        </h2>
      )}
      <Lines rows={children} />
      {start_below.map(({ state_id }) => (
        <Link key={state_id} className="kit-link" to={`/ticket/new?above=${id}&at=${state_id}`}>
          发起下级工单
        </Link>
      ))}
    </section>
  );
}

function Lines({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className="ticket-log">
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={openedAt(row)}>{row.title}</Link>{' '}
          <StatusTag code={row.act_state_id} label={row.act_state_name} unsettled={row.unsettled} />{' '}
          <span className="kit-muted">
            {row.sn} · {row.state.state_name}
            {row.participant_info.participant_alias && ` · 等待 ${row.participant_info.participant_alias}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
