import type { ModuleDefinition } from '../definition.ts';
import { orderFeeds, orderSchedules, orderTasks, orderWaits } from './jobs.ts';
import { orders as records } from './record/record.ts';
import { menus, seedOrders } from './seed.ts';
import { orderModules } from './server.ts';

export const orders: ModuleDefinition = {
  menus,
  seed: seedOrders,
  servers: orderModules,
  tasks: ({ databases }) => orderTasks(databases),
  schedules: orderSchedules,
  waits: [orderWaits],
  feeds: orderFeeds,
  ...records.brings,
};
