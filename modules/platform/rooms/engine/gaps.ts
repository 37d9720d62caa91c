import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { DayRoom } from '../contract/looks.ts';
import { roomState } from '../contract/shapes.ts';

export interface Gap {
  start_time: string;
  end_time: string;
}
const two = (value: number) => String(value).padStart(2, '0');

/** A time rounded up to the next step. */
function stepped(at: string, step: number): string {
  const minutes = Number(at.slice(11, 13)) * 60 + Number(at.slice(14, 16)) + (at.slice(17, 19) > '00' ? 1 : 0);
  const up = Math.ceil(minutes / step) * step;
  return `${at.slice(0, 10)} ${two(Math.floor(up / 60))}:${two(up % 60)}:00`;
}

/** Free times of a room on a day: its open hours without its occupations, from `now` on. */
export function gapsOf(room: DayRoom, date: string, now: string): Gap[] {
  if (room.status !== roomState.usable || room.closed !== null) return [];
  const close = `${date} ${room.open_hours.to}:00`;
  let at = `${date} ${room.open_hours.from}:00`;
  if (now > at) at = now;
  const gaps: Gap[] = [];
  for (const block of room.blocks.toSorted((a, b) => (a.start_time < b.start_time ? -1 : 1))) {
    if (block.start_time > at)
      gaps.push({ start_time: at, end_time: block.start_time < close ? block.start_time : close });
    if (block.free_at > at) at = block.free_at;
  }
  if (at < close) gaps.push({ start_time: at, end_time: close });
  return gaps
    .map((gap) => ({ ...gap, start_time: stepped(gap.start_time, room.step_min) }))
    .filter((gap) => firstHour(room, gap) !== null);
}

const clockAfter = (at: string, minutes: number) => momentText(new Date(momentOf(at).getTime() + minutes * 60_000));

/** The first hour of a gap, or as much as it lasts, in whole steps of the room; null if nothing fits. */
export function firstHour({ step_min: step }: Pick<DayRoom, 'step_min'>, { start_time, end_time }: Gap): Gap | null {
  const left = (momentOf(end_time).getTime() - momentOf(start_time).getTime()) / 60_000;
  const minutes = Math.min(Math.ceil(60 / step) * step, Math.floor(left / step) * step);
  return minutes > 0 ? { start_time, end_time: clockAfter(start_time, minutes) } : null;
}

/** Free hours beginning every half hour of the gaps, the last ones as long as possible, in whole steps of the room: the targets of keyboard navigation. */
export const cellsOf = (room: DayRoom, date: string, now: string): { resource: number; start: string; end: string }[] =>
  gapsOf(room, date, now).flatMap(({ start_time, end_time }) => {
    const cells = [];
    const { step_min: step } = room;
    for (let start = start_time; start < end_time; start = clockAfter(start, Math.ceil(30 / step) * step)) {
      const hour = firstHour(room, { start_time: start, end_time });
      if (hour) cells.push({ resource: room.id, start, end: hour.end_time });
    }
    return cells;
  });

/** The times of the displayed hours in which a room is closed, with the reason. */
export function closedTimes(room: DayRoom, date: string, [from, to]: readonly [from: string, to: string]) {
  const span = (start: string, end: string, title: string) => ({
    resource: room.id,
    title,
    start: `${date} ${start}:00`,
    end: `${date} ${end}:00`,
  });
  if (room.status !== roomState.usable) return [span(from, to, roomState.label(room.status))];
  if (room.closed !== null) return [span(from, to, room.closed)];
  const { from: opens, to: closes } = room.open_hours;
  return [...(from < opens ? [span(from, opens, '未开放')] : []), ...(closes < to ? [span(closes, to, '未开放')] : [])];
}
