import { and, asc, eq, gte, lt, or, sql, type SQL } from 'drizzle-orm';
import { dayAfter, dayOf, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { audienceShown } from '#modules/platform/people/service/audience.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import type { ListOptions, RecordViewer } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { materialsFor, meetStatus, replyState, signState, substituteState } from '../contract/codes.ts';
import { attendeeTable, guestTable, meetTable, topicTable } from '../tables.ts';
import { isInside, isOfOffice, meetChanges, meetings, ofOffice, runsIt, type Meet } from './record.ts';
import { roomNames } from './slot.ts';

const m = meetTable;
const a = attendeeTable;
type Query = Record<string, unknown>;

/** The condition of a list. */
export function narrowed(query: Query, where?: SQL): ListOptions {
  const day = (at: unknown, after: number) => `${dayAfter(String(at), after)} 00:00:00`;
  const same = (key: 'type_id' | 'act_state' | 'meet_status' | 'room_id' | 'dept_id') =>
    typeof query[key] === 'number' ? eq(m[key], query[key]) : undefined;
  const office = query['office_id'];
  return {
    where: and(
      where,
      same('type_id'),
      same('act_state'),
      same('meet_status'),
      same('room_id'),
      same('dept_id'),
      typeof office === 'number'
        ? sql`${m.room_id} in (select id from meet_room where office_id = ${office})`
        : undefined,
      query['start_from'] ? gte(m.start_time, day(query['start_from'], 0)) : undefined,
      query['start_to'] ? lt(m.start_time, day(query['start_to'], 1)) : undefined,
      query['change_pending'] ? changing : undefined,
      // Skipped dates are shown only with their repeat.
      eq(m.skipped, false),
    ),
    sort: { start_time: m.start_time },
  };
}
const changing = sql<boolean>`exists (select from meet_change c where c.record_id = meet.id and not c.is_deleted and c.act_state in (${inSql(actState.draft, actState.ongoing, actState.returned, actState.withdrawn, actState.finishAsked)}))`;

/** Condition: the person was invited, or asked to substitute. */
export const asked = ({ id }: Pick<Viewer, 'id'>): SQL =>
  and(
    eq(m.act_state, actState.finished),
    sql`exists (select from meet_attendee x where x.meet_id = ${m.id} and (x.user_id = ${id} or x.substitute_id = ${id} and x.substitute_state < ${inSql(substituteState.declines)}))`,
  )!;
export function whenIs(when: 'coming' | 'past' | 'today', now: Date): SQL {
  const at = momentText(now);
  const today = sql`${m.start_time} < ${`${dayOf(now)} 24:00:00`}::timestamptz and ${m.end_time} >= ${`${dayOf(now)} 00:00:00`}::timestamptz`;
  const coming = sql`${m.end_time} > ${at}::timestamptz and ${m.meet_status} < ${inSql(meetStatus.over)}`;
  return when === 'today'
    ? sql`${today} and ${m.meet_status} < ${inSql(meetStatus.cancelled)}`
    : when === 'coming'
      ? coming
      : sql`not (${coming})`;
}

const count = (which: SQL) =>
  sql<number>`(select count(*)::int from meet_attendee x where x.meet_id = meet.id and ${which})`;
const comes = sql`(x.reply = ${inSql(replyState.comes)} or x.substitute_state is not distinct from ${inSql(substituteState.comes)})`;

/** The fields of rows besides the columns. A date of a repeat has no ticket of its own and shows the first date's. */
export async function rowsShown(tx: Db, rows: readonly Meet[], { user }: RecordViewer) {
  const ids = rows.map((row) => row.id);
  const found =
    ids.length === 0
      ? []
      : await tx
          .select({
            id: m.id,
            room_name: sql<string>`coalesce((select r.name from meet_room r where r.id = meet.room_id), '')`,
            checkin: sql<number | null>`(select r.auto_release_minutes from meet_room r where r.id = meet.room_id)`,
            asked: count(sql`x.told_at is not null`),
            untold: count(sql`x.told_at is null`),
            coming: count(comes),
            excused: count(sql`x.reply = ${inSql(replyState.excused)}`),
            unanswered: count(sql`x.told_at is not null and not ${comes} and x.reply <> ${inSql(replyState.excused)}`),
            signed: count(sql`x.sign_state in (${inSql(signState.signed, signState.late)})`),
            change_pending: changing,
            office: sql<boolean>`${ofOffice(user)}`,
          })
          .from(m)
          .where(isAmong(m.id, ids));
  const people = await peopleById(
    tx,
    rows.flatMap((row) => [row.creator_id, row.host_id ?? row.creator_id]),
  );
  const depts = await deptNamesById(
    tx,
    rows.flatMap((row) => row.dept_id ?? []),
  );
  const mine = await mineOf(tx, ids, user);
  const byId = new Map(found.map((one) => [one.id, one]));
  return new Map(
    rows.map((row) => {
      const { checkin = null, ...facts } = byId.get(row.id)!;
      const released =
        row.checked_in_at === null && row.meet_status < meetStatus.over && row.start_time !== null ? checkin : null;
      const card = (id: number | null) => (id === null ? null : (people.get(id) ?? null));
      return [
        row.id,
        {
          ...facts,
          host_info: card(row.host_id),
          creator_info: card(row.creator_id),
          dept_name: depts.get(row.dept_id ?? 0) ?? '',
          checkin_until:
            released === null ? null : momentText(new Date(momentOf(row.start_time!).getTime() + released * 60_000)),
          mine: mine.get(row.id) ?? null,
          runs: facts.office || runsIt(row, user),
        },
      ];
    }),
  );
}
/** The user's own seat in the given meetings, as an attendee or as a substitute. */
export async function mineOf(tx: Db, ids: readonly number[], user: Pick<Viewer, 'id'>) {
  if (ids.length === 0) return new Map<number, ReturnType<typeof mineShown>>();
  const rows = await tx
    .select()
    .from(a)
    .where(
      and(
        isAmong(a.meet_id, ids),
        or(
          eq(a.user_id, user.id),
          and(eq(a.substitute_id, user.id), sql`${a.substitute_state} < ${inSql(substituteState.declines)}`),
        ),
      ),
    );
  const people = await peopleById(
    tx,
    rows.flatMap((row) => [row.user_id, row.substitute_id ?? row.user_id]),
  );
  return new Map(
    rows
      .toSorted((one) => (one.user_id === user.id ? 1 : -1))
      .map((row) => [row.meet_id, mineShown(row, user.id, people)]),
  );
}
type People = Awaited<ReturnType<typeof peopleById>>;
type Row = typeof a.$inferSelect;
export function mineShown(row: Row, me: number, people: People) {
  const own = row.user_id === me;
  return {
    role: row.role,
    reply: own ? row.reply : replyState.none,
    reply_reason: own ? row.reply_reason : '',
    substitute_info: people.get(row.substitute_id ?? 0) ?? null,
    substitute_state: row.substitute_state,
    for_info: own ? null : (people.get(row.user_id) ?? null),
    sign_state: row.sign_state,
    sign_time: row.sign_time,
  };
}

/** Attendees with their answers; a substitute is named only after accepting. */
async function attendeesOf(tx: Db, id: number) {
  const rows = await tx
    .select({
      row: a,
      same_device: sql<boolean>`exists (select from meet_attendee other where other.meet_id = meet_attendee.meet_id
        and other.sign_device = meet_attendee.sign_device and other.user_id <> meet_attendee.user_id)`,
    })
    .from(a)
    .where(eq(a.meet_id, id))
    .orderBy(sql`${a.reply} <> ${inSql(replyState.none)}`, asc(a.role), asc(a.user_id))
    .limit(2000);
  const people = await peopleById(
    tx,
    rows.flatMap(({ row }) => [row.user_id, row.substitute_id ?? row.user_id]),
  );
  return rows.map(({ row, same_device }) => ({
    ...row,
    same_device,
    user_info: people.get(row.user_id)!,
    substitute_info: row.substitute_state === substituteState.comes ? (people.get(row.substitute_id!) ?? null) : null,
  }));
}

/** The page of a meeting: agenda, files and guests; answers for those who run it. */
export async function detailShown(tx: Db, row: Meet, viewer: RecordViewer) {
  const office = await isOfOffice(tx, viewer.user, row.id);
  const { user } = viewer;
  const runs = runsIt(row, user) || office;
  const inside = runs || (await isInside(tx, viewer, row));
  const files = inside || row.materials_acl === materialsFor.viewers;
  const topics = await tx.select().from(topicTable).where(eq(topicTable.meet_id, row.id)).orderBy(asc(topicTable.no));
  const cards = files
    ? await fileCards(tx, [...row.materials, ...topics.flatMap((one) => one.files)], user)
    : new Map();
  const people = await peopleById(
    tx,
    [row.contact_id, row.recorder_id, ...row.observers].flatMap((one) => one ?? []),
  );
  const shown = (ids: readonly number[]) => ids.flatMap((one) => cards.get(one) ?? []);
  return {
    contact_info: people.get(row.contact_id ?? 0) ?? null,
    recorder_info: people.get(row.recorder_id ?? 0) ?? null,
    observers_info: row.observers.flatMap((one) => people.get(one) ?? []),
    audience: await audienceShown(tx, row.audience),
    // The online address is for participants only.
    online_url: inside ? row.online_url : '',
    guests: inside
      ? await tx.select().from(guestTable).where(eq(guestTable.meet_id, row.id)).orderBy(asc(guestTable.id))
      : [],
    topics: topics.map((one) => ({ ...one, files: files ? one.files : [], files_info: shown(one.files) })),
    materials: files ? row.materials : [],
    materials_info: shown(row.materials),
    change: inside ? await changeShown(tx, row, viewer) : null,
    attendees: runs ? await attendeesOf(tx, row.id) : null,
  };
}

async function changeShown(tx: Db, row: Meet, viewer: RecordViewer) {
  const change = (await meetChanges.pendingOf(tx, [row.id])).get(row.id);
  if (!change) return null;
  const next = { ...row, ...(change.becomes as Partial<Meet>) };
  const rooms = await roomNames(tx, [next.room_id]);
  return {
    id: change.id,
    ticket_id: change.ticket_id,
    act_state: change.act_state,
    start_time: next.start_time!,
    end_time: next.end_time!,
    room_id: next.room_id,
    room_name: rooms.get(next.room_id ?? 0) ?? '',
    reason: change.reason,
    actions: await meetChanges.ticketActions(tx, viewer, change),
  };
}

/** A change as its approver reads it, with its ticket. */
export async function changeDetail(tx: Db, user: Viewer, id: number) {
  const viewer = await meetChanges.viewerOf(tx, user);
  const change = await meetChanges.requireVisible(tx, viewer, id);
  const meet = (await meetings.one(tx, change.record_id))!;
  const as = { was: change.was, becomes: change.becomes } as Record<'was' | 'becomes', Partial<Meet>>;
  const [now, then] = [
    { ...meet, ...as.was },
    { ...meet, ...as.becomes },
  ];
  const rooms = await roomNames(tx, [now.room_id, then.room_id]);
  const shown = ({ start_time, end_time, room_id, location }: Meet) => ({
    start_time: start_time!,
    end_time: end_time!,
    room_name: rooms.get(room_id ?? 0) ?? location,
  });
  return {
    ...(await meetChanges.approvals(tx, viewer, [change])).get(id)!,
    ...change,
    ticket_id: change.ticket_id!,
    title: `变更：${meet.title}`,
    meet_id: meet.id,
    was: shown(now),
    becomes: shown(then),
    actions: await meetChanges.ticketActions(tx, viewer, change),
  };
}
