import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { itemState } from './contract/codes.ts';
import { superviseFeeds, superviseLeaves, superviseLinks, superviseWaits } from './jobs/brings.ts';
import { superviseStarted } from './jobs/started.ts';
import { superviseSchedules, superviseTasks } from './jobs/jobs.ts';
import { superviseNews } from './record/news.ts';
import { module } from './record/visibility.ts';
import { menus } from './seed.ts';
import { supervisionModules } from './server.ts';
import { fileRule } from './subs/hung.ts';

export const supervision: ModuleDefinition = {
  logNames: { supervision: '督办' },
  news: [superviseNews],
  menus,
  grants: {
    office_admin: 'supervise/*:*',
    xld: 'supervise/list:Retrieve,chuli supervise/statistics:Retrieve',
    dept_ld: 'supervise/list:Retrieve,chuli',
    dept_fzr: 'supervise/task:Retrieve,chuli',
    staff: 'supervise/task:Retrieve,chuli',
    supervise_admin: 'supervise/*:*',
  },
  servers: supervisionModules,
  tasks: (services) => superviseTasks(services.databases),
  schedules: superviseSchedules,
  owners: { [module]: fileRule },
  linked: { [module]: superviseLinks },
  inDepts: {
    项未办结的督办事项: (id) =>
      sql`select count(*) from supervise s where s.status < ${inSql(itemState.finished)} and not s.is_deleted and (s.lead_dept = ${id}
        or ${id} = any(s.co_depts) or exists (select from supervise_sub p where p.supervise_id = s.id and p.dept = ${id}))`,
  },
  waits: superviseWaits,
  started: [superviseStarted],
  leaves: superviseLeaves,
  feeds: superviseFeeds,
  demos: [{ order: 140, load: async () => (await import('./demo/demo.ts')).addDemoSupervision }],
};
