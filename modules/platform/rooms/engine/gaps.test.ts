import { expect, test } from 'vitest';
import type { DayRoom } from '../contract/looks.ts';
import { cellsOf, closedTimes, firstHour, gapsOf } from './gaps.ts';

const date = '2026-12-01';
const room = (more: Partial<DayRoom> = {}): DayRoom => ({
  id: 7,
  name: '第一会议室',
  office_id: 1,
  office_name: '会务',
  building: '行政楼',
  floor: '2 层',
  capacity: 20,
  equipment: ['投影'],
  status: 1,
  open_hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '12:00', holidays: false },
  closed: null,
  step_min: 15,
  approves: false,
  buffer_minutes: 0,
  blocks: [],
  ...more,
});
const shown = ['07:00', '22:00'] as const;
const spans = (of: DayRoom) =>
  closedTimes(of, date, shown).map((one) => `${one.start.slice(11, 16)}–${one.end.slice(11, 16)} ${one.title}`);

test('a room’s day shows closed hours, closed days and maintenance as unavailable, with the reason', () => {
  expect(spans(room())).toEqual(['07:00–08:00 未开放', '12:00–22:00 未开放']);
  expect(spans(room({ closed: '国庆节不开放' }))).toEqual(['07:00–22:00 国庆节不开放']);
  expect(spans(room({ status: 2 }))).toEqual(['07:00–22:00 维护中']);
  expect(spans(room({ open_hours: { days: [1], from: '07:00', to: '22:00', holidays: false } }))).toEqual([]);
});

test('the keyboard reaches each free half hour, for an hour or what is left, and nothing on a closed day', () => {
  const morning = `${date} 00:00:00`;
  const block = {
    module: 'meetings',
    record_id: 1,
    start_time: `${date} 09:00:00`,
    end_time: `${date} 10:30:00`,
    free_at: `${date} 10:45:00`,
    title: '例会',
    held: false,
    mine: false,
    path: null,
    movable: null,
  };
  const busy = room({ blocks: [block] });
  expect(gapsOf(busy, date, morning).map((one) => one.start_time.slice(11, 16))).toEqual(['08:00', '10:45']);
  expect(cellsOf(busy, date, morning).map((one) => `${one.start.slice(11, 16)}–${one.end.slice(11, 16)}`)).toEqual([
    '08:00–09:00',
    '08:30–09:00',
    '10:45–11:45',
    '11:15–12:00',
    '11:45–12:00',
  ]);
  expect(cellsOf(room({ closed: '校庆不开放' }), date, morning)).toEqual([]);
});

test('a time reached by keyboard can be booked: in a room booked by the hour only whole hours', () => {
  const cells = cellsOf(
    room({ step_min: 60, open_hours: { days: [], from: '08:00', to: '10:30', holidays: true } }),
    date,
    `${date} 00:00:00`,
  );
  expect(cells.map((one) => `${one.start.slice(11, 16)}–${one.end.slice(11, 16)}`)).toEqual([
    '08:00–09:00',
    '09:00–10:00',
  ]);
});

test('a proposed time in a gap ends at a whole step of the room, and a gap without room for a step is none', () => {
  const busy = (free_at: string, next: string) => [
    {
      module: 'meetings',
      record_id: 1,
      start_time: `${date} 08:00:00`,
      end_time: `${date} ${free_at}:00`,
      free_at: `${date} ${free_at}:00`,
      title: '例会',
      held: false,
      mine: false,
      path: null,
      movable: null,
    },
    {
      module: 'meetings',
      record_id: 2,
      start_time: `${date} ${next}:00`,
      end_time: `${date} 12:00:00`,
      free_at: `${date} 12:00:00`,
      title: '碰头会',
      held: false,
      mine: false,
      path: null,
      movable: null,
    },
  ];
  const proposed = (step_min: number, free_at: string, next: string) => {
    const of = room({ step_min, blocks: busy(free_at, next) });
    return gapsOf(of, date, `${date} 00:00:00`).map((gap) => {
      const { start_time, end_time } = firstHour(of, gap)!;
      return `${start_time.slice(11, 16)}–${end_time.slice(11, 16)}`;
    });
  };
  expect(proposed(15, '09:00', '09:50')).toEqual(['09:00–09:45']);
  expect(proposed(30, '09:10', '11:00')).toEqual(['09:30–10:30']);
  expect(proposed(60, '09:10', '10:50')).toEqual([]);
});
