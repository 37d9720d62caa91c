import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { fillGaps } from '#kernel/web/testing/show.tsx';
import type { WaitingRow } from '#modules/platform/waits/contract.ts';
import { forgetUser } from '../stored.ts';
import { keepLastWaits } from './last-waits.ts';

emptyPage();

test('waiting items are kept for offline reading on a phone, never on a shared desktop, and removed with their person', () => {
  const now = new Date('2026-11-20T10:00:00+08:00');
  const rows: WaitingRow[] = [
    {
      id: 'dist.1',
      key: 'dist',
      page: 'document/dist',
      kind: '公文',
      of: 1,
      title: '通知',
      what: '',
      who: '李四',
      since: '2026-11-20 09:00:00',
      due_at: '2026-11-21 12:00:00',
      light: null,
      until: null,
      notes_opening: false,
      web_path: '/document/dist/detail/1',
    },
  ];
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
