import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { clearTask } from './chain/removal.ts';
import { menus } from './seed.ts';
import { auditModule } from './server.ts';

export const audit: ModuleDefinition = {
  menus,
  servers: () => [auditModule],
  tasks: ({ databases }) => [clearTask(databases) as Task],
};
