import { dayAfter, momentOf } from '#kernel/contract/moment.ts';
import type { Calendar } from './working-time.ts';

export interface Span {
  start_time: string;
  end_time: string;
}
/** Offered times begin at multiples of these minutes. */
const step = 30;
const most = 5;
const two = (value: number) => String(value).padStart(2, '0');
const textOf = (day: string, minutes: number) => `${day} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
const up = (minutes: number) => Math.ceil(minutes / step) * step;

/** The first free times in working hours, each of the requested length and without overlaps. */
export function commonFree(
  calendar: Calendar,
  taken: readonly Span[],
  { day: first, days, minutes, now }: { day: string; days: number; minutes: number; now: string },
): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < days && found.length < most; at += 1) {
    const day = dayAfter(first, at);
    if (!calendar.works(day)) continue;
    const since = momentOf(`${day} 00:00:00`).getTime();
    const minuteOf = (moment: string) => (momentOf(moment).getTime() - since) / 60_000;
    const blocks = taken
      .map((one) => ({ from: minuteOf(one.start_time), to: minuteOf(one.end_time) }))
      .filter((one) => one.to > 0 && one.from < 24 * 60);
    for (const part of partsFor(calendar, minutes)) {
      let from = Math.max(part.from, up(minuteOf(now)));
      while (from + minutes <= part.to && found.length < most) {
        const until = from + minutes;
        const inWay = blocks.filter((one) => one.from < until && one.to > from);
        if (inWay.length === 0) found.push({ start_time: textOf(day, from), end_time: textOf(day, until) });
        from = inWay.length === 0 ? up(until) : up(Math.max(...inWay.map((one) => one.to)));
      }
    }
  }
  return found;
}

/** Parts of a working day; a request longer than each of them may use the whole day, including noon. */
function partsFor({ hours }: Calendar, minutes: number): readonly { from: number; to: number }[] {
  if (hours.length === 0 || hours.some(({ from, to }) => to - from >= minutes)) return hours;
  return [{ from: hours[0]!.from, to: hours.at(-1)!.to }];
}
