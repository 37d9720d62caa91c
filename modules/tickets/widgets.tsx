export { TicketFields } from './web/fields/TicketFields.tsx';
export { HandOver } from './web/handover/HandOver.tsx';
