export { MonitorPanel } from './web/MonitorPanel.tsx';
export { default as MonitorsPage } from './web/MonitorsPage.tsx';
export { default as WindowsPage } from './web/WindowsPage.tsx';
