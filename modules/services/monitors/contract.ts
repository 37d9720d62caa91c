import { incidentCalls } from './contract/incidents.ts';
import { logCalls } from './contract/logs.ts';
import { monitorCalls } from './contract/monitors.ts';
import { reportCalls } from './contract/reports.ts';
import { monitorRuleCalls } from './contract/rules.ts';
import { monitorStatistics } from './contract/statistics.ts';
import { windowCalls } from './contract/windows.ts';

/** Monitoring of projects: settings and states, incidents, log, windows, charts and public pages. */
export const monitors = {
  ...monitorCalls,
  ...incidentCalls,
  ...logCalls,
  ...windowCalls,
  ...reportCalls,
  ...monitorRuleCalls,
  statistics: monitorStatistics.call,
};
