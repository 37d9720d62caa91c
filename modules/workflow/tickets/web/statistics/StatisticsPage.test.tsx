import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import StatisticsPage from './StatisticsPage.tsx';

const server = servedPage();
beforeEach(() => {
  // jsdom draws nothing; the figures are read from the tables.
  const pen = new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });
  HTMLCanvasElement.prototype.getContext = (() => pen) as unknown as typeof HTMLCanvasElement.prototype.getContext;
});

const none = { started: 0, finished: 0, decided: 0, wait_hours: 0, work_hours: 0 };
const figures = (more: object) => ({
  ...none,
  returned: 0,
  return_rate: 0,
  overdue: 0,
  open: 0,
  open_overdue: 0,
  ...more,
});
const rows: Record<string, object[]> = {
  month: [{ key: '2026-11', name: '2026-11', ...figures({ started: 12, finished: 9, decided: 30 }) }],
  state: [{ key: '1-2', name: '报修 · 部门负责人审批', ...figures({ decided: 8, wait_hours: 1.5, return_rate: 25 }) }],
  person: [{ key: '5', name: '宋明杰', ...figures({ decided: 8, work_hours: 2, open: 3, open_overdue: 1 }) }],
};
const summary = figures({
  started: 12,
  finished: 9,
  decided: 30,
  wait_hours: 1.5,
  work_hours: 2,
  return_rate: 25,
  open: 3,
});
const page = { page: 1, per_page: 100 };
const whole = Object.fromEntries(Object.entries(rows).map(([dim, lines]) => [`by_${dim}`, lines]));
const told = (_query: URLSearchParams): unknown =>
  ok({ value: { summary, more: {}, ...whole }, start: '2025-12-01', end: '2026-11-30' });
const answers = (statistics: (query: URLSearchParams) => unknown = told) =>
  server.answers(({ path, query }) => {
    if (path === '/api/tickets/statistics/') return statistics(query);
    return path === '/api/workflows/' ? ok({ ...page, value: [{ id: 3, name: '报修' }], total: 1 }) : ok([]);
  });
const asked = () => server.asked.filter((one) => one.path === '/api/tickets/statistics/').map((one) => one.query);
/** The rows of one panel as a table. */
const tableOf = async (title: string) => {
  const panel = await screen.findByLabelText(title);
  fireEvent.click(await within(panel).findByText('表'));
  await waitFor(() => expect(panel.querySelector('tbody td')).not.toBeNull());
  return [...panel.querySelectorAll('tr:not([aria-hidden="true"])')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
};

test('waiting and handling times, returns and lateness are shown in total, by month, state and person', async () => {
  answers();
  show(<StatisticsPage />, { at: '/ticket/statistics' });
  const waited = await screen.findByText('平均等待');
  expect(waited.parentElement!.textContent).toContain('平均等待1.5 小时');
  expect(screen.getByText('退回率').parentElement!.textContent).toContain('退回率25%');
  // The home page counts only one's own, which would seem to contradict this.
  expect(screen.getByText('所有人待办').parentElement!.textContent).toContain('所有人待办3 项');
  expect(screen.getByText('所有人逾期').parentElement!.textContent).toContain('所有人逾期0 项');
  expect(screen.getByText(/首页只计本人的/)).toBeTruthy();
  expect(await tableOf('每月发起、办结与处理')).toEqual([
    expect.arrayContaining(['月份', '发起', '办结', '处理']),
    ['2026-11', '12', '9', '30', '0', '0', '0', '0', '0'],
  ]);
  expect((await tableOf('各环节的等待与办理时长'))[1]).toEqual([
    '报修 · 部门负责人审批',
    ...'8 1.5 0 0 25 0 0 0'.split(' '),
  ]);
  expect((await tableOf('各办理人的等待与办理时长'))[1]).toEqual(['宋明杰', ...'8 0 2 0 0 0 3 1'.split(' ')]);
  // One query for these days, one for as many days before, to compare.
  expect(asked()).toHaveLength(2);
}, 60_000);

test('workflow, days and department are kept in the address and sent with every part of the statistics', async () => {
  answers();
  const { address } = show(<StatisticsPage />, { at: '/ticket/statistics?workflow_id=3&start=2026-01-01&dept=4' });
  await screen.findByText('平均等待');
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked().map((query) => [query.get('workflow_id'), query.get('start'), query.get('dept')])).toEqual([
    ['3', '2026-01-01', '4'],
    ['3', '2024-12-01', '4'],
  ]);
  fireEvent.change(screen.getByLabelText('到'), { target: { value: '2026-06-30' } });
  await waitFor(() => expect(asked().filter((query) => query.get('end') === '2026-06-30')).toHaveLength(1));
  expect(address()).toContain('end=2026-06-30');
}, 60_000);

test('the end of the period cannot be before its beginning', async () => {
  answers();
  show(<StatisticsPage />, { at: '/ticket/statistics?start=2026-03-04' });
  await screen.findByText('平均等待');
  const last = screen.getByLabelText<HTMLInputElement>('到');
  fireEvent.change(last, { target: { value: '2026-03-31' } });
  fireEvent.keyDown(last, { key: 'ArrowDown', altKey: true });
  const day = (title: string) => document.querySelector(`td[title="${title}"]`)?.className ?? '';
  await waitFor(() => expect(day('2026-03-03')).toContain('disabled'));
  expect(day('2026-03-04')).not.toContain('disabled');
});

test('a person without the permission for the statistics gets a sentence instead of an empty page', async () => {
  answers(() => refuse(4003, '没有“工单统计”的权限，请联系管理员开通'));
  show(<StatisticsPage />, { at: '/ticket/statistics' });
  expect((await screen.findAllByText(/没有“工单统计”的权限/)).length).toBeGreaterThan(0);
});
