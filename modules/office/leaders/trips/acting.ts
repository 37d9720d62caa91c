import { houseNow } from '#kernel/server/process/clock.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import { isAmong } from '#kernel/server/access/scope.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { endStanding, standFor } from '#modules/workflow/delegations/service/standing.ts';
import { headsOf, holdersOf, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { leaderRules } from '../contract/board.ts';
import { timeText, trip } from '../contract/codes.ts';
import { actingUnfit, noApprovers, oneLeader } from '../contract/refusals.ts';
import type { Attend } from '../contract/schedules.ts';
import { allLeaders, withSecretaries } from '../record/attends.ts';
import { during } from '../record/clash.ts';
import { leaderNews, withdrawNews } from '../record/news.ts';
import type { Stored } from '../record/record.ts';
import { living } from '../record/visibility.ts';
import { attendTable, scheduleTable } from '../tables.ts';

const s = scheduleTable;
export const source = (row: Pick<Stored, 'id'>) => ({ module: 'leaders', id: row.id });

/** Those of the given people who are on a trip at the time. */
const awayAmong = (tx: Db, row: Pick<Stored, 'id' | 'start_time' | 'end_time'>, people: readonly number[]) =>
  tx
    .select({ id: attendTable.leader_id })
    .from(attendTable)
    .innerJoin(s, eq(s.id, attendTable.schedule_id))
    .where(and(isAmong(attendTable.leader_id, people), eq(s.type_id, trip), living, during(row), ne(s.id, row.id)));

/** The main leaders by the rules, in the order of the house. */
export async function mainLeaders(tx: Db) {
  const { main_leaders } = (await readRules(tx, leaderRules)).value;
  return (await allLeaders(tx)).filter((one) => main_leaders.includes(one.username));
}

/** Refuses a trip with a wrong leader, approver or delegate. */
export async function refuseActing(tx: Db, row: Stored, leaders: readonly number[]): Promise<void> {
  if (leaders.length !== 1) throw oneLeader(leaders.length);
  const main = await mainLeaders(tx);
  if (main.length > 0 && row.approvers.length === 0 && !main.some((one) => one.id === leaders[0])) throw noApprovers();
  if (row.acting_id === null) return;
  const name = (await peopleById(tx, [row.acting_id])).get(row.acting_id)?.alias ?? '';
  if (row.acting_id === leaders[0]) throw actingUnfit(name, '就是外出的领导');
  if ((await workingAmong(tx, [row.acting_id])).length === 0) throw actingUnfit(name, '已离职或停用');
  if ((await awayAmong(tx, row, [row.acting_id])).length > 0) throw actingUnfit(name, '那时也外出');
}

/** Other main leaders who are away at the same time. */
export async function bothAway(tx: Db, row: Stored, leaders: readonly number[]): Promise<string[]> {
  const main = await mainLeaders(tx);
  if (!main.some((one) => leaders.includes(one.id))) return [];
  const others = main.filter((one) => !leaders.includes(one.id));
  const away = new Set(
    (
      await awayAmong(
        tx,
        row,
        others.map((one) => one.id),
      )
    ).map((one) => one.id),
  );
  return others.flatMap((one) => (away.has(one.id) ? [`主要领导${one.alias}那时也外出`] : []));
}

/** Starts the delegation for the length of the trip and notifies the people concerned, once the leader and the approvers agreed. */
export async function beginActing(
  tx: Db,
  row: Stored,
  leader: Pick<Attend, 'id' | 'alias'>,
  by: number | null,
): Promise<void> {
  const said = [`${leader.alias} ${timeText(row)}${row.address ? ` 在${row.address}` : ''}`];
  if (row.acting_id !== null) {
    const acting = (await peopleById(tx, [row.acting_id])).get(row.acting_id)?.alias ?? '';
    const reason = `来自外出报备：${row.title}`.slice(0, 200);
    const stood = await standFor(tx, {
      from: leader.id,
      to: row.acting_id,
      start: row.start_time,
      end: row.end_time,
      reason,
      source: source(row),
    });
    const kept = { stands: '', own: '；领导已有委托，仍按原委托办理', round: '；委托会绕成一圈，没有设代办' }[stood];
    said.push(`期间由${acting}代行${kept}`);
  }
  const depts = await namedRows<{ id: number }>(
    tx,
    sql`select dept_id id from dept_person where user_id = ${leader.id} and part = 'dept_ld'`,
  );
  const heads = await headsOf(
    tx,
    depts.map((one) => one.id),
  );
  const office = [...(await holdersOf(tx, 'office_admin')), ...(await mainLeaders(tx))];
  const to = [
    ...(await withSecretaries(tx, [leader.id])),
    row.acting_id ?? leader.id,
    ...[...heads, ...office].map((one) => one.id),
  ];
  await announce(tx, leaderNews.TRIP_AWAY, row, { content: said.join('，'), by }, to);
}

/** Ends the delegation of a trip that is cancelled or over. */
export async function endActing(tx: Db, row: Stored, at: Date): Promise<void> {
  await endStanding(tx, source(row), at);
  await withdrawNews(tx, row);
}

/** Moves the delegation along with the time of the trip. */
export async function moveActing(tx: Db, row: Stored, leader: number): Promise<void> {
  if (row.acting_id === null) return;
  const { start_time: start, end_time: end } = row;
  const reason = `来自外出报备：${row.title}`.slice(0, 200);
  if ((await standFor(tx, { from: leader, to: row.acting_id, start, end, reason, source: source(row) })) !== 'stands')
    await endStanding(tx, source(row), houseNow());
}
