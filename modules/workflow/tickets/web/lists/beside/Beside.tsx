import { useContext } from 'react';
import { RecordBesideContext } from '#kernel/web/kit/list/rows/beside.ts';
import type { Row } from '../../../contract/shapes.ts';
import TicketPreview from './TicketPreview.tsx';

/** A ticket beside its list; a record that it decides is read there on its own page, with what one may do on it. */
export function Beside({ row }: { row: Row }) {
  const showRecord = useContext(RecordBesideContext);
  const ticket = <TicketPreview id={row.id} />;
  return row.record_path ? showRecord({ to: row.record_path, otherwise: ticket }) : ticket;
}
