import { describe, expect, test } from 'vitest';
import { arranged, asDesigned, moved, ordered } from './columns.ts';
import { pageButtons } from '../rows/ListPager.tsx';

const columns = [
  { key: 'a', title: 'A' },
  { key: 'b', title: 'B' },
  { key: 'c', title: 'C', hidden: true },
];
const keys = (list: { key: string }[]) => list.map((column) => column.key).join('');

describe('list columns', () => {
  test('have the designed order until the person changes it', () => {
    expect(keys(arranged(columns, asDesigned))).toBe('ab');
  });
  test('follow the chosen order, and keep pins when dragged', () => {
    const choice = {
      ...asDesigned,
      order: ['c', 'b', 'a'],
      shown: { c: true },
      pins: { a: 'left', c: 'right' } as const,
    };
    expect(keys(arranged(columns, choice))).toBe('abc');
    expect(keys(ordered(columns, choice))).toBe('cba');
  });
  test('added to the product later appear at their designed place', () => {
    expect(keys(ordered([...columns, { key: 'd', title: 'D' }], { ...asDesigned, order: ['b', 'a', 'c'] }))).toBe(
      'bacd',
    );
  });
  test('move one place at a time, within the ends', () => {
    expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  });
});

describe('pager buttons', () => {
  const numbers = (page: number, pages: number, count: number) =>
    pageButtons(page, pages, count).filter((n) => n !== null);
  test('are at most seven, or five on a phone, with the first, the last and the present page', () => {
    for (const count of [5, 7]) {
      for (let page = 1; page <= 30; page++) {
        const shown = numbers(page, 30, count);
        expect(shown).toHaveLength(count);
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
        expect([shown[0], shown.at(-1)]).toEqual([1, 30]);
        expect(shown).toContain(page);
      }
    }
  });
  test('are all shown when they fit', () => {
    expect(pageButtons(1, 3, 7)).toEqual([1, 2, 3]);
  });
});
