import { sql, type SQL } from 'drizzle-orm';
import { tooMany, type Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { bringBack } from '#modules/platform/waits/service.ts';
import { holdNews, tellOf, type News } from '../service.ts';

export interface NudgeRule {
  /** Hours before somebody may be urged about the same again. */
  hours: number;
  /** The most times somebody may be urged. */
  times?: number;
}
/** Identifies the urging. */
type About = Pick<News, 'module' | 'objectId' | 'event'> & { occasion?: string };

export interface Nudged {
  times: number;
  /** The last time. */
  last: string;
}

/** Rows `(id, times, last, ago)` of those who were urged, `ago` in seconds. */
const nudges = ({ module, objectId, event, occasion = '' }: About, people: readonly number[]): SQL => sql`
  select r.user_id id, count(*)::int times, to_char(max(m.gmt_created), 'YYYY-MM-DD HH24:MI:SS') last,
    extract(epoch from now() - max(m.gmt_created))::float8 ago
  from msg m join msg_user r on r.msg_id = m.id
  where m.module = ${module} and m.object_id = ${objectId} and m.event = ${event} and m.occasion = ${occasion}
    and r.user_id = any(${sql.param([...people])}::int[])
  group by r.user_id`;

/** The number of times people were urged about something, and the last time; others are missing. The messages are the only record of it. */
export async function nudgesOf(tx: Db, about: About, people: readonly number[]): Promise<Map<number, Nudged>> {
  const { rows } = await tx.execute<Nudged & { id: number } & Record<string, unknown>>(nudges(about, people));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Somebody who may be urged, with the number of times and the seconds since the last. */
interface Late extends Record<string, unknown> {
  id: number;
  times: number;
  ago: number | null;
}

/** Those of the late people who may be urged: not those who left, nor the caller. */
async function urgeableAmong(
  tx: Db,
  { by, ...about }: About & Pick<News, 'by'>,
  late: readonly number[],
): Promise<Late[]> {
  if (late.length === 0) return [];
  const people = [...new Set(late)].filter((id) => id !== by);
  const { rows } = await tx.execute<Late>(sql`
    select id, coalesce(times, 0) times, ago from unnest(${sql.param(people)}::int[]) with ordinality asked (id, place)
      join app_user u using (id) left join (${nudges(about, people)}) urged using (id)
    where u.is_active and not u.is_deleted order by place`);
  return rows;
}

/** Sends an urging message, if the rule is the caller's own; returns the recipients. If they had put the matter off, it comes back now. */
export async function tellUrged(tx: Db, news: News, people: readonly number[]): Promise<number[]> {
  const told = await tellOf(tx, news, people);
  await bringBack(tx, news.webPath, told);
  return told;
}

/**
 * Urges people who have not done something yet, each as often as the rule allows, and never the caller; returns the recipients, and the seconds until
 * the next is allowed.
 */
export async function nudge(
  tx: Db,
  news: News,
  late: readonly number[],
  { hours, times = Infinity }: NudgeRule,
): Promise<{ due: number[]; wait: number }> {
  await holdNews(tx, news);
  const open = (await urgeableAmong(tx, news, late)).filter((one) => one.times < times);
  const due = open.filter((one) => waitOf(one, hours) <= 0).map(({ id }) => id);
  const told = await tellUrged(tx, { ...news, again: 'always' }, due);
  return { due: told, wait: Math.min(...open.map((one) => waitOf(one, hours))) };
}

const waitOf = ({ ago }: Late, hours: number) => hours * 3600 - (ago ?? Infinity);

/** Seconds until `by` may urge one of these people; 0 if one may be urged now, or there is nobody. */
export async function nudgeWait(
  tx: Db,
  about: About & Pick<News, 'by'>,
  late: readonly number[],
  { hours }: NudgeRule,
): Promise<number> {
  const open = await urgeableAmong(tx, about, late);
  return open.length === 0 ? 0 : Math.max(0, Math.ceil(Math.min(...open.map((one) => waitOf(one, hours)))));
}

/** The name of the urging (催读), and the refusal if there is nobody to urge. */
interface Urging extends NudgeRule {
  name: string;
  nobody: () => Refusal;
}

/** The same for a person's request: refuses if only they themselves are late, or all were urged a short while ago. */
export async function urge(
  tx: Db,
  news: News,
  late: readonly number[],
  { name, nobody, ...rule }: Urging,
): Promise<number[]> {
  const { due, wait } = await nudge(tx, news, late, rule);
  if (due.length > 0) return due;
  throw wait > 0 && wait < Infinity ? tooMany(name, wait) : nobody();
}
