import { sql } from 'drizzle-orm';
import { fileKinds } from '#kernel/contract/upload.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowNames } from '#modules/workflow/workflows/service.ts';
import { answeringModule } from './automation/answering.ts';
import { candidatesTask } from './automation/candidates.ts';
import { cardsTask } from './cards/sending.ts';
import { cardsModule } from './cards/server.ts';
import { ticketActionsModule } from './commands/actions.ts';
import { taskLeaves } from './commands/leaves.ts';
import { ticketNews } from './notify/kinds.ts';
import { menus } from './seed.ts';
import { ticketStandings, ticketStarted } from './visibility/begun.ts';
import { ticketWaits } from './visibility/waiting.ts';
import { ticketsModule } from './server.ts';
import { eventCalls } from './contract/events.ts';
import { eventsModule } from './stream/events.ts';
import { decidesSecret, dueTickets, ownLeave, linkedTickets, running, seesFile } from './service.ts';
import { awayTimes } from './records/away.ts';
import { statisticsModule } from './statistics/statistics.ts';

export const tickets: ModuleDefinition = {
  logNames: { tickets: '工单' },
  menus,
  grants: {
    office_admin: 'ticket/*:*',
    xld: 'ticket/statistics:Retrieve',
    dept_ld: 'ticket/statistics:Retrieve',
    dept_fzr: 'ticket/statistics:Retrieve',
    staff: 'ticket/new:Create ticket/duty:* ticket/owner:* ticket/worked:* ticket/detail:Retrieve ticket/cc:*',
    workflow_admin: 'ticket/all:* ticket/statistics:*',
  },
  news: [ticketNews],
  servers: () => [ticketsModule, ticketActionsModule, answeringModule, cardsModule, eventsModule, statisticsModule],
  tasks: ({ databases, log }) => [
    candidatesTask({
      databases,
      broken: (error, ticket) => log.error({ err: error, ticket }, 'ticket left as it is'),
    }) as Task,
    cardsTask({ databases }) as Task,
  ],
  owners: {
    tickets: {
      kinds: fileKinds,
      imageSize: 2560,
      watermarked: true,
      alwaysMarked: (recordId, tx) => decidesSecret(tx, Number(recordId)),
      may: (viewer, file, tx) => seesFile(tx, viewer, file),
    },
  },
  inDepts: {
    件未办结的工单: (id) =>
      sql`select count(*) from ticket where dept_id = ${id} and not is_deleted and act_state not in (${inSql(actState.finished, actState.closed)})`,
  },
  waits: [ticketWaits],
  started: [ticketStarted],
  ticketStandings,
  leaves: [taskLeaves],
  linked: { tickets: linkedTickets },
  running,
  keeping: { names: workflowNames, events: eventCalls.events },
  feeds: { tickets: dueTickets, leave: ownLeave },
  busy: { leave: awayTimes },
};
