import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { distributionsModule } from './server.ts';
import { receivedDocuments } from './service.ts';
import { distributionWaits } from './waiting.ts';
import { distributionSchedules, distributionTask } from './tasks.ts';

export const distributions: ModuleDefinition = {
  menus,
  servers: () => [distributionsModule],
  tasks: ({ databases }) => [distributionTask(databases)],
  schedules: distributionSchedules,
  waits: [distributionWaits],
  openings: [receivedDocuments],
};
