import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import type { Row } from '../../contract/shapes.ts';
import { DueLight } from '../DueLight.tsx';
import { openedAt } from '../opened.ts';
import '../tickets.css';

/** A few tickets, a line each: title, where it stands, and its deadline if there is one. */
export function Lines({ rows, empty }: { rows: readonly Row[]; empty: ReactNode }) {
  if (rows.length === 0) return <p className="kit-muted">{empty}</p>;
  return (
    <ul className="ticket-lines">
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={openedAt(row)}>{row.title}</Link>
          <span className="kit-muted">
            {row.state.state_name} {row.due_at && <DueLight row={row} />}
          </span>
          <StatusTag code={row.act_state_id} label={row.act_state_name} unsettled={row.unsettled} />
        </li>
      ))}
    </ul>
  );
}
