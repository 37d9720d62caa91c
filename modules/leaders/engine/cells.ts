import { dayAfter, type Half } from '../contract/codes.ts';

/** A time on the clock of the house: half-open, as `YYYY-MM-DD HH:mm:ss`. */
export interface Span {
  start_time: string;
  end_time: string;
}
/** Where the parts of a day begin: 上午, 下午, 晚上. */
const begins: readonly (readonly [Half, string])[] = [
  ['am', '00:00:00'],
  ['pm', '12:00:00'],
  ['night', '18:00:00'],
];

/** The parts of days that a time touches, in order; a night belongs to the day it began, and ends with it. */
export function halvesOf({ start_time, end_time }: Span, first: string, last: string): { day: string; half: Half }[] {
  const found: { day: string; half: Half }[] = [];
  const from = start_time.slice(0, 10) > first ? start_time.slice(0, 10) : first;
  for (let day = from; day <= last && `${day} 00:00:00` < end_time; day = dayAfter(day, 1))
    for (const [index, [half, begin]] of begins.entries()) {
      const next = begins[index + 1]?.[1];
      const end = next ? `${day} ${next}` : `${dayAfter(day, 1)} 00:00:00`;
      if (start_time < end && `${day} ${begin}` < end_time) found.push({ day, half });
    }
  return found;
}

/** Touching ends are no overlap. */
export const overlap = (a: Span, b: Span): boolean => a.start_time < b.end_time && b.start_time < a.end_time;

/** Places of entries that overlap another of the same leader, with the leaders for whom they do. */
export function clashing(entries: readonly (Span & { leaders: readonly number[] })[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const byLeader = new Map<number, number[]>();
  for (const [place, { leaders }] of entries.entries())
    for (const leader of leaders) byLeader.set(leader, [...(byLeader.get(leader) ?? []), place]);
  const add = (place: number, leader: number) => {
    const known = found.get(place) ?? [];
    if (!known.includes(leader)) found.set(place, [...known, leader]);
  };
  for (const [leader, places] of byLeader) {
    const sorted = places.toSorted((a, b) => (entries[a]!.start_time < entries[b]!.start_time ? -1 : 1));
    let latest = -1;
    for (const place of sorted) {
      if (latest >= 0 && overlap(entries[latest]!, entries[place]!))
        for (const one of [latest, place]) add(one, leader);
      if (latest < 0 || entries[place]!.end_time > entries[latest]!.end_time) latest = place;
    }
  }
  return found;
}

interface Visit extends Span {
  campus: string;
}
const minutesBetween = (from: string, to: string) =>
  (Date.parse(to.replace(' ', 'T')) - Date.parse(from.replace(' ', 'T'))) / 60_000;

/** How many minutes there are from one place to the next where that is less than the way takes; unknown campuses are not asked about. */
export function shortWay(before: Visit, after: Visit, needed: number): number | null {
  if (!before.campus || !after.campus || before.campus === after.campus) return null;
  const gap = minutesBetween(before.end_time, after.start_time);
  return gap >= 0 && gap < needed ? gap : null;
}
