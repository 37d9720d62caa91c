import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { orderFeeds, orderSchedules, orderTasks, orderWaits } from './jobs.ts';
import { orderNews } from './record/news.ts';
import { orderFiles, orders as records } from './record/record.ts';
import { menus, seedOrders } from './seed.ts';
import { orderModules } from './server.ts';

export const orders: ModuleDefinition = {
  logNames: { orders: '报修订单' },
  menus,
  grants: {
    dept_fzr: 'order/list:Retrieve',
    staff: 'order/mine:*',
    reception: 'order/mine:Create,Retrieve',
    order_desk: 'order/list:* order/register:* order/statistics:* order/setting:* order/asset:*',
    order_handler: 'order/list:Retrieve,chuli order/task:*',
  },
  news: [orderNews],
  seed: seedOrders,
  servers: orderModules,
  tasks: ({ databases }) => orderTasks(databases),
  schedules: orderSchedules,
  inDepts: {
    个报修类别: (id) => sql`select count(*) from order_category where team_id = ${id} and not is_deleted`,
    张待处理的维修单: (id) =>
      sql`select count(*) from repair_order where team_id = ${id} and not is_deleted and act_state not in (${inSql(actState.finished, actState.closed)})`,
  },
  waits: [orderWaits],
  feeds: orderFeeds,
  ...records.brings,
  owners: { orders: orderFiles },
  demos: [{ order: 170, load: async () => (await import('./demo.ts')).addDemoOrders }],
};
