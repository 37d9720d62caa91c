import { inArray, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import type { Offered } from '#modules/workflows/contract/shapes.ts';
import { toWire } from './engine/ways/buttons.ts';
import { noRights, offered } from './engine/ways/offers.ts';
import { newTicket } from './engine/state.ts';
import { ticketTable } from './tables.ts';

export {
  actStateOf,
  actionsOn,
  approvalsOf,
  handlersOf,
  holdTicket,
  keptRecords,
  logOf,
  ofTickets,
  remove as removeTicket,
  send as sendTicket,
  standsIn,
  startFor,
  type Sending,
} from './records/approval.ts';
export { dueBy } from './automation/deadlines.ts';
export { correctOpinion, whyNotCorrectable } from './commands/correcting.ts';
export { handlingsOf, type Handling } from './read/handlings.ts';
export { latestActionsOf, type Action } from './read/latest-actions.ts';
export { dueTickets } from './read/feed.ts';
export { linkedTickets, ticketCard } from './read/linked.ts';
export { openTicketsOf } from './store/open.ts';
export { workedHours } from './statistics/worked-hours.ts';
export { askableFields } from './fields/askable.ts';
export { seesFile } from './fields/attachments.ts';
export type { CommandContext, Moved } from './commands/commands.ts';
export { opinionsOf, type Said } from './read/opinions.ts';
export {
  isSubmitted,
  passed,
  businessModule,
  businessModules,
  type BoundFlow,
  type RecordModule,
  type Turn,
  type Guarded as Withheld,
} from './records/records.ts';
export { withdrawTodos } from './notify/withdraw-todos.ts';
export { startedBy } from './store/started.ts';
export { ticketViewerFor, type TicketViewer } from './visibility/viewer.ts';
export { outcome } from './engine/ways/outcome.ts';
export { migrate } from './versions/migrate.ts';
export { simulate } from './versions/simulate.ts';

/** The buttons of a ticket that is not created yet. */
export function offersAtStart(definition: Definition, person: number): Offered[] {
  const blank = newTicket(person, null);
  return offered(definition, blank, person, noRights).map((offer) =>
    toWire(definition, blank, person, offer, new Map()),
  );
}

export interface TicketCount {
  total: number;
  /** Neither over nor deleted. */
  running: number;
}

/** How many tickets stand on workflows, by workflow id; deleted ones count in `total`, for they keep their version. */
export async function ticketCounts(tx: Db, workflowIds: readonly number[]): Promise<Map<number, TicketCount>> {
  return counted(tx, ticketTable.workflow_id, workflowIds);
}

/** The same by version id. */
export async function ticketCountsOfVersions(tx: Db, versionIds: readonly number[]): Promise<Map<number, TicketCount>> {
  return counted(tx, ticketTable.version_id, versionIds);
}

async function counted(
  tx: Db,
  column: typeof ticketTable.workflow_id | typeof ticketTable.version_id,
  ids: readonly number[],
): Promise<Map<number, TicketCount>> {
  if (ids.length === 0) return new Map();
  const over = [actState.finished, actState.closed];
  const rows = await tx
    .select({
      id: column,
      total: sql<number>`count(*)::int`,
      running: sql<number>`(count(*) filter (where not ${ticketTable.is_deleted} and ${notInArray(ticketTable.act_state, over)}))::int`,
    })
    .from(ticketTable)
    .where(inArray(column, [...ids]))
    .groupBy(column);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
