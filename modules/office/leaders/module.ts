import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { leaderFeeds, replyWaits } from './beside/brings.ts';
import { leadersBusy } from './beside/busy.ts';
import { leaderSchedules, leaderTasks } from './beside/brief.ts';
import { leaderNews } from './record/news.ts';
import { schedules } from './record/record.ts';
import { menus, seedLeaders } from './seed.ts';
import { leaderModule } from './server.ts';

/** Schedules of leaders, published weeks, trips, and delegations during them. */
export const leaders: ModuleDefinition = {
  logNames: { leaders: '领导日程' },
  news: [leaderNews],
  ...schedules.brings,
  menus,
  grants: {
    office_admin: 'leader/*:*',
    xld: 'leader/list:Create,Retrieve,chuli leader/index:Retrieve leader/statistics:Retrieve',
    dept_ld: 'leader/list:Retrieve,chuli',
    dept_fzr: 'leader/list:Create,Retrieve',
    secretary: 'leader/list:Create,Retrieve,Update,Delete,chuli leader/index:Retrieve',
    staff: 'leader/index:Retrieve',
  },
  seed: seedLeaders,
  servers: () => [leaderModule],
  tasks: (services) => leaderTasks(services.databases),
  schedules: leaderSchedules,
  inDepts: {
    项未结束的领导日程: (id) =>
      sql`select count(*) from leader_schedule
        where dept_id = ${id} and act_state = ${inSql(actState.finished)} and cancelled_at is null and end_time > now()`,
  },
  waits: [replyWaits],
  feeds: leaderFeeds,
  busy: { leaders: leadersBusy },
  demos: [{ order: 120, load: async () => (await import('./demo.ts')).addDemoSchedules }],
};
