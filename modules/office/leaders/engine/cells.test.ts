import { expect, test } from 'vitest';
import { dayAfter, dropYear, mondayOf, momentOf } from '#kernel/contract/moment.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { halves, timeText } from '../contract/codes.ts';
import { clashing, halvesOf, movedTo, overlap, shortWay } from './cells.ts';

const chance = chanceOf(7);
const pick = (below: number) => Math.floor(chance.draw() * below);
const two = (value: number) => String(value).padStart(2, '0');
const base = '2026-12-28';
const moment = (quarters: number) =>
  `${dayAfter(base, Math.floor(quarters / 96))} ${two(Math.floor((quarters % 96) / 4))}:${two((quarters % 4) * 15)}:00`;
const span = () => {
  const start = pick(96 * 7);
  return { start_time: moment(start), end_time: moment(start + 1 + pick(96 * 3)) };
};
const bounds = { am: ['00:00:00', '12:00:00'], pm: ['12:00:00', '18:00:00'], night: ['18:00:00', ''] } as const;

test('a schedule entry stands in each part of a day that it touches and in no other, across months and years', () => {
  for (let round = 0; round < 3000; round++) {
    const entry = span();
    const [first, last] = [dayAfter(base, 1), dayAfter(base, 6)];
    const found = new Set(halvesOf(entry, first, last).map(({ day, half }) => `${day} ${half}`));
    for (let day = first; day <= last; day = dayAfter(day, 1))
      for (const half of Object.keys(halves) as (keyof typeof bounds)[]) {
        const [from, to] = bounds[half];
        const part = {
          start_time: `${day} ${from}`,
          end_time: to ? `${day} ${to}` : `${dayAfter(day, 1)} 00:00:00`,
        };
        expect(found.has(`${day} ${half}`), JSON.stringify([entry, day, half])).toBe(overlap(entry, part));
      }
  }
});

test('an all-day entry leaves no gap and touches no other day', () => {
  const day = { start_time: '2026-12-31 00:00:00', end_time: '2027-01-01 00:00:00' };
  expect(halvesOf(day, base, dayAfter(base, 6))).toEqual(
    ['am', 'pm', 'night'].map((half) => ({ day: '2026-12-31', half })),
  );
});

test('adjacent entries do not clash, and overlapping ones clash for each leader that they share', () => {
  for (let round = 0; round < 500; round++) {
    const entries = Array.from({ length: 2 + pick(12) }, () => ({ ...span(), leaders: [pick(3), 3 + pick(2)] }));
    const expected = new Set(
      entries.flatMap((a, i) =>
        entries.some((b, j) => i !== j && overlap(a, b) && a.leaders.some((one) => b.leaders.includes(one))) ? [i] : [],
      ),
    );
    const found = clashing(entries);
    expect(new Set(found.keys())).toEqual(expected);
    for (const [place, leaders] of found)
      for (const leader of entries[place]!.leaders) {
        const other = entries.some((b, j) => j !== place && overlap(entries[place]!, b) && b.leaders.includes(leader));
        expect(leaders.has(leader)).toBe(other);
      }
  }
  const touching = [
    { start_time: '2026-12-28 09:00:00', end_time: '2026-12-28 10:00:00', leaders: [1] },
    { start_time: '2026-12-28 10:00:00', end_time: '2026-12-28 11:00:00', leaders: [1] },
  ];
  expect(clashing(touching).size).toBe(0);
});

test('too little time between campuses is reported in minutes; within one campus or with unknown travel nothing is', () => {
  const at = (from: string, to: string, campus: string) => ({
    start_time: `2026-12-28 ${from}:00`,
    end_time: `2026-12-28 ${to}:00`,
    campus,
  });
  expect(shortWay(at('09:00', '10:00', '东'), at('10:20', '11:00', '西'), 40)).toBe(20);
  expect(shortWay(at('09:00', '10:00', '东'), at('10:40', '11:00', '西'), 40)).toBeNull();
  expect(shortWay(at('09:00', '10:00', '东'), at('10:20', '11:00', '东'), 40)).toBeNull();
  expect(shortWay(at('09:00', '10:00', ''), at('10:20', '11:00', '西'), 40)).toBeNull();
});

test('a week begins on Monday, and times are worded as people say them', () => {
  expect(mondayOf('2027-01-03')).toBe('2026-12-28');
  expect(mondayOf('2026-12-28')).toBe('2026-12-28');
  const said = (start_time: string, end_time: string, all_day = false) => timeText({ start_time, end_time, all_day });
  expect(said('2026-12-31 00:00:00', '2027-01-01 00:00:00', true)).toBe('12-31 全天');
  expect(said('2026-12-31 20:00:00', '2027-01-01 00:00:00')).toBe('12-31 20:00–24:00');
  expect(said('2026-12-31 20:00:00', '2027-01-01 08:00:00')).toBe('12-31 20:00 至 01-01 08:00');
});

test('a list writes the year of a time if it is another than the present one', () => {
  const in2027 = (day: string) => dropYear(day, momentOf('2027-03-01 09:00'));
  const said = (start_time: string, end_time: string) => timeText({ start_time, end_time, all_day: false }, in2027);
  expect(said('2027-01-02 07:30:00', '2027-01-02 09:00:00')).toBe('01-02 07:30–09:00');
  expect(said('2026-01-02 07:30:00', '2026-01-02 09:00:00')).toBe('2026-01-02 07:30–09:00');
  expect(said('2026-12-31 20:00:00', '2027-01-01 08:00:00')).toBe('2026-12-31 20:00 至 01-01 08:00');
});

test('an entry moved to another part of a day keeps its length, and its hour within the same part', () => {
  const meeting = { start_time: '2026-12-31 15:20:00', end_time: '2026-12-31 16:50:00' };
  const from = { day: '2026-12-31', half: 'pm' } as const;
  const put = (day: string, half: 'am' | 'pm' | 'night') => Object.values(movedTo(meeting, from, { day, half }));
  expect(put('2027-01-01', 'pm')).toEqual(['2027-01-01 15:20', '2027-01-01 16:50']);
  expect(put('2026-12-31', 'am')).toEqual(['2026-12-31 09:00', '2026-12-31 10:30']);
  expect(put('2026-12-28', 'night')).toEqual(['2026-12-28 19:00', '2026-12-28 20:30']);
  const days = { start_time: '2026-12-30 00:00:00', end_time: '2027-01-01 00:00:00' };
  const moved = movedTo(days, { day: '2026-12-31', half: 'am' }, { day: '2027-01-02', half: 'night' });
  expect(Object.values(moved)).toEqual(['2027-01-01 00:00', '2027-01-03 00:00']);
});
