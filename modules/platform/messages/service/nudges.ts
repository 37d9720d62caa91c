import { sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { bringBack } from '#modules/platform/waits/service.ts';
import { holdNews, tellOf, type News } from '../service.ts';

export interface NudgeRule {
  /** Nobody is urged about the same twice within so many hours. */
  hours: number;
  /** Nor more often than this at all. */
  times?: number;
}
/** Which urging it is. */
type About = Pick<News, 'module' | 'objectId' | 'event'> & { occasion?: string };

export interface Nudged {
  times: number;
  /** When last. */
  last: string;
}
interface Row extends Record<string, unknown>, Nudged {
  id: number;
  /** Seconds since. */
  ago: number;
}

/** How often people were urged about something and when last; who was not is missing. The messages are all that is kept of it. */
export async function nudgesOf(
  tx: Db,
  { module, objectId, event, occasion = '' }: About,
  people: readonly number[],
): Promise<Map<number, Row>> {
  const { rows } = await tx.execute<Row>(sql`
    select r.user_id id, count(*)::int times, to_char(max(m.gmt_created), 'YYYY-MM-DD HH24:MI:SS') last,
      extract(epoch from now() - max(m.gmt_created))::float8 ago
    from msg m join msg_user r on r.msg_id = m.id
    where m.module = ${module} and m.object_id = ${objectId} and m.event = ${event} and m.occasion = ${occasion}
      and r.user_id = any(${sql.param([...people])}::int[])
    group by r.user_id`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Tells people that somebody urges them, where the rule is the caller's own. Whoever put it aside is asked for it now. */
export async function tellUrged(tx: Db, news: News, people: readonly number[]): Promise<void> {
  await tellOf(tx, news, people);
  await bringBack(tx, news.webPath, people);
}

/**
 * Urges people who have not done something yet, each as often as the rule lets, and nobody urges themselves; answers whom, and in how
 * many seconds another may be.
 */
export async function nudge(
  tx: Db,
  news: News,
  late: readonly number[],
  { hours, times = Infinity }: NudgeRule,
): Promise<{ due: number[]; wait: number }> {
  await holdNews(tx, news);
  const before = await nudgesOf(tx, news, late);
  const left = late.filter((id) => id !== news.by && (before.get(id)?.times ?? 0) < times);
  const due = left.filter((id) => waitOf(before.get(id), hours) <= 0);
  const told = await tellOf(tx, { ...news, again: 'always' }, due);
  await bringBack(tx, news.webPath, told);
  return { due: told, wait: Math.min(...left.map((id) => waitOf(before.get(id), hours))) };
}

const waitOf = (row: Row | undefined, hours: number) => hours * 3600 - (row?.ago ?? Infinity);

/** In how many seconds somebody of these may be urged; 0 where one may be now, or there is nobody. */
export async function nudgeWait(tx: Db, about: About, late: readonly number[], { hours }: NudgeRule): Promise<number> {
  if (late.length === 0) return 0;
  const before = await nudgesOf(tx, about, late);
  return Math.max(0, Math.ceil(Math.min(...late.map((id) => waitOf(before.get(id), hours)))));
}

/** The same for somebody who asks for it: refuses (`what`: 催读) where all of them were urged a short while ago. */
export async function urge(
  tx: Db,
  what: string,
  news: News,
  late: readonly number[],
  rule: NudgeRule,
): Promise<number[]> {
  const { due, wait } = await nudge(tx, news, late, rule);
  if (due.length === 0 && Number.isFinite(wait)) throw tooMany(what, wait);
  return due;
}
