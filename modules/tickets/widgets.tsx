export { TicketFields } from './web/fields/TicketFields.tsx';
