import { and, eq, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { peopleById } from '#modules/people/service.ts';
import type { Writing } from '#modules/records/service.ts';
import { busyWord, timeText, trip } from './contract/codes.ts';
import type { Busy } from './contract/schedules.ts';
import { entriesFor } from './board/board.ts';
import { attendsOf, leadersNamed, setAttends } from './record/attends.ts';
import { lockLeaders, takenBy } from './record/clash.ts';
import { recordChange, tellChanged } from './record/actions.ts';
import { hearersOf, tellOf } from './record/news.ts';
import { schedules, type LeaderViewer, type Stored } from './record/record.ts';
import { columnsOf, spanOf, writeBeside } from './record/writing.ts';
import { scheduleTable, sourceTable } from './tables.ts';

/** The record of another module that an entry follows, and the page that shows it. */
export interface Source {
  module: string;
  id: number;
  path?: string;
}
export interface Kept {
  source: Source;
  /** Rises with each change of the source: what is older than what was heard does nothing. */
  version: number;
  /** Who did it there. */
  by: number;
  /** Ids of leaders. */
  leaders: readonly number[];
  start: string;
  end: string;
  title: string;
  place?: string;
  visibility?: 1 | 2 | 3;
  dept_id?: number | null;
}

/** Whether a word about a source is the newest so far; later and earlier ones wait until this transaction ends. */
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
 * Puts a record of another module into the leaders' schedules, or moves it there: approved as it is, for that module decided. What they
 * have besides stays, marked as a clash. Answers the entry's id; null where a newer word was heard already.
 */
export async function keep(tx: Db, kept: Kept, now = new Date()): Promise<number | null> {
  const { source, version, by, leaders, start, end, title, place = '', dept_id = null } = kept;
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
  if (!before) {
    const own = {
      creator_id: by,
      dept_id,
      act_state: 4,
      visibility: kept.visibility ?? 1,
      source_module: source.module,
      source_id: source.id,
      source_path: source.path ?? '',
    };
    const search = searchVector({ codes: [], texts: [title, place] });
    const [made] = await tx
      .insert(scheduleTable)
      .values({ ...columns, ...own, search })
      .returning({ id: scheduleTable.id });
    await setAttends(tx, made!.id, leaders, new Set());
    const row = (await schedules.one(tx, made!.id))!;
    await tellOf(tx, row, 'LEADER_NEW', timeText(row), by, await hearersOf(tx, row));
    return row.id;
  }
  const was = (await attendsOf(tx, [before.id])).get(before.id) ?? [];
  // What its leaders chose here of who may know stands.
  await setAttends(tx, before.id, leaders, new Set());
  const after = await schedules.set(tx, before, {
    ...columns,
    ...(dept_id === null ? {} : { dept_id }),
    changed_at: momentText(now),
  });
  const people = await peopleById(tx, leaders);
  const facts = (row: Stored, names: string[]) => ({
    事项: row.title,
    时间: timeText(row),
    地点: row.address,
    领导: names.join('、'),
    状态: row.cancelled_at ? '已取消' : '',
  });
  const names = {
    before: was.filter((one) => one.state < 2).map((one) => one.alias),
    after: leaders.flatMap((id) => people.get(id)?.alias ?? []),
  };
  const change = { before: facts(before, names.before), after: facts(after, names.after), by, kind: 'source' };
  if (await recordChange(tx, change, before.id))
    await tellChanged(
      tx,
      after,
      'LEADER_CHANGED',
      `由 ${timeText(before)} 改为 ${timeText(after)}`,
      by,
      now,
      was.map((one) => one.id),
    );
  return before.id;
}

/** The record an entry follows does not take place; whatever was to be said of it before is not said any more. */
export async function withdraw(
  tx: Db,
  source: Source,
  version: number,
  { by = null, reason = '来源已取消' }: { by?: number | null; reason?: string } = {},
  now = new Date(),
): Promise<void> {
  if (!(await isNews(tx, source, version))) return;
  const row = await bySource(tx, source);
  if (!row || row.cancelled_at !== null) return;
  const at = momentText(now);
  const after = await schedules.set(tx, row, { cancelled_at: at, cancel_reason: reason.slice(0, 200), changed_at: at });
  await recordChange(tx, { before: {}, after: {}, by, kind: 'cancel', reason }, row.id);
  await tellChanged(tx, after, 'LEADER_CANCELLED', `${timeText(row)} 取消：${reason}`, by, now);
}

/** Asks for leaders' time in somebody's name, as their department does: a schedule on its way to be approved. */
export async function propose(
  context: Writing,
  {
    leaders,
    start,
    end,
    title,
    place = '',
    visibility = 1,
  }: Omit<Kept, 'version' | 'by' | 'leaders' | 'source'> & { leaders: readonly string[] },
): Promise<number> {
  const { tx, user } = context;
  await leadersNamed(tx, leaders);
  const viewer: LeaderViewer = await schedules.viewerOf(tx, user);
  const input = {
    leaders: [...leaders],
    title,
    start_time: start,
    end_time: end,
    all_day: false,
    address: place,
    visibility,
    type_id: 1,
  };
  const made = await schedules.create(context, await columnsOf(tx, input, viewer, null), { submit: true }, (row) =>
    writeBeside(tx, row, input, viewer, null).then(() => undefined),
  );
  return made.id!;
}

/** When leaders, by user name, are busy between two moments, as far as somebody may know. */
export async function busy(
  tx: Db,
  viewer: Viewer,
  leaders: readonly string[],
  from: string,
  to: string,
  but = 0,
): Promise<Busy[]> {
  const known = new Map((await leadersNamed(tx, leaders)).map((one) => [one.id, one.username]));
  const rows = await entriesFor(tx, viewer, { start_time: from, end_time: to });
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
