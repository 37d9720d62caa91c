import { expect, it } from 'vitest';
import { shortenPath } from './icons.ts';

it('an icon’s line is drawn with whole numbers and stays within one unit of its place', () => {
  const short = shortenPath('M100.4 200.3h300.2v99.9h-300.2z');
  expect(short).not.toContain('.');
  const corners = short.match(/-?\d+/g)!.map(Number);
  expect(corners.slice(0, 2)).toEqual([100, 200]);
  expect(short.length).toBeLessThan(25);
});
