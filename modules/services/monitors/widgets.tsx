import { windowCalls } from './contract/windows.ts';

export { MonitorPanel } from './web/MonitorPanel.tsx';
export { default as MonitorsPage, useMonitorTabs } from './web/MonitorsPage.tsx';
export { default as RecordPage } from './web/RecordPage.tsx';
export { ServiceReport } from './web/ReportPage.tsx';
export { default as WindowsPage } from './web/WindowsPage.tsx';
export const windowsCall = windowCalls.windows;
