import { and, asc, eq, gt, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { occupied } from '#modules/platform/bookings/contract.ts';
import { calendarText, mostEntries, type FeedEntry, type FeedSource } from '#modules/platform/feeds/service.ts';
import {
  busyTimes,
  freeFor,
  lookUntil,
  mostTaken,
  type BusySource,
  type Taken,
} from '#modules/platform/calendars/service/busy.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { mostMeetings, type calendar } from '../contract/calendar.ts';
import { meetStatus, replyState, substituteState } from '../contract/codes.ts';
import { notInState } from '../contract/refusals.ts';
import { meetings, module, movableBy, takesPart } from '../record/record.ts';
import { meetTable } from '../tables.ts';
import type { Asked } from '../acts/context.ts';

const m = meetTable;
/** The title outside the house of a meeting that is not public. */
const unnamed = '会议（内部）';
const ofRoom = (column: SQL) => sql<string>`(select ${column} from meet_room r where r.id = meet.room_id)`;
const place = sql<string>`concat_ws(' ', nullif(${ofRoom(sql`r.building`)}, ''), coalesce(${ofRoom(sql`r.name`)}, nullif(meet.location, ''), '线上'))`;

async function roomNames(tx: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const asked = [...new Set(ids)].filter((id) => id !== null);
  if (asked.length === 0) return new Map();
  const rows = await namedRows<{ id: number; name: string }>(
    tx,
    sql`select id, name from meet_room where id = any(${sql.param(asked)}::int[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Meetings that overlap the interval, found by the index on their start. */
const during = (from: string, to: string) =>
  and(
    eq(m.is_deleted, false),
    sql`${m.start_time} > ${from}::timestamptz - meet_longest()`,
    lt(m.start_time, sql`${to}::timestamptz`),
    gt(m.end_time, sql`${from}::timestamptz`),
  );

export const calendarHandlers = {
  async calendar({ query }: { query: QueryOf<typeof calendar.calendar> }, { tx, user }: Asked) {
    const viewer = await meetings.viewerOf(tx, user);
    const part = takesPart(user);
    const scoped: Record<typeof query.scope, SQL | undefined> = {
      mine: part,
      dept: or(inArray(m.dept_id, [...user.places]), part),
      all: undefined,
    };
    const seen = meetings.visible(tx, viewer);
    const next = `${dayAfter(query.end, 1)} 00:00:00`;
    const rows = await tx
      .select({
        id: m.id,
        title: m.title,
        start_time: m.start_time,
        end_time: m.end_time,
        room_id: m.room_id,
        host_id: m.host_id,
        act_state: m.act_state,
        meet_status: m.meet_status,
        version: m.version,
        movable: movableBy(user),
        mine: sql<boolean>`coalesce(${part}, false)`,
        seen: sql<boolean>`coalesce(${seen}, false)`,
      })
      .from(m)
      .where(
        and(
          during(`${query.start} 00:00:00`, next),
          inArray(m.act_state, [actState.ongoing, actState.finished]),
          ne(m.meet_status, meetStatus.cancelled),
          scoped[query.scope],
          query.room_id === undefined ? undefined : eq(m.room_id, query.room_id),
          query.office_id === undefined ? undefined : sql`${ofRoom(sql`r.office_id`)} = ${query.office_id}`,
        ),
      )
      .orderBy(asc(m.start_time), asc(m.id))
      .limit(mostMeetings + 1);
    const [rooms, hosts] = await Promise.all([
      roomNames(
        tx,
        rows.map((row) => row.room_id),
      ),
      peopleById(
        tx,
        rows.flatMap((row) => row.host_id ?? []),
      ),
    ]);
    return {
      value: rows.slice(0, mostMeetings).map(({ seen: mayOpen, start_time, end_time, room_id, host_id, ...row }) => ({
        ...row,
        start_time: start_time!,
        end_time: end_time!,
        room_name: rooms.get(room_id!) ?? '',
        host_name: hosts.get(host_id!)?.alias ?? '',
        ...(!mayOpen && { id: null, title: occupied, host_name: '', movable: false, version: 0 }),
      })),
      more: rows.length > mostMeetings,
    };
  },

  /** Busy times of people in all modules, and the first common free times. */
  async busy({ body }: { body: BodyOf<typeof calendar.busy> }, { tx, user, now }: Asked) {
    const { users, start_time, end_time, suggest, exclude_id: id } = body;
    const asked = suggest
      ? { from: `${start_time.slice(0, 10)} 00:00:00`, to: lookUntil(end_time) }
      : { from: start_time, to: end_time };
    const except = id === undefined ? undefined : { module, id };
    const taken = await busyTimes(tx, { viewer: user, users, except, ...asked });
    const then = Map.groupBy(
      taken.filter((one) => one.start_time < end_time && one.end_time > start_time),
      (one) => one.user_id,
    );
    const people = await peopleById(tx, users);
    return {
      value: users.flatMap((user_id) => {
        const alias = people.get(user_id)?.alias;
        const busy = (then.get(user_id) ?? []).map(({ user_id: _of, ...span }) => span);
        return alias === undefined ? [] : [{ user_id, alias, busy }];
      }),
      free: suggest ? await freeFor(tx, { start_time, end_time }, taken, now) : [],
    };
  },

  async ics({ params }: { params: { id: number } }, { tx, user, services }: Asked) {
    const row = await meetings.requireVisible(tx, await meetings.viewerOf(tx, user), params.id);
    if (!row.start_time || !actState.is(row.act_state, actState.finished))
      throw notInState(meetings.stateOf(row), '下载', '已通过的会议可以下载');
    const [entry] = await entriesOf(tx, user, eq(m.id, row.id));
    const text = calendarText({
      name: entry!.title,
      origin: services.publicUrl(),
      entries: [{ ...entry!, key: 'meetings' }],
    });
    return { type: 'text/calendar; charset=utf-8', bytes: Buffer.from(text), name: `${row.title}.ics` };
  },
};

/** Busy times by meetings: of people who were invited and did not decline, of substitutes, and of hosts of meetings in review. */
export const meetingsBusy: BusySource = async (tx, { viewer, users, from, to, except }) => {
  const ids = sql.param([...users]);
  const seen = meetings.visible(tx, await meetings.viewerOf(tx, viewer));
  const rows = await namedRows<Taken>(
    tx,
    sql`
    select who.user_id, left(meet.start_time::text, 19) start_time, left(meet.end_time::text, 19) end_time,
      case when ${seen} then meet.title end label
    from meet cross join lateral (
      select a.user_id from meet_attendee a where a.meet_id = meet.id and a.user_id = any(${ids}::int[]) and a.reply in (${inSql(replyState.none, replyState.comes)})
      union select a.substitute_id from meet_attendee a
        where a.meet_id = meet.id and a.substitute_id = any(${ids}::int[]) and a.substitute_state = ${inSql(substituteState.comes)}
      union select meet.host_id where meet.host_id = any(${ids}::int[])
        and not exists (select from meet_attendee a where a.meet_id = meet.id and a.user_id = meet.host_id and a.reply > ${inSql(replyState.comes)})) as who
    where meet.act_state in (${inSql(actState.ongoing, actState.finished)}) and meet.meet_status in (${inSql(meetStatus.coming, meetStatus.running)}) and not meet.is_deleted
      and meet.id <> ${except?.module === module ? except.id : 0}
      and meet.start_time > ${from}::timestamptz - meet_longest()
      and meet.start_time < ${to}::timestamptz and meet.end_time > ${from}::timestamptz
    order by who.user_id, meet.start_time limit ${mostTaken}`,
  );
  return rows;
};

/** Meetings for external calendars: with a fixed uid and a rising version; without a title if not public. */
async function entriesOf(tx: Db, { id }: Pick<Viewer, 'id'>, where: SQL | undefined): Promise<FeedEntry[]> {
  const declined = sql<boolean>`exists (select from meet_attendee a where a.meet_id = meet.id and a.user_id = ${id} and a.reply > ${inSql(replyState.comes)})`;
  const rows = await tx
    .select({ row: m, place, declined })
    .from(m)
    .where(and(eq(m.act_state, actState.finished), eq(m.is_deleted, false), where))
    .orderBy(asc(m.start_time), asc(m.id))
    .limit(mostEntries + 1);
  return rows.map(({ row, place: at, declined: free }) => ({
    id: row.id,
    title: row.is_public ? row.title : unnamed,
    ownTitle: row.title,
    start: row.start_time!,
    end: row.end_time!,
    version: row.version,
    modified: row.gmt_modified,
    place: at,
    path: `/meet/detail/${row.id}`,
    cancelled: row.meet_status === meetStatus.cancelled,
    free,
  }));
}

/** Meetings to which the person was invited or in which they have a part; a cancelled one stays for thirty days. */
export const meetingFeed: FeedSource = {
  name: '会议',
  entries: (tx: Db, viewer: Viewer, from: string, to: string) =>
    entriesOf(
      tx,
      viewer,
      and(
        eq(m.skipped, false),
        during(`${from} 00:00:00`, `${to} 24:00:00`),
        takesPart(viewer),
        or(ne(m.meet_status, meetStatus.cancelled), sql`${m.gmt_modified} > now() - interval '30 days'`),
      ),
    ),
};
