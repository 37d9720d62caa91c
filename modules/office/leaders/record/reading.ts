import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { dayAfter, momentOf, momentText } from '#kernel/contract/moment.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { standingOf } from '#modules/workflow/delegations/service/standing.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { isWaiting } from '#modules/platform/waits/service.ts';
import { recordHandlers, type ListAnswer } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { replyWaits } from '../beside/brings.ts';
import { leaderRules } from '../contract/board.ts';
import { replyState, scheduleType } from '../contract/codes.ts';
import { scheduleCalls } from '../contract/schedules.ts';
import { shortWay, type Span } from '../engine/cells.ts';
import { bothAway, source } from '../trips/acting.ts';
import { addressTable, attendTable, changeTable, scheduleTable, leaderSeenTable } from '../tables.ts';
import { canDo } from './offered.ts';
import { attendsOf } from './attends.ts';
import { during } from './clash.ts';
import { runStatusOf, runStatusSql, schedules, type LeaderViewer, type Stored } from './record.ts';
import { fullFor, isOffice, living, sideOf, through } from './visibility.ts';
import { laterOf } from './repeats.ts';
import { columnsOf, writeBeside } from './writing.ts';

const s = scheduleTable;
type Query = QueryOf<typeof scheduleCalls.list>;
const known = <V>(value: V | undefined, condition: (value: V) => SQL) =>
  value === undefined ? undefined : condition(value);
const nobody = { id: 0, username: '', alias: '', dept_id: null, dept_name: '' };

/** The condition of a list. */
async function listOptions(asked: Query, tx: Db, user: Viewer): Promise<ListAnswer> {
  const me = user.id;
  const { category, type_id, start, end, leader, dept, attend_type, run_status, visibility } = asked;
  const where = and(
    category === 'owner' ? eq(s.creator_id, me) : undefined,
    category === 'reply' ? await isWaiting(tx, user, replyWaits, s.id) : undefined,
    category === 'changed' ? sql`${s.changed_at} is not null` : undefined,
    // The office acts for every leader as a secretary does for one.
    category === 'side' && !isOffice(user) ? sideOf(sql`${me}::int`) : undefined,
    category === 'along' ? sql`(${s.contact_id} = ${me} or ${me}::int = any(${s.escort}))` : undefined,
    known(type_id, (one) => eq(s.type_id, one)),
    known(start, (one) => sql`${s.end_time} > ${`${one} 00:00:00`}::timestamptz`),
    known(end, (one) => sql`${s.start_time} < ${`${dayAfter(one, 1)} 00:00:00`}::timestamptz`),
    known(
      leader,
      (one) =>
        sql`exists (select from leader_attend la join app_user u on u.id = la.leader_id where la.schedule_id = ${s.id} and la.state < ${inSql(replyState.declines)} and u.username = ${one})`,
    ),
    known(dept, (one) => eq(s.dept_id, one)),
    known(attend_type, (one) => eq(s.attend_type, one)),
    known(run_status, (one) => sql`${through} and ${runStatusSql} = ${one}`),
    known(visibility, (one) => eq(s.visibility, one)),
  );
  return {
    where,
    sort: { start_time: s.start_time },
    first: 'start_time',
    category: category === 'duty' ? 'duty' : 'all',
  };
}

/** For each schedule, the user names of its leaders with another entry at the same time. */
async function clashesAmong(tx: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await namedRows<{ id: number; who: string[] }>(
    tx,
    sql`select leader_schedule.id, array_agg(distinct u.username::text) who from leader_schedule
      join leader_attend a on a.schedule_id = leader_schedule.id and a.state < ${inSql(replyState.declines)} join app_user u on u.id = a.leader_id
      join leader_attend b on b.leader_id = a.leader_id and b.state < ${inSql(replyState.declines)} and b.schedule_id <> a.schedule_id
      join leader_schedule o on o.id = b.schedule_id and o.act_state in (${inSql(actState.ongoing, actState.finished, actState.finishAsked)}) and o.cancelled_at is null
        and tstzrange(o.start_time, o.end_time) && tstzrange(leader_schedule.start_time, leader_schedule.end_time)
      where ${isAmong(s.id, ids)} and ${living} group by leader_schedule.id`,
  );
  return new Map(rows.map((row) => [row.id, row.who]));
}

/** The fields of rows and pages besides the columns; a fixed number of statements. */
async function shownBeside(
  tx: Db,
  rows: readonly Stored[],
  viewer: LeaderViewer,
  now: Date,
): Promise<Map<number, object>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const attends = await attendsOf(tx, ids);
  const people = await peopleById(
    tx,
    rows.flatMap((row) => [row.creator_id, row.contact_id, row.acting_id]).filter((id) => id !== null),
  );
  const clash = await clashesAmong(tx, ids);
  const { schedule_id, version, user_id } = leaderSeenTable;
  const seen = await tx
    .select({ schedule_id, version })
    .from(leaderSeenTable)
    .where(and(eq(user_id, viewer.user.id), isAmong(schedule_id, ids)));
  const upTo = new Map(seen.map((one) => [one.schedule_id, one.version]));
  const at = momentText(now);
  const card = (id: number | null) => (id === null ? null : (people.get(id) ?? null));
  return new Map(
    rows.map((row) => {
      const leaders_info = attends.get(row.id) ?? [];
      return [
        row.id,
        {
          ...(row.ticket_id === null && { creator_info: card(row.creator_id) ?? nobody }),
          leaders_info,
          contact_info: card(row.contact_id),
          acting_info: card(row.acting_id),
          run_status: runStatusOf(row, at),
          clash: clash.get(row.id) ?? [],
          unseen: row.act_state === actState.finished && (upTo.get(row.id) ?? -1) < row.version,
          can: canDo(row, leaders_info, viewer, at),
        },
      ];
    }),
  );
}

/**
 * Warnings for leaders whose way from the entry before or to the one after is too short. Neighbouring entries are used only if the viewer
 * may fully read them.
 */
export async function shortWays(
  tx: Db,
  user: Viewer,
  leaders: readonly number[],
  span: Span,
  campus: string,
  but: number,
): Promise<string[]> {
  const { travel_minutes: needed } = (await readRules(tx, leaderRules)).value;
  if (campus === '' || leaders.length === 0) return [];
  const around = {
    start_time: momentText(new Date(momentOf(span.start_time).getTime() - needed * 60_000)),
    end_time: momentText(new Date(momentOf(span.end_time).getTime() + needed * 60_000)),
  };
  const near = await tx
    .select({ campus: addressTable.campus, start_time: s.start_time, end_time: s.end_time })
    .from(attendTable)
    .innerJoin(s, eq(s.id, attendTable.schedule_id))
    .innerJoin(addressTable, eq(addressTable.id, s.address_id))
    .where(
      and(
        isAmong(attendTable.leader_id, leaders),
        sql`${attendTable.state} < ${inSql(replyState.declines)}`,
        living,
        fullFor(user),
        during(around),
        sql`${s.id} <> ${but}`,
      ),
    );
  const own = { ...span, campus };
  return near.flatMap((other) => {
    const before = shortWay(other, own, needed);
    const after = shortWay(own, other, needed);
    const gap = before ?? after;
    const which = before === null ? '后' : '前';
    return gap === null ? [] : [`${which}一项日程在另一校区，间隔 ${gap} 分钟，路程约 ${needed} 分钟`];
  });
}
const campusOf = async (tx: Db, id: number | null): Promise<string> =>
  id === null
    ? ''
    : ((await tx.select({ campus: addressTable.campus }).from(addressTable).where(eq(addressTable.id, id)))[0]
        ?.campus ?? '');

async function detailOf(tx: Db, row: Stored, viewer: LeaderViewer, now: Date): Promise<object> {
  const people = await peopleById(tx, [...row.escort, ...row.approvers]);
  const files = await fileCards(tx, row.materials, viewer.user);
  const cards = (ids: readonly number[]) => ids.flatMap((id) => people.get(id) ?? []);
  const going = ((await attendsOf(tx, [row.id])).get(row.id) ?? [])
    .filter((one) => one.state < replyState.declines)
    .map((one) => one.id);
  const rows = await tx
    .select()
    .from(changeTable)
    .where(eq(changeTable.schedule_id, row.id))
    .orderBy(asc(changeTable.id))
    .limit(200);
  const by = await peopleById(
    tx,
    rows.flatMap((change) => change.by ?? []),
  );
  const ahead = row.end_time > momentText(now) && row.cancelled_at === null;
  return {
    escort_info: cards(row.escort),
    approvers_info: cards(row.approvers),
    materials_info: row.materials.flatMap((id) => files.get(id) ?? []),
    changes: rows.map((change) => ({ ...change, by: by.get(change.by ?? 0)?.alias ?? '' })),
    later: (await laterOf(tx, viewer.user, row)).length,
    standing: row.acting_id === null ? null : await standingOf(tx, source(row)),
    travel: ahead
      ? [
          ...(await shortWays(tx, viewer.user, going, row, await campusOf(tx, row.address_id), row.id)),
          ...(row.type_id === scheduleType.trip ? await bothAway(tx, row, going) : []),
        ]
      : [],
  };
}

export const scheduleHandlers = recordHandlers(scheduleCalls, schedules, {
  columns: (tx, input, viewer, before) => columnsOf(tx, input, viewer, before),
  beside: (tx, row, input, viewer, before) => writeBeside(tx, row, input, viewer, before),
  row: shownBeside,
  detail: detailOf,
  // Viewers read what waits for them; in searches they find only schedules that they may fully read.
  list: listOptions,
});
