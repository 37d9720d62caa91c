import type { ModuleDefinition } from '../definition.ts';
import { sendAlerts } from './alerts/send.ts';
import { hourSchedules, hourTasks } from './hours/hours.ts';
import { menus, seedMonitors } from './seed.ts';
import { monitorsModule } from './server.ts';

/** Watches customers' projects: what is due is looked at by `startMonitoring`, beside requests. */
export const monitors: ModuleDefinition = {
  menus,
  seed: seedMonitors,
  servers: () => [monitorsModule],
  tasks: (services) => [sendAlerts(services) as never, ...hourTasks(services)],
  schedules: hourSchedules,
};
