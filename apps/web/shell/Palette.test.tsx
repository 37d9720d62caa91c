import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { keepCompositionKeys } from '#kernel/web/kit/composing.ts';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { activities } from '#modules/office/activities/contract/activities.ts';
import { contracts } from '#modules/office/contracts/contract/contracts.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { papers } from '#modules/office/folders/contract/list.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { orders } from '#modules/services/orders/contract/orders.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { menuOf } from './menu.ts';
import Palette from './Palette.tsx';
import type { Session } from './session.ts';
import { SessionContext } from './SessionContext.ts';

const server = servedPage();
const none = { value: [], total: 0, page: 1, per_page: 8 };
const flow = (id: number, name: string, why_not = '') => ({
  id,
  name,
  description: '',
  category: '人事',
  module: null,
  why_not,
  actions: [],
});
const person = {
  id: 7,
  alias: '李四',
  username: 'lisi',
  dept_name: '教务处',
  phone: '138****7890',
  office_phone: '8100',
};
const offer = { code: 'deliver', transition_name: '转交', from_admin: false, task_no: 1 };
const answers: Record<string, unknown> = {
  '/api/workflows/': { ...none, value: [flow(3, '请假申请'), flow(4, '请假销假', '您不在可以发起的范围内')], total: 2 },
  '/api/oauth/staff/all_staff/': { ...none, value: [person], total: 1 },
  '/api/oauth/staff/7/': { ...person, actions: ['phone', 'notify'] },
  '/api/accounts/users/simple/': [person],
  '/api/tickets/9/transitions/': { value: [offer] },
  '/api/customer/simple/': [],
};
const serve = () => server.answers(({ path }) => ok(answers[path] ?? none));
const everything = { '/ticket/new': ['Create'], '/meet/list': ['Create'] };
function open(at = '/index', codes: Readonly<Record<string, readonly string[]>> = everything) {
  const view = show(
    <PermissionContext value={(path) => (codes[path] ?? []) as PermissionCode[]}>
      <SessionContext value={{ menu: menuOf([], []) } as Session}>
        <Palette onClose={() => undefined} />
      </SessionContext>
    </PermissionContext>,
    { at },
  );
  return { ...view, type: (value: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value } }) };
}
const options = () => screen.queryAllByRole('option').map((one) => one.textContent);
const option = (name: RegExp) => screen.findByRole('option', { name });

test('the palette offers forms by the typed name to people who may start them', async () => {
  serve();
  const { type, address } = open();
  type('请假');
  fireEvent.click(await option(/^发起 请假申请/));
  expect(address()).toBe('/ticket/new?workflow=3');
  expect(options().some((text) => text?.includes('请假销假'))).toBe(false);
});

test('the palette offers no form to a person without the right', async () => {
  serve();
  const { type } = open('/index', {});
  for (const text of ['新建会议 明天10点', '请假']) {
    type(text);
    await waitFor(() => expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('false'));
    expect(options()).toEqual([expect.stringMatching(/^李四/), expect.stringMatching(/^给 李四 写消息/)]);
  }
});

test('typing a meeting with its time opens the short form with that time and name', async () => {
  serve();
  const { type, address } = open();
  type('新建会议 明天 10点 周例会');
  fireEvent.click(await option(/^预约会议：周例会/));
  const [path, query] = address().split('?');
  const form = new URLSearchParams(query);
  expect([path, form.get('title')]).toEqual(['/meet/book', '周例会']);
  expect(form.get('start_time')).toMatch(/^\d{4}-\d\d-\d\dT10:00$/);
  expect(form.get('end_time')).toBe(form.get('start_time')!.replace('T10', 'T11'));
});

test('on a ticket’s page the palette hands the ticket to a named person, if that is possible', async () => {
  serve();
  const { type, address } = open('/ticket/detail/9');
  type('转交给 李四');
  fireEvent.click(await option(/^转交给 李四/));
  expect(address()).toBe('/ticket/detail/9?deliver_to=lisi');
});

test('on any other page the palette offers no hand-over', async () => {
  serve();
  const { type } = open('/ticket/duty');
  type('转交给 李四');
  await option(/^李四/);
  expect(options().some((text) => text?.startsWith('转交'))).toBe(false);
});

test('the palette finds a person with the number from the address book, to be messaged or met', async () => {
  serve();
  const { type, address } = open();
  type('李四');
  expect((await option(/^李四/)).textContent).toContain('138****7890');
  expect(options()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^给 李四 写消息/), expect.stringMatching(/^约 李四 开会/)]),
  );
  fireEvent.click(await option(/^约 李四 开会/));
  expect(address()).toBe('/meet/new?with=7');
});

test('the palette searches records by the lists of each kind, with the words typed', async () => {
  serve();
  const { type } = open();
  type('报告');
  const lists = [documents, contracts, meetCalls, activities, applicationCalls, leaders, items, orders, tickets];
  const wanted = [...lists.map(({ list }) => list.path), papers.path];
  await waitFor(() => {
    const asked = server.asked.filter(({ query }) => query.get('search_value') === '报告' && !query.has('category'));
    expect(asked.map(({ path }) => path)).toEqual(expect.arrayContaining(wanted));
  });
});

test('the palette shows each result as it arrives, and says that there is none only when all have answered', async () => {
  let held: ServerResponse | undefined;
  server.answers(({ path }, response) => {
    if (path !== '/api/contract/') return ok(path === '/api/oauth/staff/all_staff/' ? answers[path] : none);
    held = response;
    return undefined;
  });
  const { type } = open();
  type('李四');
  await option(/^李四/);
  await waitFor(() => expect(held).toBeDefined());
  expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true');
  server.answers(({ path }, response) => {
    if (path !== '/api/contract/') return ok(path === '/api/customer/simple/' ? [] : none);
    held = response;
    return undefined;
  });
  held = undefined;
  type('没有这样的事');
  await waitFor(() => expect(held).toBeDefined());
  expect(screen.queryByText(/^没有找到/)).toBeNull();
  held!.setHeader('Content-Type', 'application/json');
  held!.end(JSON.stringify(ok(none)));
  await screen.findByText('没有找到“没有这样的事”，请更换关键字');
});

test('the palette does not say that there is nothing when a search failed', async () => {
  server.answers(({ path }) => (path === '/api/contract/' ? refuse(5000, '出错') : ok(answers[path] ?? none)));
  const { type } = open('/index', {});
  type('不在');
  await screen.findByText('有些内容没有查到，请稍后再试');
});

test('with nothing typed the last opened page is first, and an input method’s Enter opens nothing', async () => {
  serve();
  const view = (path: string, title: string) => ({ path, fullPath: path, title, name: path, affix: false });
  localStorage.setItem(
    'tagsView',
    JSON.stringify({ visitedViews: [view('/a', '先开的'), view('/b', '后开的'), view('/index', '现在的')] }),
  );
  const release = keepCompositionKeys(window);
  const { address } = open();
  expect(options()).toEqual([expect.stringContaining('后开的'), expect.stringContaining('先开的')]);
  const box = screen.getByRole('combobox');
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 });
  expect(address()).toBe('/index');
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(address()).toBe('/a');
  release();
});
