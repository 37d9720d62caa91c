import { z } from 'zod';
import { dayAfter } from '#kernel/contract/moment.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { timestamp } from '#kernel/contract/shapes.ts';

/** Shown for a booking whose purpose the reader may not know. */
export const occupied = '已占用';

/** A clashing booking: its time, and as much of its purpose as the person may know. */
export const Clash = z.object({
  resource_id: z.number().int(),
  start_time: timestamp,
  end_time: timestamp,
  title: z.string(),
});
export type Clash = z.output<typeof Clash>;

/** A free alternative: the same resource at another time, or another at the same. */
export const Alternative = z.object({
  resource_id: z.number().int(),
  name: z.string(),
  start_time: timestamp,
  end_time: timestamp,
});
export type Alternative = z.output<typeof Alternative>;

type Period = Pick<Clash, 'start_time' | 'end_time'>;

/** `2026-12-01 09:00–10:00`; with both days if it ends on another. Whole days are called so, because nobody says that they end at midnight. */
export function periodText({ start_time: start, end_time: end }: Period): string {
  const sameDay = start.slice(0, 10) === end.slice(0, 10);
  if (!sameDay && [start, end].every((at) => at.slice(11, 16) === '00:00')) {
    const last = dayAfter(end.slice(0, 10), -1);
    return start.startsWith(last) ? `${last} 全天` : `${start.slice(0, 10)} 至 ${last} 全天`;
  }
  return `${start.slice(0, 16)}–${sameDay ? end.slice(11, 16) : end.slice(0, 16)}`;
}

const clashText = (clash: Clash) => `${clash.title} ${periodText(clash)}`;
const offered = (wanted: string, { name, ...period }: Alternative) =>
  name === wanted ? `改到 ${periodText(period)}` : `改用${name}`;

/** The resource is taken. The sentence names the first clash and the first two alternatives; the data holds all of them. */
export const taken = refusal(
  codes.conflict,
  (name: string, wanted: Period, clashes: readonly Clash[], alternatives: readonly Alternative[]) => {
    const [first] = clashes;
    const what = first ? `（${clashText(first)}${clashes.length > 1 ? ` 等 ${clashes.length} 项` : ''}）` : '';
    const ways = alternatives.slice(0, 2).map((one) => offered(name, one));
    return `${name} ${periodText(wanted)} 已被占用${what}，请${ways.length > 0 ? ways.join('，或') : '另选时间'}`;
  },
  (_name, _wanted, clashes, alternatives) => ({ clashes, alternatives }),
);
