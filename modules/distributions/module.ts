import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { distributionsModule } from './server.ts';
import { distributionWaits } from './waiting.ts';
import { distributionSchedules, distributionTask } from './tasks.ts';

export const distributions: ModuleDefinition = {
  menus,
  servers: (services) => [distributionsModule(services)],
  tasks: ({ databases }) => [distributionTask(databases)],
  schedules: distributionSchedules,
  waits: [distributionWaits],
};
