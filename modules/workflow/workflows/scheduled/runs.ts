import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { dayOf, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { databaseFault, savepoint, type Db } from '#kernel/server/db/db.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf, dayKind } from '#modules/platform/calendars/service.ts';
import { announce, closeTodo } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { handledAlready, outcomeNames, scheduleCalls, stillNot } from '../contract/schedules.ts';
import type { InName } from '../running.ts';
import { administratorsOf } from '../service.ts';
import { scheduleRunTable as runs, scheduleTable as s, workflowTable } from '../tables.ts';
import { workflowNews } from './news.ts';
import { duesBetween, nextAfter } from './rule.ts';
import { ofAdministered } from './scope.ts';

type Schedule = typeof s.$inferSelect;
type Run = typeof runs.$inferSelect;
const failedNews = workflowNews.SCHEDULE_FAILED;
const openRuns = and(eq(runs.outcome, 'failed'), isNull(runs.handled_at));

/** Temporary faults: a lost connection, a deadlock, a lock held by others, a database going down. */
const passing = /^(08|40|53|55|57)/;

/** The ticket that a schedule begins. */
export const asIt = (
  {
    workflow_id,
    person_id,
    author_ids,
    values,
    name,
  }: Pick<Schedule, 'workflow_id' | 'person_id' | 'author_ids' | 'values' | 'name'>,
  now: Date,
): InName => ({
  workflow_id,
  person: person_id,
  authors: author_ids,
  fields: values,
  suggestion: `按定时发起“${name}”发起`,
  now,
});

/**
 * Begins what one schedule is due for, once; returns true if more may wait. Of several missed dates the last is begun, and the others are reported
 * with it. A fault is reported to `broken`.
 */
export async function startDue(tx: Db, now: Date, broken: (error: Error, schedule: number) => void): Promise<boolean> {
  const there = sql`exists (select from workflow w where w.id = ${s.workflow_id} and not w.is_deleted)`;
  const [row] = await tx
    .select()
    .from(s)
    .where(and(eq(s.status, onOff.on), eq(s.is_deleted, false), lte(s.next_at, momentText(now)), there))
    .orderBy(s.next_at)
    .limit(1)
    .for('update', { skipLocked: true });
  if (!row) return false;
  const dues = duesBetween(row, momentOf(row.next_at!), now);
  const next = nextAfter(row, now);
  await tx
    .update(s)
    .set({ next_at: next && momentText(next) })
    .where(eq(s.id, row.id));
  if (dues.length > 0) await runOf(tx, row, dues, now, broken);
  return true;
}

async function runOf(
  tx: Db,
  row: Schedule,
  dues: readonly Date[],
  now: Date,
  broken: (error: Error, schedule: number) => void,
): Promise<void> {
  const calendar = row.workdays_only ? await calendarOf(tx) : null;
  const due = dues.findLast((at) => calendar?.works(dayOf(at)) ?? true);
  const [flow] = await tx.select().from(workflowTable).where(eq(workflowTable.id, row.workflow_id));
  const write = async (run: Pick<Run, 'outcome'> & Partial<Run>) => {
    const at = due ?? dues.at(-1)!;
    const values = { schedule_id: row.id, due_at: momentText(at), missed: dues.length - 1, ...run };
    const [made] = await tx.insert(runs).values(values).onConflictDoNothing().returning();
    return made;
  };
  if (!due) {
    const day = dayOf(dues.at(-1)!);
    const { name } = dayKind(calendar!, day);
    await write({ outcome: 'skipped', message: `${day} ${name ? `是${name}，` : ''}不是工作日` });
    return;
  }
  if (flow!.status === onOff.off) {
    await write({ outcome: 'skipped', message: '流程已停用' });
    return;
  }
  const begun = await attempt(tx, row, now, broken);
  if ('id' in begun) {
    await write({ outcome: 'started', ticket_id: begun.id });
    return;
  }
  // Earlier failures of this schedule are reported with it: one thing to handle, not one for each day.
  const before = await tx
    .update(runs)
    .set({ handled_at: momentText(now) })
    .where(and(eq(runs.schedule_id, row.id), openRuns))
    .returning();
  await seenTo(tx, before);
  const missed = before.reduce((sum, one) => sum + one.missed + 1, dues.length - 1);
  const asked = await administratorsOf(tx, row.workflow_id);
  const made = await write({ outcome: 'failed', message: begun.why.slice(0, 300), missed, asked });
  if (made) await call(tx, made, row, flow!.name);
}

/** The ticket, or the reason why there is none. */
async function attempt(
  tx: Db,
  row: Schedule,
  now: Date,
  broken: (error: Error, schedule: number) => void,
): Promise<{ id: number; sn: string } | { why: string }> {
  return savepoint(tx, () => tx.services.product.running.startInName(tx, asIt(row, now))).catch((stop: unknown) => {
    if (stop instanceof Refusal) return { why: stop.message };
    if (passing.test(databaseFault(stop)?.code ?? '')) throw stop;
    broken(stop as Error, row.id);
    return { why: '定时发起时系统出错，请联系系统维护人员' };
  });
}

async function call(tx: Db, run: Run, row: Schedule, flow: string): Promise<void> {
  const said = {
    title: `流程“${flow}”的定时发起“${row.name}”没有发起`,
    content: `${run.due_at.slice(0, 16)}：${run.message}；请改正后补发，或不再补发`,
    page: placeOf(row.workflow_id),
    by: null,
  };
  await announce(tx, failedNews, { id: run.id }, said, run.asked);
  changed(tx, 'workflows', run.asked);
}

/** The page of a workflow's schedules. */
export const placeOf = (workflow: number | string) => `/ticket/workflow/design/${workflow}?tab=schedules`;

/** Nothing of a schedule remains to be handled. */
export async function closeRuns(tx: Db, schedule: number, by: number): Promise<void> {
  const closed = await tx
    .update(runs)
    .set({ handled_at: sql`now()`, handled_by: by })
    .where(and(eq(runs.schedule_id, schedule), openRuns))
    .returning({ id: runs.id, asked: runs.asked });
  await seenTo(tx, closed);
}

/** Withdraws the messages about failed dates. */
async function seenTo(tx: Db, some: readonly Pick<Run, 'id' | 'asked'>[]): Promise<void> {
  const objectId = some.map((one) => one.id);
  if (objectId.length > 0) await closeTodo(tx, { module: failedNews.module, objectId, events: [failedNews.event] });
  changed(
    tx,
    'workflows',
    some.flatMap((one) => one.asked),
  );
}

export const scheduleRunModule = implement('workflows', scheduleCalls, {
  async runs({ params, query }, { tx, user }) {
    const [row] = await tx
      .select({ id: s.id })
      .from(s)
      .where(and(eq(s.id, params.id), eq(s.is_deleted, false), ofAdministered(user, 'Retrieve')));
    if (!row) throw absent('该定时发起');
    const select = tx.select().from(runs).where(eq(runs.schedule_id, params.id)).$dynamic();
    const order = { by: { due_at: runs.due_at }, first: 'due_at', descending: true, tie: runs.id };
    const page = await pageOf(tx, query, select, order);
    const people = await peopleById(
      tx,
      page.value.flatMap((one) => one.handled_by ?? []),
    );
    const value = page.value.map((one) => ({
      ...one,
      handled_by: people.get(one.handled_by ?? 0)?.alias ?? '',
      actions: one.outcome === 'failed' && one.handled_at === null ? ['again', 'dismiss'] : [],
    }));
    return { ...page, value };
  },

  async again({ params }, { tx, user, now, audit }) {
    const { run, row } = await opened(tx, user, params.id);
    const begun = await savepoint(tx, () => tx.services.product.running.startInName(tx, asIt(row, now))).catch(
      (stop: unknown) => {
        throw stop instanceof Refusal ? stillNot(stop.message) : stop;
      },
    );
    const set = { outcome: 'started' as const, ticket_id: begun.id, handled_at: momentText(now), handled_by: user.id };
    await tx.update(runs).set(set).where(eq(runs.id, run.id));
    await seenTo(tx, [run]);
    audit({ type: '定时发起', id: row.id, title: row.name, after: { 补发: run.due_at.slice(0, 16) } });
    return { id: run.id, ticket_id: begun.id, sn: begun.sn };
  },

  async dismiss({ params }, { tx, user, now, audit }) {
    const { run, row } = await opened(tx, user, params.id);
    const set = { handled_at: momentText(now), handled_by: user.id };
    await tx.update(runs).set(set).where(eq(runs.id, run.id));
    await seenTo(tx, [run]);
    audit({ type: '定时发起', id: row.id, title: row.name, after: { 不再补发: run.due_at.slice(0, 16) } });
    return { id: run.id };
  },
});

/** A failed date that nobody has handled yet, its row locked. */
async function opened(tx: Db, user: Viewer, id: number): Promise<{ run: Run; row: Schedule }> {
  const [run] = await tx.select().from(runs).where(eq(runs.id, id)).for('update');
  const [row] = run
    ? await tx
        .select()
        .from(s)
        .where(and(eq(s.id, run.schedule_id), eq(s.is_deleted, false), ofAdministered(user, 'Update')))
    : [];
  if (!run || !row) throw absent('这一次定时发起');
  if (run.outcome !== 'failed') throw handledAlready(outcomeNames[run.outcome]);
  if (run.handled_at !== null) throw handledAlready('已有人处理');
  return { run, row };
}
