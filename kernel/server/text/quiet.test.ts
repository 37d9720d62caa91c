import { expect, test } from 'vitest';
import { afterQuiet } from './quiet.ts';

test('quiet hours end in the morning, may span midnight, and do not exist if they are empty', () => {
  const at = (hour: string) => new Date(`2026-11-21T${hour}:00+08:00`);
  expect(afterQuiet(at('23:10'), '22:00', '07:30')).toEqual(new Date('2026-11-22T07:30:00+08:00'));
  expect(afterQuiet(at('03:00'), '22:00', '07:30')).toEqual(at('07:30'));
  expect(afterQuiet(at('07:30'), '22:00', '07:30')).toEqual(at('07:30'));
  expect(afterQuiet(at('12:15'), '12:00', '14:00')).toEqual(at('14:00'));
  expect(afterQuiet(at('11:59'), '12:00', '14:00')).toEqual(at('11:59'));
  expect(afterQuiet(at('12:00'), '12:00', '12:00')).toEqual(at('12:00'));
  expect(afterQuiet(at('12:00'), null, null)).toEqual(at('12:00'));
});
