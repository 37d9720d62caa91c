import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { withdrawTodos } from '#modules/workflow/tickets/service.ts';
import { overTask } from './ending.ts';
import { delegationLeaves, leftTask } from './leaves.ts';
import { delegationNews } from './news.ts';
import { delegationPowers } from './powers.ts';
import { delegationsModule } from './server.ts';
import { awayNow } from './service.ts';

/** Delegations: people who decide for somebody who is absent. */
export const delegations: ModuleDefinition = {
  logNames: { delegations: '外出委托' },
  news: [delegationNews],
  servers: () => [delegationsModule(withdrawTodos)],
  leaves: [delegationLeaves(withdrawTodos)],
  powers: delegationPowers,
  awayNow,
  tasks: ({ databases }) => [overTask(databases, withdrawTodos) as Task, leftTask(databases, withdrawTodos) as Task],
};
