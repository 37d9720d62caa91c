import { fileKinds } from '#kernel/contract/upload.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { isSecret } from '#modules/documents/service.ts';
import type { ModuleDefinition } from '../definition.ts';
import { answeringModule } from './automation/answering.ts';
import { candidatesTask } from './automation/candidates.ts';
import { ticketActionsModule } from './commands/actions.ts';
import { taskLeaves } from './commands/leaves.ts';
import { menus } from './seed.ts';
import { ticketWaits } from './visibility/waiting.ts';
import { ticketsModule } from './server.ts';
import { dueTickets, linkedTickets, running, seesFile } from './service.ts';
import { statisticsModule } from './statistics/statistics.ts';

export const tickets: ModuleDefinition = {
  menus,
  servers: () => [ticketsModule, ticketActionsModule, answeringModule, statisticsModule],
  tasks: ({ databases, log }) => [
    candidatesTask({
      databases,
      broken: (error, ticket) => log.error({ err: error, ticket }, 'ticket left as it is'),
    }) as Task,
  ],
  owners: {
    tickets: {
      kinds: fileKinds,
      imageSize: 2560,
      watermarked: true,
      alwaysMarked: (recordId, tx) => isSecret(tx, 'ticket', Number(recordId)),
      may: (viewer, file, tx) => seesFile(tx, viewer, file),
    },
  },
  waits: [ticketWaits],
  leaves: [taskLeaves],
  linked: { tickets: linkedTickets },
  running,
  feeds: { tickets: dueTickets },
};
