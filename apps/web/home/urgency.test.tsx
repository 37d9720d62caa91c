import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { fillGaps } from '#kernel/web/testing/show.tsx';
import type { Waiting } from '#modules/platform/waits/contract.ts';
import { forgetUser } from '../stored.ts';
import { keepLastWaits } from './last-waits.ts';
import { byUrgency } from './urgency.ts';

emptyPage();

const now = new Date('2026-11-20T10:00:00+08:00');
let next = 0;
const row = (title: string, given: Partial<Waiting['rows'][number]> = {}) => ({
  id: ++next,
  title,
  what: '',
  who: '李四',
  since: '2026-11-20 09:00:00',
  due_at: null,
  web_path: `/ticket/detail/${next}`,
  ...given,
});
const kind = (page: string, rows: Waiting['rows']): Waiting => ({
  page,
  title: page,
  path: `/${page}`,
  count: rows.length,
  overdue: 0,
  rows,
});

test('what is late stands first, then what is nearly so, then what has waited longest, of whichever kind', () => {
  const rows = byUrgency(
    [
      kind('ticket/duty', [
        row('等了一小时'),
        row('等了三天', { since: '2026-11-17 09:00:00' }),
        row('刚逾期', { due_at: '2026-11-20 09:30:00' }),
      ]),
      kind('document/dist', [row('早已逾期', { due_at: '2026-11-18 09:30:00' })]),
    ],
    now,
  );
  expect(rows.map(({ title }) => title)).toEqual(['早已逾期', '刚逾期', '等了三天', '等了一小时']);
});

test('what two kinds show alike stands there once', () => {
  const same = { web_path: '/document/detail/7' };
  const rows = byUrgency([kind('ticket/duty', [row('通知', same)]), kind('document/dist', [row('通知', same)])], now);
  expect(rows.map((one) => one.kind.page)).toEqual(['ticket/duty']);
});

test('what waits is kept for reading without a network on a phone, never on a shared desk, and goes with its person', () => {
  const rows = byUrgency([kind('公文', [row('通知', { due_at: '2026-11-21 12:00:00' })])], now);
  keepLastWaits(rows, 1, now);
  expect(localStorage.getItem('lastWaits')).toBeNull();
  fillGaps(390);
  keepLastWaits(rows, 1, now);
  expect(JSON.parse(localStorage.getItem('lastWaits')!)).toEqual({
    at: '2026-11-20 10:00',
    total: 1,
    rows: [{ title: '通知', told: '公文 · 李四 · 2026-11-21 12:00 前' }],
  });
  forgetUser();
  expect(localStorage.getItem('lastWaits')).toBeNull();
});
