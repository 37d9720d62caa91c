import type { ModuleDefinition } from '#kernel/server/product.ts';
import { distNews } from './giving/notify.ts';
import { menus } from './seed.ts';
import { distributionsModule } from './server.ts';
import { receivedDocuments } from './service.ts';
import { distributionWaits } from './waiting.ts';
import { distributionSchedules, distributionTask } from './tasks.ts';

export const distributions: ModuleDefinition = {
  logNames: { distributions: '公文分发' },
  news: [distNews],
  menus,
  grants: {
    xld: 'document/dist:Retrieve',
    dept_ld: 'document/dist:Retrieve',
    dept_fzr: 'document/dist:Create,Retrieve',
    staff: 'document/dist:Retrieve',
  },
  servers: () => [distributionsModule],
  tasks: ({ databases }) => [distributionTask(databases)],
  schedules: distributionSchedules,
  waits: [distributionWaits],
  openings: [receivedDocuments],
};
