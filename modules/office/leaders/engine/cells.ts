import { dayAfter } from '#kernel/contract/moment.ts';
import type { Half } from '../contract/codes.ts';

/** A half-open interval of local time, as `YYYY-MM-DD HH:mm:ss`. */
export interface Span {
  start_time: string;
  end_time: string;
}
/** The beginning of each part of a day: 上午, 下午, 晚上. */
const begins: readonly (readonly [Half, string])[] = [
  ['am', '00:00:00'],
  ['pm', '12:00:00'],
  ['night', '18:00:00'],
];

/** The parts of days that an interval touches, in order; a night belongs to the day on which it begins. */
export function halvesOf({ start_time, end_time }: Span, first: string, last: string): Slot[] {
  const found: Slot[] = [];
  const from = start_time.slice(0, 10) > first ? start_time.slice(0, 10) : first;
  for (let day = from; day <= last && `${day} 00:00:00` < end_time; day = dayAfter(day, 1))
    for (const [index, [half, begin]] of begins.entries()) {
      const end = `${day} ${begins[index + 1]?.[1] ?? '24:00:00'}`;
      if (start_time < end && `${day} ${begin}` < end_time) found.push({ day, half });
    }
  return found;
}

/** A part of a day on the board. */
export interface Slot {
  day: string;
  half: Half;
}
/** The first working hour of each part. */
const opens = { am: '09:00', pm: '14:00', night: '19:00' } as const;
const minute = 60_000;
const stamp = (at: string) => Date.parse(`${at.replace(' ', 'T')}Z`);
const text = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** The new time of an entry moved to another part of a day: same length, and same hour if the part is the same. */
export function movedTo({ start_time, end_time }: Span, from: Slot, to: Slot): Span {
  const length = stamp(end_time) - stamp(start_time);
  const days = stamp(`${to.day} 00:00:00`) - stamp(`${from.day} 00:00:00`);
  const within = from.half === to.half || length > 12 * 60 * minute;
  const start = within ? stamp(start_time) + days : stamp(`${to.day} ${opens[to.half]}:00`);
  return { start_time: text(start), end_time: text(start + length) };
}

/** Touching ends are no overlap. */
export const overlap = (a: Span, b: Span): boolean => a.start_time < b.end_time && b.start_time < a.end_time;

/** Indexes of entries that overlap another of the same leader, each with the leaders concerned. */
export function clashing(entries: readonly (Span & { leaders: readonly number[] })[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  const add = (place: number, leader: number) => found.set(place, (found.get(place) ?? new Set()).add(leader));
  const byLeader = new Map<number, number[]>();
  for (const [place, { leaders }] of entries.entries())
    for (const leader of leaders) byLeader.set(leader, [...(byLeader.get(leader) ?? []), place]);
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

/** The minutes between two places if they are fewer than the way takes, else null; unknown campuses are ignored. */
export function shortWay(before: Visit, after: Visit, needed: number): number | null {
  if (!before.campus || !after.campus || before.campus === after.campus) return null;
  const gap = minutesBetween(before.end_time, after.start_time);
  return gap >= 0 && gap < needed ? gap : null;
}
