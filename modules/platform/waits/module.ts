import type { ModuleDefinition } from '#kernel/server/product.ts';
import { asideSchedules, asideTasks } from './aside.ts';
import { waitsModule } from './server.ts';

/** Everything that waits for somebody, of all modules. */
export const waits: ModuleDefinition = {
  logNames: { waits: '待办提示' },
  servers: () => [waitsModule],
  tasks: (services) => asideTasks(services),
  schedules: asideSchedules,
};
