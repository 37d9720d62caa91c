import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from './contract/codes.ts';
import { activityLeaves } from './leaves.ts';
import { activityFeeds, activitySchedules, activityTasks, activityWaits } from './jobs.ts';
import { changes } from './record/changes.ts';
import { described } from './record/leaders.ts';
import { activityNews } from './record/news.ts';
import { activities as records } from './record/record.ts';
import { menus, seedActivities } from './seed.ts';
import { activityModules } from './server.ts';

const { records: own, owners, linked, started } = records.brings;
export const activities: ModuleDefinition = {
  logNames: { activities: '活动' },
  news: [activityNews],
  menus,
  grants: {
    office_admin: 'activity/list:* activity/data:* activity/rule:*',
    xld: 'activity/list:Retrieve,chuli activity/data:Retrieve',
    dept_ld: 'activity/list:Retrieve,chuli',
    dept_fzr: 'activity/declare:Create activity/list:Retrieve,chuli',
    staff: 'activity/declare:Create activity/list:Retrieve',
    activity_reviewer: 'activity/list:Retrieve activity/data:Retrieve',
    safety: 'activity/list:Retrieve,chuli activity/data:Retrieve',
    publicity: 'activity/list:Retrieve,chuli activity/data:Retrieve',
    foreign: 'activity/list:Retrieve,chuli activity/data:Retrieve',
  },
  seed: seedActivities,
  servers: activityModules,
  tasks: ({ databases }) => activityTasks(databases),
  schedules: activitySchedules,
  inDepts: {
    场未结束的活动: (id) =>
      sql`select count(*) from activity where dept_id = ${id} and not is_deleted and act_state = ${inSql(actState.finished)} and activity_status in (${inSql(activityStatus.coming, activityStatus.running)})`,
  },
  waits: [activityWaits],
  feeds: activityFeeds,
  leaves: [activityLeaves],
  records: { ...own, ...changes.brings.records },
  owners,
  linked,
  started,
  occupants: { activities: { described } },
  demos: [{ order: 150, load: async () => (await import('./demo.ts')).addDemoActivities }],
};
