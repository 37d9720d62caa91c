import { expect, test } from 'vitest';
import { withoutPosition, withPosition } from './place.ts';

test('the coordinates of a place are appended to its text once, and can be removed again', () => {
  const here = withPosition('科技路 1 号', { latitude: 22.543099, longitude: 114.057868 });
  expect(here).toBe('科技路 1 号（北纬 22.54310°，东经 114.05787°）');
  expect(withPosition(here, { latitude: -33.8568, longitude: -0.5 })).toBe(
    '科技路 1 号（南纬 33.85680°，西经 0.50000°）',
  );
  expect(withoutPosition(here)).toBe('科技路 1 号');
  expect(withoutPosition('食堂（二楼）')).toBe('食堂（二楼）');
});
