import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import { dayAfter, dayOf, momentText, mondayOf } from '#kernel/contract/moment.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { BoardEntry, boardCalls, Printed, Snapshot } from '../contract/board.ts';
import { attendType, busyWord, replyState, timeText, trip, visibleTo, type Half } from '../contract/codes.ts';
import { clashing, halvesOf, type Span } from '../engine/cells.ts';
import { allLeaders } from '../record/attends.ts';
import { actsFor, busyFor, fullFor, isOffice, reachesAll, through } from '../record/visibility.ts';
import { scheduleTable, leaderSeenTable, weekTable } from '../tables.ts';

const s = scheduleTable;
export interface Found extends Printed {
  version: number;
  full: boolean;
  cancelled: boolean;
  changed_at: string | null;
  source_module: string;
  act_state: number;
  /** True if the viewer acts for all of its leaders. */
  own_side: boolean;
  /** The answer of each leader. */
  states: Record<number, number>;
  seen: number | null;
}
export const weekOf = (monday: string): Span => ({
  start_time: `${monday} 00:00:00`,
  end_time: `${dayAfter(monday, 7)} 00:00:00`,
});

/**
 * Entries in leaders' time between two moments; those the viewer may not read come without number, words, place and people. One statement.
 * `also` narrows the entries that may be read.
 */
export async function entriesFor(tx: Db, user: Viewer, span: Span, also = sql`true`): Promise<Found[]> {
  const full = sql`((${fullFor(user)}) is true)`;
  const rows = await namedRows<Found>(
    tx,
    sql`select leader_schedule.id, type_id, leader_schedule.version, left(start_time::text, 19) start_time, left(end_time::text, 19) end_time, all_day, title,
      address, attend_type, visibility, ${full} as full, cancelled_at is not null as cancelled, left(changed_at::text, 19) changed_at,
      source_module, act_state, attend.own_side is true own_side, coalesce(attend.leaders, '{}') leaders, attend.states,
      coalesce(deputy.alias, '') acting, seen.version seen
    from leader_schedule left join leader_seen seen on seen.schedule_id = leader_schedule.id and seen.user_id = ${user.id}
    left join (select id, alias from app_user) deputy on deputy.id = acting_id
    cross join lateral (
      select bool_and(leader_id = any(${actsFor(sql`${user.id}::int`)})) filter (where state < ${inSql(replyState.declines)}) own_side,
        array_agg(leader_id order by leader_id) filter (where state < ${inSql(replyState.declines)}) leaders, jsonb_object_agg(leader_id, state) states
      from leader_attend where schedule_id = leader_schedule.id) attend
    where tstzrange(start_time, end_time) && tstzrange(${span.start_time}::timestamptz, ${span.end_time}::timestamptz)
      and ${through} and ${also} and (${busyFor(user)} or ${full})
    order by start_time, leader_schedule.id limit 3000`,
  );
  return rows.map((row) => (row.full ? row : masked(row)));
}

/** The entry with only the fact that the leader is busy; of a trip, that they are away and who acts. */
const masked = (row: Found): Found => ({
  ...row,
  title: row.type_id === trip ? '外出' : busyWord,
  address: '',
  attend_type: attendType.other,
  source_module: '',
  // Its visibility and its version are hidden, too.
  visibility: visibleTo.own,
  version: 0,
  changed_at: null,
});

/** The last publication of a week, and who made it. */
export async function publishedOf(tx: Db, monday: string) {
  const [row] = await tx
    .select({
      week: weekTable.week,
      version: weekTable.version,
      published_at: weekTable.published_at,
      published_by: sql<string>`(select alias from app_user where id = ${weekTable.published_by})`,
      snapshot: weekTable.snapshot,
    })
    .from(weekTable)
    .where(eq(weekTable.week, monday))
    .orderBy(desc(weekTable.version))
    .limit(1);
  return row ?? null;
}

/** The published words of an entry that have changed since; null if it is unchanged, empty if it was not published. */
function wasOf(before: Printed | undefined, row: Found, names: ReadonlyMap<number, string>): string | null {
  if (!before) return '';
  const parts: string[] = [];
  if (timeText(before) !== timeText(row)) parts.push(timeText(before));
  if (before.visibility < visibleTo.own && row.visibility < visibleTo.own) {
    if (before.title !== row.title) parts.push(before.title);
    if (before.address !== row.address) parts.push(before.address || '未填地点');
  }
  if (before.leaders.join() !== row.leaders.join())
    parts.push(before.leaders.map((id) => names.get(id) ?? '').join('、'));
  if (row.cancelled) parts.push('已取消');
  return parts.length > 0 ? `原为 ${parts.join('，')}` : null;
}

/** The changes of a week since its publication, by entry: the words published, `新增` if there were none. */
export function changesSince(snapshot: Snapshot, rows: readonly Found[]): Map<number, string> {
  const before = new Map(snapshot.entries.map((one) => [one.id, one]));
  const names = new Map(snapshot.leaders.map((one) => [one.id, one.alias]));
  return new Map(
    rows.flatMap((row) => {
      const known = before.get(row.id);
      if (row.cancelled && !known) return [];
      const was = wasOf(known, row, names);
      return was === null ? [] : [[row.id, was || '新增'] as const];
    }),
  );
}

type Asked = Pick<Context, 'tx' | 'now' | 'afterReading'> & { user: Viewer };
/** The week of a day: leaders, days and parts of days, with each entry in all parts it touches. Marks what it returns as seen. */
export async function board({ tx, user, now, afterReading }: Asked, { date, mine }: QueryOf<typeof boardCalls.board>) {
  const monday = mondayOf(date ?? dayOf(now));
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
  const known = mine ? and(or(isAmong(s.dept_id, user.depts), eq(s.creator_id, user.id)), fullFor(user)) : undefined;
  const office = reachesAll(user, 'chuli');
  const [leaders, rows, published, calendar, duty, pending] = await Promise.all([
    allLeaders(tx),
    entriesFor(tx, user, weekOf(monday), known),
    publishedOf(tx, monday),
    calendarOf(tx),
    tx.services.product.onDuty?.(tx, days[0]!, days[6]!) ?? [],
    office ? pendingIn(tx, monday) : 0,
  ]);
  const since = published
    ? changesSince(
        published.snapshot,
        rows.filter((row) => row.full),
      )
    : new Map<number, string>();
  // A cancelled entry stays visible if it was published.
  const told = new Set(published?.snapshot.entries.map((one) => one.id));
  const shown = rows.filter((row) => !row.cancelled || told.has(row.id));
  const living = shown.filter((row) => !row.cancelled);
  const clash = new Map([...clashing(living)].map(([place, who]) => [living[place]!.id, [...who]]));
  const [at, leads] = [momentText(now), isOffice(user)];
  const entries = shown.map(({ full, states, seen, leaders: _of, act_state, own_side, ...row }): BoardEntry => {
    const was = full ? since.get(row.id) : undefined;
    return {
      ...row,
      id: full ? row.id : null,
      waiting: full
        ? Object.keys(states)
            .map(Number)
            .filter((id) => states[id] === 0)
        : [],
      masked: !full,
      clash: clash.get(row.id) ?? [],
      unseen: full && (seen ?? -1) < row.version,
      can_move:
        full &&
        (own_side || leads) &&
        act_state === actState.finished &&
        !row.cancelled &&
        row.source_module === '' &&
        row.end_time > at,
      changed_at: was === undefined ? null : (row.changed_at ?? published!.published_at),
      was: was ?? '',
    };
  });
  const unseen = shown.filter((row) => row.full && (row.seen ?? -1) < row.version);
  if (unseen.length > 0) afterReading((write) => markSeen(write, user.id, unseen));
  return {
    days: days.map((day) => ({ date: day, works: calendar.works(day) })),
    leaders: leaders.map((leader) => ({ ...leader, cells: cellsOf(leader.id, shown, days) })),
    entries,
    duty,
    published: published && { ...published, changes: since.size },
    clashes: office ? clash.size : 0,
    pending,
    can_publish: office,
    can_print_all: reachesAll(user, 'Retrieve'),
  };
}

function cellsOf(leader: number, rows: readonly Found[], days: readonly string[]) {
  const empty = (): Record<Half, number[]> => ({ am: [], pm: [], night: [] });
  const cells = Object.fromEntries(days.map((day) => [day, empty()]));
  for (const [place, row] of rows.entries())
    if (row.leaders.includes(leader))
      for (const { day, half } of halvesOf(row, days[0]!, days.at(-1)!)) cells[day]![half].push(place);
  return cells;
}

async function pendingIn(tx: Db, monday: string): Promise<number> {
  const { start_time, end_time } = weekOf(monday);
  const [row] = await namedRows<{ count: number }>(
    tx,
    sql`select count(*)::int count from leader_schedule where act_state = ${inSql(actState.ongoing)} and tstzrange(start_time, end_time) && tstzrange(${start_time}::timestamptz, ${end_time}::timestamptz)`,
  );
  return row!.count;
}

/** Marks the shown entries as seen, each in its version. */
export async function markSeen(
  tx: Db,
  person: number,
  rows: readonly { id: number; version: number }[],
): Promise<void> {
  const { user_id, schedule_id, version } = leaderSeenTable;
  const values = rows.map((row) => ({ user_id: person, schedule_id: row.id, version: row.version }));
  await tx
    .insert(leaderSeenTable)
    .values(values)
    .onConflictDoUpdate({
      target: [user_id, schedule_id],
      set: { version: sql`greatest(${version}, excluded.version)` },
    });
}

/** The number of entries of this week and later that are new to the user or changed since they saw them, by type. */
export async function redpoint({ tx, user, now }: Pick<Asked, 'tx' | 'user' | 'now'>) {
  const from = `${mondayOf(dayOf(now))} 00:00:00`;
  const rows = await namedRows<{ type_id: number; count: number }>(
    tx,
    sql`select type_id, count(*)::int count from leader_schedule left join leader_seen seen on seen.schedule_id = leader_schedule.id and seen.user_id = ${user.id}
      where start_time >= ${from}::timestamptz and start_time < ${from}::timestamptz + interval '60 days' and ${through} and ${isNull(s.cancelled_at)}
        and (${fullFor(user)}) and coalesce(seen.version, -1) < leader_schedule.version and creator_id <> ${user.id} group by type_id`,
  );
  const of = (type: number) => rows.find((row) => row.type_id === type)?.count ?? 0;
  return { total: of(1) + of(3), type: { 1: of(1), 2: 0, 3: of(3) } };
}
