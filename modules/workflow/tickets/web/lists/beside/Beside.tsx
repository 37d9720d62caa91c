import { useContext } from 'react';
import { RecordBesideContext } from '#kernel/web/kit/list/rows/beside.ts';
import type { Row } from '../../../contract/shapes.ts';
import TicketPreview from './TicketPreview.tsx';

/** A ticket beside its list; if it decides a record, the record's own page is shown, with its actions. */
export function Beside({ row }: { row: Row }) {
  const showRecord = useContext(RecordBesideContext);
  const ticket = <TicketPreview id={row.id} />;
  return row.record_path ? showRecord({ to: row.record_path, otherwise: ticket }) : ticket;
}
