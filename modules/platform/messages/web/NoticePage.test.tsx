import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { Reader } from '../contract/readers.ts';
import type { Sent } from '../contract.ts';
import MessagePreference from './MessagePreference.tsx';
import NoticePage from './NoticePage.tsx';

const server = servedPage();
const at = { codes: ['Create', 'Retrieve', 'daochu'] as ('Create' | 'Retrieve' | 'daochu')[], at: '/notice' };
const pageOf = <R,>(value: R[]) => ok({ value, total: value.length, page: 1, per_page: 10 });

const notice: Sent = {
  id: 7,
  title: '停水通知',
  content: '周六上午停水，请提前储水。',
  type: 8,
  level: 1,
  sender_name: '王小明',
  need_receipt: true,
  publish_at: '2026-03-01 08:00:00',
  recall_at: null,
  state: 'published',
  total: 2,
  read: 1,
  confirmed: 1,
  unread_names: ['李未读'],
  actions: ['recall'],
};
const readers: Reader[] = [
  { id: 1, alias: '李未读', dept_name: '教务处', state: 1, state_name: '未读', read_time: null, confirmed_at: null },
  {
    id: 2,
    alias: '张已认',
    dept_name: '后勤处',
    state: 3,
    state_name: '已确认',
    read_time: '2026-03-01 09:00:00',
    confirmed_at: '2026-03-01 09:05:00',
  },
];
const answer = (rows: Sent[]) =>
  server.answers(({ method, path, query }) => {
    if (method !== 'GET') return ok({ id: 7, total: 2, publish_at: null });
    if (path.endsWith('/readers/'))
      return pageOf(readers.filter((one) => !query.get('state') || String(one.state) === query.get('state')));
    return path === '/api/msg/' ? pageOf(rows) : ok([]);
  });
const sent = (method: string) => server.asked.find((one) => one.method === method);

test('a notice opens with its text and its readers, filtered by read state', async () => {
  answer([notice]);
  show(<NoticePage />, at);
  fireEvent.click(await screen.findByText('停水通知'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByText('周六上午停水，请提前储水。')).toBeTruthy();
  expect(await drawer.findByText('张已认')).toBeTruthy();
  expect(drawer.getByTitle('2026-03-01 09:05:00')).toBeTruthy();
  expect(drawer.getByRole('button', { name: '导出' })).toBeTruthy();
  fireEvent.click(drawer.getByText('未读', { selector: '.ant-segmented-item-label' }));
  await waitFor(() => expect(drawer.queryByText('张已认')).toBeNull());
  expect(drawer.getByText('李未读')).toBeTruthy();
});

test('a scheduled notice lists its future recipients without a filter by read state', async () => {
  answer([{ ...notice, title: '下周例会', state: 'ahead' }]);
  show(<NoticePage />, at);
  fireEvent.click(await screen.findByText('下周例会'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('李未读')).toBeTruthy();
  expect(drawer.queryByText('全部')).toBeNull();
});

test('a notice is recalled after a confirmation, and a scheduled one counts no readers yet', async () => {
  answer([notice, { ...notice, id: 8, title: '下周例会', state: 'ahead', unread_names: ['某人'], actions: [] }]);
  show(<NoticePage />, at);
  const later = within((await screen.findByText('下周例会')).closest('tr') as HTMLElement);
  expect(later.getByText('待发布')).toBeTruthy();
  expect(later.queryByText('某人')).toBeNull();
  expect(later.queryByRole('button', { name: '撤回' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '撤回' }));
  const question = within(await screen.findByRole('dialog'));
  expect(sent('PUT')).toBeUndefined();
  fireEvent.click(question.getByRole('button', { name: '撤回' }));
  await waitFor(() => expect(sent('PUT')?.path).toBe('/api/msg/7/recall/'));
});

test('a notice to everybody with a text message asks once with the number of people, and reports it afterwards', async () => {
  answer([]);
  show(<NoticePage />, at);
  fireEvent.click(await screen.findByRole('button', { name: '新建通知' }));
  fireEvent.change(await screen.findByLabelText('标题'), { target: { value: '停电通知' } });
  fireEvent.change(screen.getByLabelText('内容'), { target: { value: '周日停电' } });
  fireEvent.click(screen.getByLabelText('全体人员'));
  fireEvent.click(screen.getByLabelText('短信提醒'));
  fireEvent.click(screen.getByRole('button', { name: '发布通知' }));
  // One question with the number of recipients is asked; nothing is sent before.
  const question = within(
    (await screen.findByText('发给全体 2 人', { selector: '.ant-modal-confirm-title' })).closest(
      '[role=dialog]',
    ) as HTMLElement,
  );
  expect(server.asked.some(({ method, path }) => method === 'POST' && path === '/api/msg/')).toBe(false);
  fireEvent.click(question.getByRole('button', { name: '发布通知' }));
  expect(await screen.findByText('通知已发给 2 人')).toBeTruthy();
  const written = server.asked.find(({ method, path }) => method === 'POST' && path === '/api/msg/');
  expect(written?.body).toMatchObject({ title: '停电通知', content: '周日停电', recipients: { all: true }, sms: true });
});

test('the default channels are ticked, and only changed choices are saved', async () => {
  const habit = { events: { CC: [] }, quiet_from: null, quiet_to: null, digest: true };
  const events = [
    { event: 'TODO', name: '有新的待办（普通）' },
    { event: 'TODO_URGENT', name: '有新的待办（加急、特急）' },
  ];
  const groups = [{ title: '待办', events }];
  const preference = { ...habit, groups, defaults: { TODO_URGENT: ['sms'] }, open: ['sms'], reachable: ['sms'] };
  server.answers(({ method }) => ok(method === 'GET' ? preference : {}));
  show(<MessagePreference username="zhang" />);
  fireEvent.click(await screen.findByRole('button', { name: /^待办/ }));
  const tick = async (name: string) => (await screen.findByLabelText(name)) as HTMLInputElement;
  const urgent = await tick('有新的待办（加急、特急），短信');
  expect([urgent.checked, (await tick('有新的待办（普通），短信')).checked]).toEqual([true, false]);
  fireEvent.click(urgent);
  expect(urgent.checked).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: '保存提醒设置' }));
  await waitFor(() => expect(sent('PUT')?.body).toMatchObject({ events: { CC: [], TODO_URGENT: [] } }));
});
