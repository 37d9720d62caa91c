export { Handling } from './web/record/Handling.tsx';
export { OpinionTable } from './web/print/OpinionTable.tsx';
export { useRecordTicket } from './web/record/useRecordTicket.ts';
export { ShortNames } from './web/lists/ShortNames.tsx';
export { TicketSide } from './web/TicketSide.tsx';
