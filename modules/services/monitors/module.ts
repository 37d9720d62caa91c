import type { ModuleDefinition } from '#kernel/server/product.ts';
import { monitorNews } from './alerts/news.ts';
import { sendAlerts } from './alerts/send.ts';
import { hourSchedules, hourTasks } from './hours/hours.ts';
import { menus, seedMonitors } from './seed.ts';
import { reportSchedules, reportTasks } from './reports/drafts.ts';
import { monitorsModule } from './server.ts';
import { monitorFeeds, monitorLeaves, monitorWaits } from './server/brings.ts';

/** Monitors customers' projects: `startMonitoring` probes what is due, outside of requests. */
export const monitors: ModuleDefinition = {
  logNames: { monitors: '监测' },
  menus,
  news: [monitorNews],
  seed: seedMonitors,
  servers: () => [monitorsModule],
  tasks: (services) => [sendAlerts(services), ...hourTasks(services), ...reportTasks(services)],
  schedules: [...hourSchedules, ...reportSchedules],
  waits: monitorWaits,
  leaves: monitorLeaves,
  feeds: monitorFeeds,
};
