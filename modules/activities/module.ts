import type { ModuleDefinition } from '../definition.ts';
import { activityFeeds, activitySchedules, activityTasks, activityWaits } from './jobs.ts';
import { changes } from './record/changes.ts';
import { described } from './record/leaders.ts';
import { activities as records } from './record/record.ts';
import { menus, seedActivities } from './seed.ts';
import { activityModules } from './server.ts';

const { records: own, owners, linked } = records.brings;
export const activities: ModuleDefinition = {
  menus,
  seed: seedActivities,
  servers: activityModules,
  tasks: ({ databases }) => activityTasks(databases),
  schedules: activitySchedules,
  waits: [activityWaits],
  feeds: activityFeeds,
  records: { ...own, ...changes.brings.records },
  owners,
  linked,
  occupants: { activities: { described } },
};
