import { implement } from '#kernel/server/http/implement.ts';
import { monitors } from './contract.ts';
import { incidentHandlers } from './server/incidents.ts';
import { logHandlers } from './server/logs.ts';
import { monitorHandlers } from './server/monitors.ts';
import { reportHandlers } from './server/reports.ts';
import { windowHandlers } from './server/windows.ts';

export const monitorsModule = implement('monitors', monitors, {
  ...monitorHandlers,
  ...incidentHandlers,
  ...logHandlers,
  ...windowHandlers,
  ...reportHandlers,
});
