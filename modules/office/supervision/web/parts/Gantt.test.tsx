import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { itemState, subState } from '../../contract/codes.ts';
import { Plans } from './Gantt.tsx';

const server = servedPage();
const day = (after: number) => dayOf(new Date(Date.now() + after * 864e5));
const evening = (after: number) => `${day(after)} 18:00:00`;
const item = (id: number, title: string, more: object = {}) => ({
  id,
  title,
  status: itemState.running,
  light: 1,
  progress: 40,
  start_date: day(-60),
  issue_at: null,
  gmt_created: evening(-61),
  due_at: evening(30),
  first_due_at: evening(30),
  subs: [],
  ...more,
});
const part = (id: number, title: string, more: object = {}) => ({
  id,
  title,
  status: subState.running,
  light: 1,
  progress: 10,
  due_at: evening(20),
  first_due_at: evening(20),
  stages: [],
  ...more,
});
const open = (rows: object[], total = rows.length) => {
  server.answers(() => ok({ value: rows, total, page: 1, per_page: 50, lights: {} }));
  return show(<Plans tools={null} />, { at: '/supervise/list', codes: ['Retrieve'] });
};
const asked = () => Object.fromEntries(server.asked.at(-1)!.query);
const cells = async () => (await screen.findAllByRole('cell')).map((cell) => cell.getAttribute('aria-label'));

test('the plan shows for each item and part its period, original end, accepted progress, and lateness only while it is open', async () => {
  open([
    item(1, '网络升级', { due_at: evening(30), first_due_at: evening(-5) }),
    item(2, '食堂改造', { due_at: evening(-3), first_due_at: evening(-3), subs: [part(9, '完成招标')] }),
    item(3, '校史编写', { due_at: evening(-3), first_due_at: evening(-3), status: itemState.finished, progress: 100 }),
    item(4, '没有时限的草稿', { due_at: null, first_due_at: null }),
  ]);
  expect(await cells()).toEqual([
    `网络升级：${day(-60)} 至 ${day(30)}，原定 ${day(-5)}，已认可 40%`,
    `食堂改造：${day(-60)} 至 ${day(-3)}，已认可 40%，已逾期`,
    `完成招标：${day(-60)} 至 ${day(20)}，已认可 10%`,
    `校史编写：${day(-60)} 至 ${day(-3)}，已认可 100%`,
  ]);
  expect(screen.queryByText('没有时限的草稿')).toBeNull();
});

test('the plan asks for items of every state by search and page, and a new search starts at page one', async () => {
  const { address } = open([item(1, '网络升级')], 120);
  await cells();
  expect(asked()).toMatchObject({ status: String(itemState.running), page: '1', with_subs: 'true' });
  fireEvent.click(screen.getByTitle('2'));
  await waitFor(() => expect(asked()).toMatchObject({ page: '2' }));
  expect(address()).toContain('page=2');
  const search = screen.getByRole('searchbox', { name: '搜索事项' });
  fireEvent.change(search, { target: { value: '网络 ' } });
  fireEvent.keyDown(search, { key: 'Enter', code: 'Enter' });
  await waitFor(() => expect(asked()).toMatchObject({ search_value: '网络', page: '1' }));
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '状态' }));
  const options = [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')];
  expect(options.map((one) => one.textContent)).toEqual(['全部状态', ...Object.values(itemState.names)]);
  fireEvent.click(options[0]!);
  await waitFor(() => expect(asked()).not.toHaveProperty('status'));
});

test('a plan’s table has the months in its head and prints sideways in the chosen size', async () => {
  open([item(1, '网络升级')]);
  await cells();
  const [head] = screen.getAllByRole('rowgroup');
  const axis = within(head!).getByRole('columnheader', { name: '时间' });
  expect(axis.textContent).toContain(day(0).slice(0, 7));
  expect(document.querySelector('.kit-list > style')!.textContent).toContain('size: A4 landscape');
  fireEvent.click(screen.getByText('A3'));
  expect(document.querySelector('.kit-list > style')!.textContent).toContain('size: A3 landscape');
});
