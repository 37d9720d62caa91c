import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { and, eq, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { endTicket } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { busyWord, replyState, scheduleType, timeText, trip, visibleTo } from './contract/codes.ts';
import type { DutyRow } from './contract/board.ts';
import type { Busy } from './contract/schedules.ts';
import { entriesFor } from './board/board.ts';
import { allLeaders, attendsOf, leadersNamed, setAttends, writeAnswers, type SourceAnswer } from './record/attends.ts';
import { lockLeaders, takenBy } from './record/clash.ts';
import { recordChange, tellChanged } from './record/actions.ts';
import { changeText, hearersOf, leaderNews } from './record/news.ts';
import { schedules, type LeaderViewer, type Stored } from './record/record.ts';
import { living } from './record/visibility.ts';
import { columnsOf, spanOf, writeBeside } from './record/writing.ts';
import { attendTable, scheduleTable, sourceTable } from './tables.ts';

/** Returns the people on duty on the given days. */
export type OnDuty = (tx: Db, from: string, to: string) => Promise<DutyRow[]>;

/** The record of another module that an entry follows, and the address of its page. */
export interface Source {
  module: string;
  id: number;
  path?: string;
}
export { followAnswers } from './record/answers.ts';
export type { Answered, Followed, SourceAnswer } from './record/attends.ts';

export interface Kept {
  source: Source;
  /** Rises with each change of the source; an older version is ignored. */
  version: number;
  /** The user who acted in the source module. */
  by: number;
  /** Ids of leaders. */
  leaders: readonly number[];
  /** The answers, if the source holds them itself; those of all `leaders` and of leaders who sent one of these instead. */
  answers?: readonly SourceAnswer[];
  start: string;
  end: string;
  title: string;
  place?: string;
  visibility?: 1 | 2 | 3;
  dept_id?: number | null;
}

/** Entries made for another module: the operation log has that module's own call. */
const noOrigin = { ip: '', userAgent: '', traceId: '' };

/** True if the version is the newest of a source so far; others wait until this transaction ends. */
async function isNews(tx: Db, { module, id }: Source, version: number): Promise<boolean> {
  const rows = await tx
    .insert(sourceTable)
    .values({ module, source_id: id, version })
    .onConflictDoUpdate({
      target: [sourceTable.module, sourceTable.source_id],
      set: { version },
      setWhere: sql`${sourceTable.version} < excluded.version`,
    })
    .returning({ version: sourceTable.version });
  return rows.length > 0;
}
const bySource = async (tx: Db, { module, id }: Source) => {
  const [found] = await tx
    .select({ id: scheduleTable.id })
    .from(scheduleTable)
    .where(and(eq(scheduleTable.source_module, module), eq(scheduleTable.source_id, id)));
  return found && (await schedules.one(tx, found.id));
};

/**
 * Puts a record of another module into the leaders' schedules, or moves it there. It counts as approved, and clashes with other entries are
 * marked, not refused. Returns the entry's id; null if a newer version was kept already.
 */
export async function keep(tx: Db, kept: Kept, now = houseNow()): Promise<number | null> {
  const { source, version, by, leaders, answers, start, end, title, place = '', dept_id = null } = kept;
  if (!(await isNews(tx, source, version))) return null;
  const span = spanOf({ start_time: start, end_time: end, all_day: false });
  await lockLeaders(tx, leaders);
  const before = await bySource(tx, source);
  const clash = await takenBy(tx, leaders, span, by, before?.id ?? 0);
  const columns = {
    title,
    ...span,
    address: place,
    forced_by: clash.length > 0 ? by : null,
    cancelled_at: null,
    cancel_reason: '',
  };
  changed(tx, 'leader', [everybody]);
  const attend = (schedule: number) =>
    answers
      ? writeAnswers(tx, schedule, answers, { by, at: momentText(now) })
      : setAttends(tx, schedule, leaders, new Set());
  if (!before) {
    const own = {
      creator_id: by,
      dept_id,
      act_state: actState.finished,
      visibility: kept.visibility ?? visibleTo.everybody,
      source_module: source.module,
      source_id: source.id,
      source_path: source.path ?? '',
    };
    const search = searchVector({ codes: [], texts: [title, place] });
    const [made] = await tx
      .insert(scheduleTable)
      .values({ ...columns, ...own, search })
      .returning({ id: scheduleTable.id });
    await attend(made!.id);
    const row = (await schedules.one(tx, made!.id))!;
    await announce(tx, leaderNews.LEADER_NEW, row, { content: timeText(row), by }, await hearersOf(tx, row));
    return row.id;
  }
  const attends = async () => (await attendsOf(tx, [before.id])).get(before.id) ?? [];
  const was = await attends();
  const stay = was.filter((one) => one.state !== replyState.passesOn).map((one) => one.id);
  const same = { title, ...span, address: place };
  const asItWas =
    before.cancelled_at === null &&
    Object.entries(same).every(([key, value]) => before[key as keyof Stored] === value) &&
    stay.length === new Set(leaders).size &&
    stay.every((id) => leaders.includes(id));
  // The visibility that the leaders chose here stays.
  if (answers || !asItWas) await attend(before.id);
  if (asItWas) return before.id;
  const after = await schedules.set(tx, before, {
    ...columns,
    ...(dept_id === null ? {} : { dept_id }),
    changed_at: momentText(now),
  });
  const facts = (row: Stored, names: string[]) => ({
    事项: row.title,
    时间: timeText(row),
    地点: row.address,
    领导: names.join('、'),
    状态: row.cancelled_at ? '已取消' : '',
  });
  const aliases = (of: typeof was) => of.filter((one) => one.state < replyState.declines).map((one) => one.alias);
  const names = { before: aliases(was), after: aliases(await attends()) };
  const change = { before: facts(before, names.before), after: facts(after, names.after), by, kind: 'source' };
  if (await recordChange(tx, change, before.id))
    await tellChanged(
      { tx, by, now },
      after,
      'LEADER_CHANGED',
      changeText(before, after),
      was.map((one) => one.id),
    );
  return before.id;
}

/** The time of one record among several of a module, with its version. */
export type KeptDate = Pick<Kept, 'source' | 'version' | 'start' | 'end'>;

/**
 * The same for several records that differ only in time and were not kept before, such as the dates of a repeat: as many statements as for
 * one, and one message per person. Returns those kept now.
 */
export async function keepDates(
  tx: Db,
  { by, leaders, title, place = '', dept_id = null, visibility = visibleTo.everybody }: Omit<Kept, keyof KeptDate>,
  dates: readonly KeptDate[],
): Promise<ReadonlySet<number>> {
  const asked = JSON.stringify(
    dates.map(({ source, version, start: start_time, end: end_time }) => ({
      ...source,
      version,
      ...spanOf({ start_time, end_time, all_day: false }),
    })),
  );
  const shape = sql`(module text, id int, path text, version int, start_time timestamptz, end_time timestamptz)`;
  await lockLeaders(tx, leaders);
  const search = searchVector({ codes: [], texts: [title, place] });
  const ids = sql`${sql.param([...leaders])}::int[]`;
  const { rows } = await tx.execute<{ id: number; source_id: number }>(sql`
    with asked as (select * from jsonb_to_recordset(${asked}::jsonb) w${shape}),
    news as (
      insert into leader_source (module, source_id, version) select module, id, version from asked
      on conflict (module, source_id) do nothing returning source_id),
    made as (
      insert into leader_schedule (title, address, start_time, end_time, creator_id, dept_id, act_state, visibility,
        source_module, source_id, source_path, search, forced_by)
      select ${title}, ${place}, start_time, end_time, ${by}::int, ${dept_id}::int, 4, ${visibility}::smallint,
        module, id, coalesce(path, ''), ${search}::tsvector,
        case when exists (select from leader_schedule join leader_attend a on a.schedule_id = leader_schedule.id
          where a.leader_id = any(${ids}) and a.state < ${inSql(replyState.declines)} and ${living}
            and tstzrange(leader_schedule.start_time, leader_schedule.end_time) && tstzrange(asked.start_time, asked.end_time))
          then ${by}::int end
      from asked where id in (select source_id from news)
      returning id, source_id, start_time),
    going as (insert into leader_attend (schedule_id, leader_id, state) select made.id, leader, 0 from made cross join unnest(${ids}) leader)
    select id, source_id from made order by start_time`);
  if (rows.length === 0) return new Set();
  changed(tx, 'leader', [everybody]);
  const first = (await schedules.one(tx, rows[0]!.id))!;
  const said = rows.length === 1 ? timeText(first) : `共 ${rows.length} 次，首次 ${timeText(first)}`;
  await announce(tx, leaderNews.LEADER_NEW, first, { content: said, by }, await hearersOf(tx, first));
  return new Set(rows.map((row) => row.source_id));
}

/** Removes the entry of a record that does not take place, and withdraws its pending messages. */
export async function withdraw(
  tx: Db,
  source: Source,
  version: number,
  { by = null, reason = '来源已取消' }: { by?: number | null; reason?: string } = {},
  now = houseNow(),
): Promise<void> {
  if (!(await isNews(tx, source, version))) return;
  const row = await bySource(tx, source);
  if (!row || row.cancelled_at !== null) return;
  // It is still in review, so its approvers are no longer asked.
  if (!actState.is(row.act_state, actState.finished, actState.finishAsked)) {
    const user = by === null ? null : ((await peopleById(tx, [by])).get(by) ?? null);
    if (row.ticket_id !== null) await endTicket({ tx, user, origin: noOrigin, now }, row.ticket_id, reason);
    return;
  }
  const at = momentText(now);
  const after = await schedules.set(tx, row, { cancelled_at: at, cancel_reason: reason.slice(0, 200), changed_at: at });
  await recordChange(tx, { before: {}, after: {}, by, kind: 'cancel', reason }, row.id);
  await tellChanged({ tx, by, now }, after, 'LEADER_CANCELLED', `${timeText(row)} 取消：${reason}`);
}

/**
 * Asks for leaders' time in somebody's name, as their department would: a schedule in review; clashes are marked, not refused. Returns the
 * entry's id, also that of an earlier request; null if there is nobody to ask.
 */
export async function propose(
  context: Writing,
  { leaders, source, version, start, end, title, place = '', visibility = visibleTo.everybody }: Omit<Kept, 'by'>,
): Promise<number | null> {
  const { tx, user } = context;
  const known = await bySource(tx, source);
  if (known) {
    await keep(tx, { leaders, source, version, start, end, title, place, visibility, by: user.id }, context.now);
    return known.id;
  }
  const asked = (await allLeaders(tx)).filter((one) => leaders.includes(one.id));
  if (asked.length === 0 || !(await isNews(tx, source, version))) return null;
  const viewer: LeaderViewer = await schedules.viewerOf(tx, user);
  const input = {
    leaders: asked.map((one) => one.username),
    title,
    start_time: start,
    end_time: end,
    all_day: false,
    address: place,
    visibility,
    type_id: scheduleType.usual,
  };
  const ids = asked.map((one) => one.id);
  await lockLeaders(tx, ids);
  const clash = await takenBy(tx, ids, spanOf({ start_time: start, end_time: end, all_day: false }), user.id);
  const columns = {
    ...(await columnsOf(tx, input, viewer, null)),
    forced_by: clash.length > 0 ? user.id : null,
    source_module: source.module,
    source_id: source.id,
    source_path: source.path ?? '',
  };
  const made = await schedules.create(context, columns, { submit: true }, (row) =>
    writeBeside(tx, row, input, viewer, null).then(() => undefined),
  );
  return made.id!;
}

/** Answers of leaders to records of another module, in words, by the record's id; each leader once. */
export async function answersTo(tx: Db, module: string, ids: readonly number[]): Promise<Map<number, Answer[]>> {
  const rows = await tx
    .select({
      source: scheduleTable.source_id,
      id: scheduleTable.id,
      act_state: scheduleTable.act_state,
      cancelled_at: scheduleTable.cancelled_at,
      leader: attendTable.leader_id,
      reply: attendTable.state,
    })
    .from(scheduleTable)
    .innerJoin(attendTable, eq(attendTable.schedule_id, scheduleTable.id))
    .where(and(eq(scheduleTable.source_module, module), isAmong(scheduleTable.source_id, ids)))
    .orderBy(attendTable.leader_id);
  const found = new Map<number, Answer[]>();
  for (const { source, id, leader, ...row } of rows) {
    const declined =
      row.act_state === actState.returned || row.reply === replyState.declines || row.reply === replyState.passesOn;
    found.set(source!, [...(found.get(source!) ?? []), { schedule_id: id, leader, declined, words: wordsOf(row) }]);
  }
  return found;
}
export interface Answer {
  schedule_id: number;
  leader: number;
  /** True if refused or not coming. */
  declined: boolean;
  words: string;
}
const wordsOf = (row: { act_state: number; cancelled_at: string | null; reply: number }) => {
  if (row.cancelled_at !== null) return '已取消';
  if (row.act_state === actState.ongoing) return '待确认';
  if (row.act_state === actState.returned) return '未同意';
  return actState.is(row.act_state, actState.finished, actState.finishAsked) ? replyState.label(row.reply) : '已撤回';
};

/** Busy times of leaders, by user name, in the detail the user may see; leaves out one entry, or entries that follow a module. */
export async function busy(
  tx: Db,
  viewer: Viewer,
  leaders: readonly string[],
  from: string,
  to: string,
  { but = 0, besides = '' }: { but?: number; besides?: string } = {},
): Promise<Busy[]> {
  const known = new Map((await leadersNamed(tx, leaders)).map((one) => [one.id, one.username]));
  const also = sql`coalesce(${scheduleTable.source_module}, '') <> ${besides}`;
  const rows = await entriesFor(tx, viewer, { start_time: from, end_time: to }, besides ? also : undefined);
  return rows
    .filter((row) => !row.cancelled && row.id !== but)
    .flatMap((row) =>
      row.leaders.flatMap((id) => {
        const leader = known.get(id);
        const label = row.full ? row.title : row.type_id === trip ? '外出' : busyWord;
        return leader ? [{ leader, start: row.start_time, end: row.end_time, label }] : [];
      }),
    );
}

/** Entries of leaders, by id, between two moments, in words: in the detail a person may see, without those that follow a module. */
export const takenTimes = async (
  tx: Db,
  leaders: readonly number[],
  { start, end, person, besides }: { start: string; end: string; person: number; besides: string },
): Promise<string[]> => {
  const found = await takenBy(tx, leaders, { start_time: start, end_time: end }, person, 0, besides);
  return found.map((one) => `${one.alias} ${timeText(one)} 已有“${one.title}”`);
};

/** Approved trips of leaders; rows `(person, from, to)`. */
export const tripSpans = sql`select a.leader_id, s.start_time, coalesce(s.back_at, s.end_time) from leader_schedule s
  join leader_attend a on a.schedule_id = s.id and a.state < ${inSql(replyState.declines)} where s.type_id = ${trip} and s.act_state in (${inSql(actState.finished, actState.finishAsked)}) and s.cancelled_at is null`;

declare module '#kernel/server/product.ts' {
  interface Product {
    /** Absent if no duty rosters are in use. */
    onDuty?: OnDuty | undefined;
  }
  interface ModuleDefinition {
    /** The people on duty; one module provides it. */
    onDuty?: OnDuty;
  }
}
