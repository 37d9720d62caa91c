import { fileKinds } from '#kernel/contract/upload.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { isSecret } from '#modules/documents/service.ts';
import { ticketActionsModule } from '#modules/tickets/commands/actions.ts';
import { answeringModule } from '#modules/tickets/automation/answering.ts';
import { taskLeaves } from '#modules/tickets/commands/leaves.ts';
import { candidatesTask } from '#modules/tickets/automation/candidates.ts';
import { menus } from '#modules/tickets/seed.ts';
import { ticketsModule } from '#modules/tickets/server.ts';
import { linkedTickets, seesFile } from '#modules/tickets/service.ts';
import { statisticsModule } from '#modules/tickets/statistics/statistics.ts';
import { ticketWaits } from '#modules/tickets/read/waiting.ts';
import type { Part } from '../part.ts';

export const ticketsPart: Part = {
  menus,
  servers: (services) => [
    ticketsModule(services),
    ticketActionsModule(services),
    answeringModule(services),
    statisticsModule,
  ],
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
      marked: true,
      alwaysMarked: (recordId, tx) => isSecret(tx, 'ticket', Number(recordId)),
      may: (viewer, file, tx) => seesFile(tx, viewer, file),
    },
  },
  waits: [ticketWaits],
  leaves: [taskLeaves],
  linked: { tickets: linkedTickets },
};
