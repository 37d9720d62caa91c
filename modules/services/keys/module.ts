import type { ModuleDefinition } from '#kernel/server/product.ts';
import { keyLeaves } from './keepers.ts';
import { keyNews } from './news.ts';
import { loans } from './record.ts';
import { keySchedules, keyTasks } from './reminders.ts';
import { menus, seedKeys } from './seed.ts';
import { keysModule, loansModule } from './server.ts';

/** Keys of rooms and their loans: the model for new modules (docs/first-module.md). */
export const keys: ModuleDefinition = {
  ...loans.brings,
  logNames: { keys: '钥匙' },
  menus,
  grants: {
    office_admin: 'key/*:*',
  },
  seed: seedKeys,
  demos: [{ order: 190, load: async () => (await import('./demo.ts')).addDemoKeys }],
  servers: () => [keysModule, loansModule],
  news: [keyNews],
  tasks: keyTasks,
  schedules: keySchedules,
  leaves: keyLeaves,
};
