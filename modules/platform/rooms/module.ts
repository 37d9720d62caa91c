import { sql } from 'drizzle-orm';
import { imageKinds } from '#kernel/contract/upload.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { roomsModules } from './server.ts';
import { offerTasks, roomNews } from './server/offers.ts';
import { closures } from './server/times.ts';

/** Rooms, their keepers, and their free times; events in them belong to other modules (`occupants`). */
export const rooms: ModuleDefinition = {
  logNames: { rooms: '会议室' },
  menus,
  grants: {
    office_admin: 'meet/*:*',
    xld: 'meet/day:Retrieve',
    staff: 'meet/day:Retrieve',
    meet_manager: 'meet/*:*',
  },
  news: [roomNews],
  servers: () => roomsModules,
  owners: { rooms: { kinds: imageKinds, imageSize: 1600, may: async () => true } },
  inDepts: {
    个会务单位: (id) => sql`select count(*) from meet_office where dept_id = ${id} and not is_deleted`,
  },
  tasks: (services) => offerTasks(services),
  occupants: {
    waiting: {
      described: async (_tx, _viewer, ids) => new Map(ids.map((id) => [id, { title: '候补保留', mine: false }])),
    },
    blackouts: { described: (tx, _viewer, ids) => closures(tx, ids) },
  },
  demos: [{ order: 30, load: async () => (await import('./demo.ts')).addDemoRooms }],
};
