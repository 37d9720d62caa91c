import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { JobKind } from '../contract/jobs.ts';
import JobPage from './JobPage.tsx';

const server = servedPage();
const wide = window.innerWidth;
afterEach(() => void (window.innerWidth = wide));

const kind = (name: string, more: Partial<JobKind> = {}): JobKind => ({
  name,
  title: name,
  how: 'cron',
  every_seconds: null,
  last_at: null,
  ms: null,
  next_at: null,
  waiting: 0,
  failed: 0,
  failed_at: null,
  failure: '',
  broken: false,
  actions: [],
  ...more,
});

test('on a phone each kind of job is a card, failed ones first', async () => {
  window.innerWidth = 390;
  server.answers(({ path }) =>
    path === '/api/msg/job/'
      ? ok({
          value: [
            kind('提醒', { next_at: '2030-06-01 08:30:00' }),
            kind('清理', {
              how: 'every',
              every_seconds: 600,
              last_at: '2030-06-01 08:00:00',
              ms: 120,
              failed_at: '2030-06-01 08:00:00',
              failure: '没有写入',
              broken: true,
              waiting: 2,
            }),
          ],
        })
      : ok({ value: [], total: 0, page: 1, per_page: 20 }),
  );
  show(<JobPage />);
  const region = within(await screen.findByRole('region', { name: '后台任务' }));
  const cards = region.getAllByRole('listitem').map((one) => one.textContent);
  expect(region.queryByRole('table')).toBeNull();
  expect(cards).toHaveLength(2);
  for (const part of ['清理', '最近一次失败', '每 10 分钟', '用时 120 毫秒', '排队 2 项', '没有写入'])
    expect(cards[0]).toContain(part);
  expect(cards[1]).toMatch(/提醒.*下次/);
  expect(cards[1]).not.toContain('排队');
});
