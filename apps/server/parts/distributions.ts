import { menus } from '#modules/distributions/seed.ts';
import { distributionsModule } from '#modules/distributions/server.ts';
import { distributionSchedules, distributionTask } from '#modules/distributions/tasks.ts';
import { distributionWaits } from '#modules/distributions/waiting.ts';
import type { Part } from '../part.ts';

export const distributionsPart: Part = {
  menus,
  servers: (services) => [distributionsModule(services)],
  tasks: ({ databases }) => [distributionTask(databases)],
  schedules: distributionSchedules,
  waits: [distributionWaits],
};
