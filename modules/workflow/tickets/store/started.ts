import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { countsStarted, type Started } from '#modules/workflow/workflows/engine/start-rule.ts';
import type { InForce } from '#modules/workflow/workflows/service.ts';
import { ticketTable } from '../tables.ts';

/** The number of times workflows were started, as their limit counts it; by workflow id. */
export async function startedBy(tx: Db, person: number, flows: readonly InForce[]): Promise<Map<number, Started>> {
  const found = new Map<number, Started>();
  for (const { workflow_id, definition } of flows) {
    const { rate } = definition.settings.limit;
    const mine = sql`${ticketTable.creator_id} = ${person}`;
    // A draft counts from the time it is submitted, however old it is.
    const recent = sql`${ticketTable.submitted_at} > now() - make_interval(secs => ${(rate?.period ?? 0) * 3600})`;
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

/**
 * The number of times a person has started a workflow, for a decision about one more ticket: concurrent starts that would count wait until this
 * transaction ends. Empty if its limit does not count.
 */
export async function startedForOneMore(tx: Db, person: number, flow: InForce): Promise<{ started?: Started }> {
  const { limit } = flow.definition.settings;
  if (!countsStarted(limit)) return {};
  const whose = limit.rate?.level === 2 ? 'all' : person;
  await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(`start of workflow ${flow.workflow_id} by ${whose}`)})`);
  const started = (await startedBy(tx, person, [flow])).get(flow.workflow_id);
  return started ? { started } : {};
}
