import { implement } from '#kernel/server/http/implement.ts';
import { monitors } from './contract.ts';
import { incidentHandlers } from './server/incidents.ts';
import { logHandlers } from './server/logs.ts';
import { monitorHandlers } from './server/monitors.ts';
import { pushHandlers } from './server/push.ts';
import { reportHandlers } from './server/reports.ts';
import { windowHandlers } from './server/windows.ts';

export const monitorsModule = implement('monitors', monitors, {
  ...monitorHandlers,
  ...pushHandlers,
  ...incidentHandlers,
  ...logHandlers,
  ...windowHandlers,
  ...reportHandlers,
});
