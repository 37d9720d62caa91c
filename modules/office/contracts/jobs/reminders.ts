import { and, between, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { dayAfter, dayOf, momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { hearersIn } from '#modules/platform/messages/service.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { partsOfEach } from '#modules/platform/people/service.ts';
import { nature, planKind, renewal, stage } from '../contract/codes.ts';
import { isLate } from '../performing/state.ts';
import { rulesOf } from '../record/assess.ts';
import { calledIn, contractNews, finance, managers } from '../record/news.ts';
import { contractPerformanceTable, contractTable, contractTermTable } from '../tables.ts';

const { id, name, contract_no, undertaker, dept_id, stage: at } = contractTable;
const lastNotice = sql<string>`(select t.notice_date from ${contractTermTable} t where t.contract_id = ${id} order by t.no desc limit 1)`;

interface Due {
  id: number;
  due: string;
  name: string;
  contract_no: string;
  undertaker: number;
}

/** Reminds of a day of contracts, by each contract's own number of days before it. */
async function remindOfDay(tx: Db, now: Date, event: 'CONTRACT_EXPIRE' | 'CONTRACT_NOTICE', day: SQL, which: SQL) {
  const known = await tx
    .selectDistinct({ days: contractTable.remind_days })
    .from(contractTable)
    .where(and(eq(at, stage.running), which));
  const watching = await hearersIn(tx, [managers]);
  for (const { days } of known) {
    if (days.length === 0) continue;
    await dateReminders<Due>({
      kind: contractNews[event],
      days,
      due: (db, { first, last }) =>
        db
          .select({ id, due: sql<string>`${day}`, name, contract_no, undertaker })
          .from(contractTable)
          .where(and(eq(at, stage.running), which, eq(contractTable.remind_days, days), between(day, first, last)))
          .orderBy(id)
          .for('share') as Promise<Due[]>,
      to: async (_db, rows) => new Map(rows.map((row) => [row.id, [row.undertaker, ...watching]])),
      says: (row, left) =>
        event === 'CONTRACT_EXPIRE'
          ? told(
              row,
              `合同${left === 0 ? '今天' : ` ${left} 天后`}到期`,
              `将于 ${row.due} 到期，请安排续签、办结或变更。`,
            )
          : told(
              row,
              `合同到期通知期限${left === 0 ? '为今天' : `还有 ${left} 天`}`,
              `不再顺延的，须在 ${row.due} 前书面通知对方，否则到期自动顺延或影响续签。`,
            ),
    })(tx, now);
  }
}
const told = (row: Due, title: string, says: string) => ({
  title: `${title}：${row.name}`,
  content: `${calledIn(row)}${says}`,
});

interface Node extends Due {
  contract_id: number;
  node: string;
  handler: number;
  kind: number;
  dept_id: number;
  plan_date: string;
}
const nodes = (tx: Db, which: SQL | undefined) =>
  tx
    .select({
      id: contractPerformanceTable.id,
      contract_id: id,
      due: contractPerformanceTable.plan_date,
      plan_date: contractPerformanceTable.plan_date,
      node: contractPerformanceTable.name,
      handler: contractPerformanceTable.handler,
      kind: contractPerformanceTable.kind,
      name,
      contract_no,
      undertaker,
      dept_id,
    })
    .from(contractPerformanceTable)
    .innerJoin(contractTable, eq(contractTable.id, contractPerformanceTable.contract_id))
    .where(which)
    .orderBy(contractPerformanceTable.id)
    .for('share');
const paying: readonly number[] = [planKind.payment, planKind.deposit];
const toldNode = (row: Node, title: string) => ({
  title: `${title}：${row.name}`,
  content: `${calledIn(row)}的节点“${row.node}”计划日期 ${row.plan_date}，请办理后登记。`,
  page: `/contract/detail/${row.contract_id}`,
});

/** Reminds of due nodes, by each node's own number of days before it. */
async function remindOfNodes(tx: Db, now: Date): Promise<void> {
  const { remind_days, plan_date } = contractPerformanceTable;
  const known = await tx.selectDistinct({ days: remind_days }).from(contractPerformanceTable);
  const payers = await hearersIn(tx, [finance]);
  for (const { days } of known.filter((one) => one.days.length > 0))
    await dateReminders<Node>({
      kind: contractNews.CONTRACT_NODE,
      days,
      due: (db, { first, last }) =>
        nodes(
          db,
          and(
            eq(remind_days, days),
            between(plan_date, first, last),
            contractPerformanceTable.is_open,
            sql`${at} <> ${stage.suspended}`,
          ),
        ),
      to: async (_db, rows) =>
        new Map(rows.map((row) => [row.id, [row.handler, ...(paying.includes(row.kind) ? payers : [])]])),
      says: (row, left) => toldNode(row, left === 0 ? '合同节点今天到期' : `合同节点 ${left} 天内到期`),
    })(tx, now);
}

/** Notifies of late nodes: the handler on the next day, the head and the leader after some working days. */
async function tellOfLate(tx: Db, now: Date, { overdue_to_head, overdue_to_leader }: Rules): Promise<void> {
  // Nothing is sent after the longest of these delays; a long holiday may stretch a working day to several days.
  const longest = Math.max(overdue_to_head, overdue_to_leader) * 3 + 30;
  const since = sql`${contractPerformanceTable.plan_date} >= ${dayAfter(dayOf(now), -longest)}::date`;
  const late = await nodes(tx, and(isLate(dayOf(now)), since));
  if (late.length === 0) return;
  const heads = await partsOfEach(
    tx,
    late.map((row) => row.dept_id),
  );
  const calendar = await calendarOf(tx);
  const after = (day: string, days: number) => dayOf(workingDaysAfter(momentOf(`${day} 23:59`), days, calendar));
  const levels: [days: number, to: (row: Node) => number[]][] = [
    [0, (row) => [row.handler]],
    [overdue_to_head, (row) => heads.of(row.dept_id, 'leader')],
    [overdue_to_leader, (row) => heads.of(row.dept_id, 'dept_ld')],
  ];
  for (const [level, [days, to]] of levels.entries()) {
    // Sent the day after `due`, and caught up within a week.
    const rows = late.map((row) => ({
      ...row,
      due: days === 0 ? row.plan_date : dayAfter(after(row.plan_date, days), -1),
    }));
    await dateReminders<Node>({
      kind: contractNews.CONTRACT_OVERDUE,
      ...(level > 0 && { part: level }),
      days: [-1],
      due: (_db, { first, last }) => Promise.resolve(rows.filter((row) => row.due >= first && row.due <= last)),
      to: (_db, of) => Promise.resolve(new Map(of.map((row) => [row.id, to(row)]))),
      says: (row) => toldNode(row, '合同节点逾期'),
    })(tx, now);
  }
}
type Rules = Awaited<ReturnType<typeof rulesOf>>;

/** Sends all reminders about contracts of today, each only once. */
export async function remindOfContracts(tx: Db, now: Date): Promise<void> {
  const rules = await rulesOf(tx);
  const { renewal: how } = contractTable;
  // A contract with tacit renewal does not expire, so its reminder is about the last day for a notice.
  await remindOfDay(
    tx,
    now,
    'CONTRACT_EXPIRE',
    sql`${contractTable.term_end}`,
    sql`${how} <> ${renewal.tacit} and ${contractTable.nature} <> ${nature.supplement}`,
  );
  await remindOfDay(tx, now, 'CONTRACT_NOTICE', lastNotice, inArray(how, [renewal.tacit, renewal.agreed]));
  await remindOfNodes(tx, now);
  await tellOfLate(tx, now, rules);
}
