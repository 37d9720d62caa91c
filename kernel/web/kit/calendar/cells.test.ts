import { describe, expect, test } from 'vitest';
import { nextCell, type Cell } from './cells.ts';

const cell = (resource: number, hour: string): Cell => ({
  resource,
  start: `2026-12-01 ${hour}:00`,
  end: `2026-12-01 ${hour.slice(0, 2)}:59:00`,
});
const cells = [cell(1, '08:00'), cell(1, '10:00'), cell(3, '09:30'), cell(3, '14:00')];
/** The second resource is busy all day. */
const resources = [1, 2, 3];
const to = (from: Cell | null, key: string, view: 'rooms' | 'line' = 'rooms') => {
  const found = nextCell(cells, from, key, view, resources);
  return found && `${found.resource} ${found.start.slice(11, 16)}`;
};

describe('arrow keys among free cells', () => {
  test('start at the first, move along the time of a room, and stop at its end', () => {
    expect(to(null, 'ArrowDown')).toBe('1 08:00');
    expect(to(cells[0]!, 'ArrowDown')).toBe('1 10:00');
    expect(to(cells[1]!, 'ArrowDown')).toBe('1 10:00');
    expect(to(cells[0]!, 'ArrowRight', 'line')).toBe('1 10:00');
  });

  test('skip occupied times to the nearest free time of the next room', () => {
    expect(to(cells[1]!, 'ArrowRight')).toBe('3 09:30');
    expect(to(cells[3]!, 'ArrowLeft')).toBe('1 10:00');
    expect(to(cells[0]!, 'ArrowDown', 'line')).toBe('3 09:30');
    expect(to(cells[2]!, 'ArrowRight')).toBe('3 09:30');
  });

  test('move to the same time of the next day that has one, in a view of several days', () => {
    const on = (day: number, hour: string): Cell => ({
      resource: day,
      start: `2026-12-0${day} ${hour}:00`,
      end: `2026-12-0${day} ${hour}:30`,
    });
    const week = [on(1, '14:00'), on(3, '08:00'), on(3, '13:30')];
    expect(nextCell(week, week[0]!, 'ArrowRight', 'week', [1, 2, 3])).toBe(week[2]);
    expect(nextCell(week, week[1]!, 'ArrowLeft', 'week', [1, 2, 3])).toBe(week[0]);
  });

  test('start at a free cell again if the focused one was taken meanwhile', () => {
    expect(to(cell(1, '11:00'), 'ArrowUp')).toBe('1 08:00');
    expect(nextCell([], null, 'ArrowUp', 'rooms', resources)).toBeUndefined();
  });
});
