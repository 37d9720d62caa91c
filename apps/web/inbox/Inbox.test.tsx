import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show, type Showing } from '#kernel/web/testing/show.tsx';
import type { WaitingRow } from '#modules/platform/waits/contract.ts';
import { TodoCount } from '#modules/platform/waits/widgets.tsx';
import { Waiting } from '../home/Waiting.tsx';
import { menuOf } from '../shell/menu.ts';
import type { Session } from '../shell/session.ts';
import { SessionContext } from '../shell/SessionContext.ts';
import Inbox from './Inbox.tsx';

const server = servedPage();

/** Items of kinds that are handled in a list of their own, so that no other queries are made. */
const row = (key: string, of: number): WaitingRow => ({
  id: `${key}.${of}`,
  key,
  page: key,
  kind: key === 'seal' ? '印章签收' : '待确认通知',
  of,
  title: `${key}事项${of}`,
  what: key === 'seal' ? '合同专用章' : '',
  who: '李四',
  since: '2026-11-20 09:00:00',
  due_at: null,
  light: null,
  until: null,
  notes_opening: false,
  web_path: key === 'seal' ? '/stamp/list' : `/msg?notice=${of}`,
});
let rows: WaitingRow[] = [];
function serve(given: WaitingRow[]) {
  rows = given;
  server.answers(({ path, query }) => {
    if (path === '/api/waits/list/') {
      const kind = query.get('category');
      const value = rows.filter(({ key }) => kind === null || kind === 'all' || key === kind);
      const per_page = Number(query.get('per_page'));
      return ok({ value: value.slice(0, per_page), total: value.length, page: 1, per_page });
    }
    if (path !== '/api/waits/') return ok({ value: [], total: 0, page: 1, per_page: 10 });
    const kinds = [...Map.groupBy(rows, ({ key }) => key)].map(([key, some]) => ({
      key,
      page: key,
      path: '/stamp/list',
      title: some[0]!.kind,
      count: some.length,
      overdue: 0,
      aside: 0,
    }));
    return ok({ total: rows.length, overdue: 0, aside: 0, value: kinds });
  });
}
const open = (showing: Showing = {}) =>
  show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <TodoCount />
      <Inbox />
    </SessionContext>,
    { at: '/todo', ...showing },
  );
const beside = async (title: string) => {
  const preview = await screen.findByRole('complementary', { name: '预览' });
  await waitFor(() => expect(within(preview).getByRole('heading', { name: title })).toBeTruthy());
};

test('the badge, the tab of all and the sum of the kinds’ tabs agree, and a tab is in the address', async () => {
  serve([row('seal', 1), row('seal', 2), row('message', 7)]);
  const { address } = open();
  expect(await screen.findByLabelText('3 项')).toBeTruthy();
  const tabs = within(await screen.findByRole('group', { name: '分类' }));
  await waitFor(() =>
    expect(tabs.getAllByRole('button').map((one) => one.textContent)).toEqual(['全部 3', '印章签收 2', '待确认通知 1']),
  );
  fireEvent.click(tabs.getByRole('button', { name: /^待确认通知/ }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'seal事项1' })).toBeNull());
  expect(new URLSearchParams(address().split('?')[1]).get('category')).toBe('message');
});

test('the previewed item is in the address, and once it is done the next one opens', async () => {
  serve([row('seal', 1), row('seal', 2), row('message', 7)]);
  const { address } = open({ at: '/todo?row=seal.2' });
  await beside('seal事项2');
  fireEvent.keyDown(document.body, { key: 'j' });
  await beside('message事项7');
  expect(address()).toBe('/todo?row=message.7');
  fireEvent.keyDown(document.body, { key: 'k' });
  await beside('seal事项2');
  serve([row('seal', 1), row('message', 7)]);
  fireEvent.click(screen.getByRole('button', { name: /^全部/ }));
  fireEvent.change(screen.getByPlaceholderText('请输入关键字'), { target: { value: '事项' } });
  await beside('message事项7');
  await waitFor(() => expect(new URLSearchParams(address().split('?')[1]).get('row')).toBe('message.7'));
});

test('items chosen under one tab are not chosen under another, and 稍后 opens only by hand', async () => {
  serve([row('seal', 1), row('message', 7)]);
  open();
  const tabs = within(await screen.findByRole('group', { name: '分类' }));
  await screen.findByRole('link', { name: 'seal事项1' });
  fireEvent.click(screen.getAllByRole('checkbox').at(-1)!);
  await screen.findByText('已选 1 项');
  fireEvent.click(tabs.getByRole('button', { name: /^印章签收/ }));
  await waitFor(() => expect(screen.queryByText(/^已选/)).toBeNull());
  fireEvent.click(tabs.getByRole('button', { name: /^全部/ }));
  await waitFor(() => expect(screen.getByRole('link', { name: 'message事项7' })).toBeTruthy());
  expect(screen.queryByText(/^已选/)).toBeNull();
});

test('when all items are put aside the list of all stays, says so and links to 稍后', async () => {
  server.answers(({ path, query }) => {
    if (path === '/api/waits/') {
      const kind = {
        key: 'seal',
        page: 'seal',
        path: '/stamp/list',
        title: '印章签收',
        count: 0,
        overdue: 0,
        aside: 1,
      };
      return ok({ total: 0, overdue: 0, aside: 1, value: [kind] });
    }
    const value = query.get('category') === 'aside' ? [{ ...row('seal', 1), until: '2030-06-01 09:00:00' }] : [];
    return ok({ value, total: value.length, page: 1, per_page: 10 });
  });
  open();
  expect(await screen.findByText('要办的事项都已放到稍后')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'seal事项1' })).toBeNull();
  fireEvent.click(screen.getByRole('link', { name: '查看稍后的事项' }));
  await screen.findByRole('link', { name: 'seal事项1' });
  expect(screen.getByRole('columnheader', { name: /回来时间/ })).toBeTruthy();
});

test('a desktop loads only the items the home page shows, and a phone loads once those it keeps', async () => {
  serve([row('seal', 1)]);
  const home = () =>
    show(
      <SessionContext value={{ menu: menuOf([], []) } as Session}>
        <Waiting />
      </SessionContext>,
      { at: '/index' },
    );
  const sizes = () =>
    server.asked.flatMap(({ path, query }) => (path === '/api/waits/list/' ? Number(query.get('per_page')) : []));
  const before = sizes().length;
  home();
  await screen.findByRole('link', { name: 'seal事项1' });
  expect(sizes().slice(before)).toEqual([8]);
  cleanup();
  window.innerWidth = 390;
  home();
  await screen.findByRole('link', { name: 'seal事项1' });
  expect(sizes().slice(before)).toEqual([8, 20]);
});

test('the home page shows the first waiting items and how many more there are, with a link to all', async () => {
  serve(Array.from({ length: 11 }, (_, at) => row(at < 10 ? 'seal' : 'message', at)));
  show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <Waiting />
    </SessionContext>,
    { at: '/index' },
  );
  await screen.findByRole('link', { name: 'seal事项0' });
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(
    Array.from({ length: 8 }, (_, at) => expect.stringContaining(`事项${at}`)),
  );
  expect(screen.getByRole('link', { name: '还有 3 项' }).getAttribute('href')).toBe('/todo');
  fireEvent.click(screen.getByRole('button', { name: /印章签收/ }));
  expect((await screen.findByRole('link', { name: '还有 2 项' })).getAttribute('href')).toBe('/todo?category=seal');
});
