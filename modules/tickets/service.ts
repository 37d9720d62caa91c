import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import type { Offered } from '#modules/workflows/contract/shapes.ts';
import type { Started } from '#modules/workflows/engine/start-rule.ts';
import { toWire } from './engine/buttons.ts';
import { noRights, offered } from './engine/offers.ts';
import { newTicket } from './engine/state.ts';
import { ticketTable } from './tables.ts';

export { askableFields } from './askable.ts';
export { seesFile } from './attachments.ts';
export { outcome } from './engine/outcome.ts';
export { migrate } from './migrate.ts';
export { simulate } from './simulate.ts';

/** The buttons of a ticket that is not created yet. */
export function offersAtStart(definition: Definition, person: number): Offered[] {
  const blank = newTicket(person, null);
  return offered(definition, blank, person, noRights).map((offer) =>
    toWire(definition, blank, person, offer, new Map()),
  );
}

interface Counted {
  workflow_id: number;
  definition: Definition;
}

/** How often workflows were started, as their limit counts it; by workflow id. */
export async function startedBy(tx: Db, person: number, flows: readonly Counted[]): Promise<Map<number, Started>> {
  const found = new Map<number, Started>();
  for (const { workflow_id, definition } of flows) {
    const { rate } = definition.settings.limit;
    const mine = sql`${ticketTable.creator_id} = ${person}`;
    const recent = sql`${ticketTable.act_state} <> ${actState.draft} and ${ticketTable.gmt_created} > now() - make_interval(secs => ${(rate?.period ?? 0) * 3600})`;
    const open = inArray(ticketTable.act_state, [actState.ongoing, actState.returned, actState.withdrawn]);
    const [row] = await tx
      .select({
        in_period: sql<string>`count(*) filter (where ${recent} and ${rate?.level === 2 ? sql`true` : mine})`,
        open: sql<string>`count(*) filter (where ${open} and ${mine})`,
      })
      .from(ticketTable)
      .where(
        and(eq(ticketTable.workflow_id, workflow_id), eq(ticketTable.is_deleted, false), sql`(${mine} or ${recent})`),
      );
    found.set(workflow_id, { in_period: Number(row?.in_period ?? 0), open: Number(row?.open ?? 0) });
  }
  return found;
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

/** How many tickets wait for each person, and how many of them are late. */
export async function dutiesOf(tx: Db): Promise<{ userId: number; count: number; overdue: number }[]> {
  const { rows } = await tx.execute<{ user_id: number; count: number; overdue: number }>(sql`
    select assignee_id user_id, count(distinct t.id)::int count, (count(distinct t.id) filter (where t.due_at < now()))::int overdue
    from ticket_task k join ticket t on t.id = k.ticket_id
    where k.status = 'todo' and not t.is_deleted group by assignee_id`);
  return rows.map(({ user_id, ...counts }) => ({ userId: user_id, ...counts }));
}
