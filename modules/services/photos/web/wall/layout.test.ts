import { expect, test } from 'vitest';
import { gap, rowsOf } from './layout.ts';

test('a photo wall shows every photo once in order, with full rows as wide as the wall', () => {
  const shapes = Array.from({ length: 500 }, (_one, n) => ({ width: 300 + ((n * 37) % 500), height: 300 }));
  const rows = rowsOf(shapes, 1000, 200);
  expect(rows[0]!.from).toBe(0);
  expect(rows.at(-1)!.to).toBe(500);
  rows
    .slice(1)
    .forEach((row, at) => expect([row.from, row.top]).toEqual([rows[at]!.to, rows[at]!.top + rows[at]!.height + gap]));
  for (const { from, to, height } of rows.slice(0, -1)) {
    const wide = shapes
      .slice(from, to)
      .reduce((sum, shape) => sum + (shape.width / shape.height) * height, gap * (to - from - 1));
    expect(Math.abs(wide - 1000)).toBeLessThan(1);
  }
});

test('a photo wall keeps its layout when more photos are added below', () => {
  const shapes = Array.from({ length: 120 }, (_one, n) => ({ width: 200 + ((n * 71) % 400), height: 250 }));
  const [some, all] = [rowsOf(shapes.slice(0, 60), 800, 180), rowsOf(shapes, 800, 180)];
  expect(all.slice(0, some.length - 1)).toEqual(some.slice(0, -1));
});
