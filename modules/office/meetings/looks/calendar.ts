import { and, asc, eq, gt, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { occupied } from '#modules/platform/bookings/contract.ts';
import { calendarText, mostEntries, type FeedEntry, type FeedSource } from '#modules/platform/feeds/service.ts';
import { busy } from '#modules/office/leaders/service.ts';
import { holdersOf, peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { mostMeetings, type calendar } from '../contract/calendar.ts';
import { meetStatus, replyState, substituteState } from '../contract/codes.ts';
import { notInState } from '../contract/refusals.ts';
import { meetings, takesPart } from '../record/record.ts';
import { meetTable } from '../tables.ts';
import type { Asked } from '../acts/context.ts';

const m = meetTable;
/** What a meeting is called outside the house, where it is not public. */
const unnamed = '会议（内部）';
const cut = (at: string | null) => (at ?? '').slice(0, 19);
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

/** Those that hold and overlap some time, found in the order of their beginning. */
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
    const next = momentText(new Date(momentOf(`${query.end} 00:00:00`).getTime() + 86_400_000));
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
        ...(!mayOpen && { id: null, title: occupied, host_name: '' }),
      })),
      more: rows.length > mostMeetings,
    };
  },

  /** When people are taken: as whoever was asked and did not decline, or who stands in; as hosts of what is asked for; leaders by their schedules. */
  async busy({ body }: { body: BodyOf<typeof calendar.busy> }, { tx, user }: Asked) {
    const ids = sql.param(body.users);
    const rows = await namedRows<{ user_id: number; start_time: string; end_time: string }>(
      tx,
      sql`
      select who.user_id, m.start_time::text, m.end_time::text from meet m cross join lateral (
        select a.user_id from meet_attendee a where a.meet_id = m.id and a.user_id = any(${ids}::int[]) and a.reply in (${inSql(replyState.none, replyState.comes)})
        union select a.substitute_id from meet_attendee a
          where a.meet_id = m.id and a.substitute_id = any(${ids}::int[]) and a.substitute_state = ${inSql(substituteState.comes)}
        union select m.host_id where m.host_id = any(${ids}::int[])) as who
      where m.act_state in (${inSql(actState.ongoing, actState.finished)}) and m.meet_status in (${inSql(meetStatus.coming, meetStatus.running)}) and not m.is_deleted and m.id <> ${body.exclude_id ?? 0}
        and m.start_time < ${body.end_time}::timestamptz and m.end_time > ${body.start_time}::timestamptz
      order by who.user_id, m.start_time limit 2000`,
    );
    const by = new Map<number, { start_time: string; end_time: string }[]>();
    for (const { user_id, start_time, end_time } of rows)
      by.set(user_id, [...(by.get(user_id) ?? []), { start_time: cut(start_time), end_time: cut(end_time) }]);
    for (const { user_id, ...span } of await leadersBusy(tx, user, body))
      by.set(user_id, [...(by.get(user_id) ?? []), span]);
    return { value: Array.from(by, ([user_id, busy]) => ({ user_id, busy })) };
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

/** What leaders have besides meetings, which are counted already. */
async function leadersBusy(tx: Db, viewer: Viewer, { users, start_time, end_time }: BodyOf<typeof calendar.busy>) {
  const asked = new Map(
    (await holdersOf(tx, 'xld')).flatMap((one) => (users.includes(one.id) ? [[one.username, one.id]] : [])),
  );
  if (asked.size === 0) return [];
  const found = await busy(tx, viewer, [...asked.keys()], start_time, end_time, { besides: 'meetings' });
  return found.map((one) => ({ user_id: asked.get(one.leader)!, start_time: one.start, end_time: one.end }));
}

/** Meetings as they stand in calendars outside: by one number for good, with a version that rises; those that are not public without a title. */
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

/** What somebody was asked to, or has a part in; one that is cancelled is told of for thirty days more. */
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
