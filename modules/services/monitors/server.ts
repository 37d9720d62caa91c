import { implement } from '#kernel/server/http/implement.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { monitors } from './contract.ts';
import { monitorRules } from './contract/rules.ts';
import { serviceReportHandlers } from './reports/server.ts';
import { statusPageHandlers } from './reports/status-page.ts';
import { incidentHandlers } from './server/incidents.ts';
import { logHandlers } from './server/logs.ts';
import { monitorHandlers } from './server/monitors.ts';
import { pushHandlers } from './server/push.ts';
import { statusPage } from './server/public.ts';
import { statistics } from './server/statistics.ts';
import { windowHandlers } from './server/windows.ts';

export const monitorsModule = implement('monitors', monitors, {
  ...monitorHandlers,
  ...pushHandlers,
  ...incidentHandlers,
  ...logHandlers,
  ...windowHandlers,
  ...serviceReportHandlers,
  ...statusPageHandlers,
  ...ruleHandlers(monitorRules),
  status: statusPage,
  statistics,
});
