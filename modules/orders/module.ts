import type { ModuleDefinition } from '../definition.ts';
import { orders as records } from './record/record.ts';
import { menus, seedOrders } from './seed.ts';
import { orderModules } from './server.ts';

export const orders: ModuleDefinition = {
  menus,
  seed: seedOrders,
  servers: orderModules,
  ...records.brings,
};
