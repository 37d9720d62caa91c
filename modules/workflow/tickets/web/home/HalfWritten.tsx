import { Link } from 'react-router';
import { ticketState } from '../ticket-state.ts';

/** A link back to an opinion that was begun. */
export function HalfWritten() {
  const begun = ticketState();
  if (!begun || begun.notes === '' || begun.buttonList.length === 0) return null;
  return (
    <p>
      意见写到一半：<Link to={`/ticket/detail/${begun.ticketId}`}>{begun.label}</Link>
    </p>
  );
}
