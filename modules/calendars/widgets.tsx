export { CalendarPanel } from './web/CalendarPanel.tsx';
