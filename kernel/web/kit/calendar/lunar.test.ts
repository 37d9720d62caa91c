import { expect, test } from 'vitest';
import { lunarOf } from './lunar.ts';

test('a day has its lunar name, and the first of a lunar month the month’s name', () => {
  const said = {
    '2026-02-17': '正月',
    '2026-02-18': '初二',
    '2025-07-25': '闰六月',
    '2026-09-25': '十五',
    '2026-02-26': '初十',
    '2026-03-08': '二十',
    '2026-03-09': '廿一',
    '2026-02-16': '廿九',
    '2026-12-08': '三十',
    '2026-12-09': '十一月',
  };
  for (const [day, name] of Object.entries(said)) expect([day, lunarOf(day)]).toEqual([day, name]);
});
