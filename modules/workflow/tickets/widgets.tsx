import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

export { Handling } from './web/record/Handling.tsx';
export { HalfWritten } from './web/home/HalfWritten.tsx';
export { OpinionTable } from './web/print/OpinionTable.tsx';
export { useRecordTicket } from './web/record/useRecordTicket.ts';
export { ShortNames } from './web/lists/ShortNames.tsx';
export { Signature } from './web/sign/Signature.tsx';
export { TicketSide } from './web/TicketSide.tsx';
/** See `TicketPreview`; loaded when a ticket is viewed beside a list. */
export const TicketPreview = later(() => patiently(() => import('./web/lists/beside/TicketPreview.tsx')));
/** See `StartedActs`; loaded when something one started is to be urged or taken back. */
export const StartedActs = later(() => patiently(() => import('./web/lists/StartedActs.tsx')));
/** See `SignDrawer`; loaded when somebody signs. */
export const SignDrawer = later(() => patiently(() => import('./web/sign/SignDrawer.tsx')));
