import { and, between, eq, inArray, not, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { asked } from '#kernel/server/list/asked.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { workingAmong } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import type { RecordViewer, Writing } from '#modules/workflow/records/service.ts';
import { direction, nature, stage, stageName } from '../contract/codes.ts';
import type { performanceCalls } from '../contract/performing/performance.ts';
import * as refusals from '../contract/refusals.ts';
import { planWrong } from '../engine/plans.ts';
import { registerEvent, changesOf } from '../register/events.ts';
import { partOf } from '../register/part.ts';
import { rulesOf } from '../record/assess.ts';
import { owedBy } from '../engine/owed.ts';
import { registered } from '../record/faults.ts';
import { refuseUnregistered } from './pending.ts';
import { contracts, type Stored } from '../record/record.ts';
import { contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import { entriesOf, rowActions, selectPerformances, type Selected } from './rows.ts';
import { due, moves, worth } from './figures.ts';
import { plannedOf, refuseOverplanned, refuseUneven } from './planned.ts';
import { isPlanned, stateOn } from './state.ts';

const { id, contract_id, plan_date, plan_amount } = contractPerformanceTable;
type Asked = { tx: Db; user: RecordViewer['user']; now: Date };

/** Columns of text by which a row of performance is found. */
const searched = [
  contractPerformanceTable.name,
  contractTable.name,
  contractTable.contract_no,
  contractTable.party_words,
];
const shown = (row: Selected, viewer: RecordViewer) => ({
  ...row,
  actions: rowActions(row, partOf({ ...row, undertaker: row.contract_undertaker }, viewer, row.handler)),
});

const { is_open, cancelled } = contractPerformanceTable;
const ofCategory = {
  open: sql`${is_open}`,
  done: and(not(is_open), not(cancelled)),
  off: sql`${cancelled}`,
  all: undefined,
};

/** 合同履约: rows of the contracts that the user sees. */
export async function listPerformances(query: QueryOf<typeof performanceCalls.performances>, { tx, user, now }: Asked) {
  const viewer = await contracts.viewerOf(tx, user);
  const { soon_days: soon } = await rulesOf(tx);
  const today = dayOf(now);
  const select = selectPerformances(tx, today, soon).where(
    and(
      contracts.visible(tx, viewer),
      ofCategory[query.category],
      asked(query.contract_id, (one) => eq(contract_id, one)),
      asked(query.kind, (one) => eq(contractPerformanceTable.kind, one)),
      asked(query.direction, (one) => eq(contractPerformanceTable.direction, one)),
      asked(query.state, (one) => sql`${stateOn(today, soon)} = ${one}`),
      asked(query.handler, (one) => eq(contractPerformanceTable.handler, one)),
      asked(query.dept_id, (one) => eq(contractTable.dept_id, one)),
      asked(query.plan_date, (one) => eq(plan_date, one)),
      asked(query.plan_from, (one) => sql`${plan_date} >= ${one}`),
      asked(query.plan_to, (one) => sql`${plan_date} <= ${one}`),
      saysOrShows(
        query.search_value,
        (word) => or(...searched.map((column) => contains(column, word))),
        (ids) => sql`${contractPerformanceTable.handler} in ${ids}`,
      ),
    ),
  );
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: { plan_date, plan_amount },
    first: 'plan_date',
    tie: id,
  });
  return { ...found, value: found.value.map((row) => shown(row, viewer)) };
}

async function oneOf(tx: Db, viewer: RecordViewer, rowId: number, now: Date): Promise<Selected> {
  const { soon_days } = await rulesOf(tx);
  const [row] = await selectPerformances(tx, dayOf(now), soon_days).where(
    and(eq(id, rowId), contracts.visible(tx, viewer)),
  );
  if (!row) throw absent('履约节点');
  return row;
}

export async function onePerformance(rowId: number, { tx, user, now }: Asked) {
  const viewer = await contracts.viewerOf(tx, user);
  const row = await oneOf(tx, viewer, rowId, now);
  const part = partOf({ ...row, undertaker: row.contract_undertaker }, viewer);
  const of = { id: row.contract_id, stage: row.contract_stage };
  const where = eq(contractEntryTable.performance_id, rowId);
  return {
    value: { ...shown(row, viewer), entries: await entriesOf(tx, of, part, { viewer: user, now }, where) },
  };
}

/** Due amounts by day or month: in, out, the number of rows, and how many are late. */
export async function performanceDays(
  query: QueryOf<typeof performanceCalls.performanceDays>,
  { tx, user, now }: Asked,
) {
  const viewer = await contracts.viewerOf(tx, user);
  const seen = tx.select({ id: contractTable.id }).from(contractTable).where(contracts.visible(tx, viewer));
  const among = (column: AnyColumn) => (one: number) =>
    inArray(contract_id, tx.select({ id: contractTable.id }).from(contractTable).where(eq(column, one)));
  const resting = tx
    .select({ id: contractTable.id })
    .from(contractTable)
    .where(eq(contractTable.stage, stage.suspended));
  const row = contractPerformanceTable;
  const late = sql`${row.is_open} and ${plan_date} < ${dayOf(now)}::date`;
  const sum = (what: SQL, way: number) => sql`coalesce(sum(${what}) filter (where ${moves} and direction = ${way}), 0)`;
  const [was, rest] = [sql`worth`, sql`due`];
  // A user with full access needs no check of each contract.
  const where = and(
    contracts.seesAll(viewer) ? undefined : inArray(contract_id, seen),
    sql`not ${row.cancelled}`,
    between(plan_date, query.start, query.end),
    asked(query.direction, (one) => eq(row.direction, one)),
    asked(query.dept, among(contractTable.dept_id)),
    asked(query.category, among(contractTable.category_id)),
  );
  // Aggregated by the index first, because checks on each row are expensive. Late rows of suspended contracts are subtracted.
  const { rows } = await tx.execute<
    Record<'day' | 'in' | 'out' | 'due_in' | 'due_out' | 'count' | 'overdue', string>
  >(sql`
    with days as (select ${plan_date} as day, ${row.kind} as kind, ${row.direction} as direction, sum(${worth}) worth, sum(${due}) due, count(*) as count,
        count(*) filter (where ${late}) as late from ${row} where ${where} group by 1, 2, 3, ${row.is_open}
      union all select ${plan_date}, ${row.kind}, ${row.direction}, 0, -sum(${due}), 0, -count(*) filter (where ${late}) from ${row}
        where ${where} and ${row.is_open} and ${contract_id} in (${resting}) group by 1, 2, 3)
    select to_char(day, ${query.by === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}) as day, ${sum(was, direction.in)} as in, ${sum(was, direction.out)} as out,
      ${sum(rest, direction.in)} as due_in, ${sum(rest, direction.out)} as due_out,
      sum(count) as count, sum(late) overdue from days group by 1 order by 1`);
  return rows.map((one) => ({
    day: one.day,
    in: Number(one.in),
    out: Number(one.out),
    due_in: Number(one.due_in),
    due_out: Number(one.due_out),
    count: Number(one.count),
    overdue: Number(one.overdue),
  }));
}

/** A row of performance for a change, with its contract locked. */
async function held(context: Writing, rowId: number) {
  const { tx, user, now } = context;
  const viewer = await contracts.viewerOf(tx, user);
  const row = await oneOf(tx, viewer, rowId, now);
  const contract = await contracts.requireForUpdate(tx, viewer, row.contract_id);
  const [stored] = await tx.select().from(contractPerformanceTable).where(eq(id, rowId));
  return { viewer, contract, part: partOf(contract, viewer), stored: stored!, begun: stored!.holding > 0 };
}
const labels = { name: '名称', plan_date: '计划日期', plan_amount: '计划金额', handler: '办理人', cancelled: '取消' };

/** 审减: the amount by which an audit cuts a row in the contract's direction; all of it if nothing was registered on it. */
function cutBy(
  contract: Stored,
  stored: typeof contractPerformanceTable.$inferSelect,
  asked: { plan_amount?: number; cancel: boolean | undefined; rest_date: string | undefined },
): number {
  const was = fenOf(stored.plan_amount ?? 0);
  const cut = asked.cancel ? was : was - fenOf(asked.plan_amount ?? stored.plan_amount ?? 0);
  const own = stored.kind === contract.pay_direction && contract.nature !== nature.framework;
  if (!own || cut <= 0 || asked.rest_date) throw refusals.notReduced();
  return cut;
}

/** Reduces the owed amount by the part of a cut that leaves the plan below it. A surplus of the plan, left by a supplement, was never owed. */
async function reduce(tx: Db, contract: Stored, cut: number): Promise<Stored> {
  const owed = fenOf(owedBy(contract));
  const off = Math.min(cut, owed - fenOf(await plannedOf(tx, contract.id, contract.pay_direction)));
  if (off <= 0) return contract;
  const done = fenOf(await registered(tx, { contracts: [contract.id], kind: contract.pay_direction }));
  if (owed - off < done)
    throw refusals.reducedTooMuch(yuanOf(owed - off), yuanOf(done), yuanOf(Math.max(0, owed - done)));
  return contracts.set(tx, contract, { reduced: yuanOf(fenOf(contract.reduced) + off) });
}

/** Moves, splits, cuts or cancels an open row, with a reason; the plan must still equal the owed amount. */
export async function changePerformance(
  context: Writing,
  rowId: number,
  body: BodyOf<typeof performanceCalls.changePerformance>,
) {
  const { tx, user } = context;
  const { contract, part, stored, begun } = await held(context, rowId);
  const { version, reason, cancel, rest_date, audited, ...wanted } = body;
  checkVersion('履约节点', stored, version, stored);
  if (!part.undertaker && !part.manager) throw refusals.rowOfOthers();
  if (!isPlanned(contract.stage)) throw refusals.rowOver(stageName(contract.stage));
  if (stored.cancelled) throw refusals.rowUnknown();
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as typeof wanted;
  if (begun && cancel) throw refusals.rowHasEntries();
  const least = Math.max(0, stored.done_amount);
  if (begun && given.plan_amount !== undefined && given.plan_amount < least)
    throw refusals.belowDone(given.plan_amount, least);
  if (given.handler !== undefined && (await workingAmong(tx, [given.handler])).length === 0) throw absent('办理人');
  const rest =
    rest_date && given.plan_amount !== undefined
      ? yuanOf(fenOf(stored.plan_amount ?? 0) - fenOf(given.plan_amount))
      : 0;
  if (rest_date && rest <= 0) throw refusals.restNotLess();
  const cut = audited ? cutBy(contract, stored, { ...given, cancel, rest_date }) : 0;
  // The supplement agrees on an amount anew, so a cut between its signature and its registration would be lost.
  if (cut > 0) await refuseUnregistered(tx, contract, '审减');
  const next = { ...stored, ...given };
  const moved = next.plan_date !== stored.plan_date || next.plan_amount !== stored.plan_amount;
  const wrong =
    (moved && planWrong(next, contract)) || (rest_date && planWrong({ ...next, plan_date: rest_date }, contract));
  if (wrong) throw refusals.planRefused(wrong);
  const [before, ofKind] = [
    await plannedOf(tx, contract.id, contract.pay_direction),
    await plannedOf(tx, contract.id, stored.kind),
  ];
  const { name, plan_date: day, plan_amount: amount, handler, remind_days } = next;
  await tx
    .update(contractPerformanceTable)
    .set({
      name,
      plan_date: day,
      plan_amount: amount,
      handler,
      remind_days,
      ...(cancel
        ? {
            cancelled: true,
            cancel_reason: reason,
          }
        : {}),
      ...touched(contractPerformanceTable),
    })
    .where(eq(id, rowId));
  if (rest_date) {
    const { kind: what, direction: way, gives_back, period, condition } = stored;
    const split = {
      contract_id: contract.id,
      kind: what,
      direction: way,
      gives_back,
      period: period + 1,
      condition,
      handler,
    };
    await tx.insert(contractPerformanceTable).values({ ...split, name, plan_date: rest_date, plan_amount: rest });
  }
  const after = cut > 0 ? await reduce(tx, contract, cut) : contract;
  await refuseUneven(tx, after, before);
  await refuseOverplanned(tx, after, stored.kind, ofKind);
  const changes = [
    ...changesOf(labels, stored, { ...stored, ...given, cancelled: Boolean(cancel) }),
    ...changesOf({ reduced: '审减' }, contract, after),
  ];
  await registerEvent(tx, {
    contract_id: contract.id,
    type: 'plan',
    from_stage: contract.stage,
    to_stage: contract.stage,
    reason: `${stored.name}：${reason}`,
    changes,
    by: user.id,
  });
  context.audit({
    type: '合同履约节点',
    id: rowId,
    title: stored.name,
    before: {},
    after: { 原因: reason, 取消: Boolean(cancel) },
  });
  return { id: rowId };
}

/** Deletes a row on which nothing was ever registered; only for managers. */
export async function removePerformance(context: Writing, rowId: number) {
  const { tx, user } = context;
  const { contract, part, stored } = await held(context, rowId);
  if (!part.manager) throw refusals.rowOfOthers();
  if (!isPlanned(contract.stage)) throw refusals.rowOver(stageName(contract.stage));
  if (stored.settlement || stored.entries > 0) throw refusals.rowKept();
  const before = await plannedOf(tx, contract.id, contract.pay_direction);
  await tx.delete(contractPerformanceTable).where(eq(id, rowId));
  await refuseUneven(tx, contract, before);
  await registerEvent(tx, {
    contract_id: contract.id,
    type: 'plan',
    from_stage: contract.stage,
    to_stage: contract.stage,
    by: user.id,
    reason: `删除节点：${stored.name}`,
  });
  context.audit({ type: '合同履约节点', id: rowId, title: stored.name, before: { 计划日期: stored.plan_date } });
  return { id: rowId };
}
