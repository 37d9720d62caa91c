export { CalendarPanel } from './web/CalendarPanel.tsx';
export { Provisional } from './web/Provisional.tsx';
