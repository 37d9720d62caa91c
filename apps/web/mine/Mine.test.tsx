import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { standingNames, type StartedRow } from '#modules/platform/started/contract.ts';
import { menuOf } from '../shell/menu.ts';
import type { Session } from '../shell/session.ts';
import { SessionContext } from '../shell/SessionContext.ts';
import Mine from './Mine.tsx';

const server = servedPage();
/** Items of a kind without a page of one record here, so that no other queries are made. */
const row = (key: string, of: number, more: Partial<StartedRow> = {}): StartedRow => ({
  id: `${key}.${of}`,
  key,
  kind: key === 'contracts' ? '合同' : '督办事项',
  of,
  title: `${key}事项${of}`,
  sn: `2026-${of}`,
  what: key === 'contracts' ? '12,000.00 元' : '',
  since: '2026-11-20 09:00:00',
  stands: 'running',
  state: { word: '待审', tone: 'processing' },
  step: '部门负责人审核',
  who: '李四',
  stuck: false,
  due_at: null,
  light: null,
  news: false,
  web_path: '/contract/list',
  copy_path: null,
  ticket: null,
  ...more,
});
let rows: StartedRow[] = [];
function serve(given: StartedRow[], offers: readonly object[] = []) {
  rows = given;
  server.answers(({ path, query }) => {
    if (path.endsWith('/transitions/')) return ok({ value: offers });
    if (path === '/api/started/') {
      const kinds = [...Map.groupBy(rows, ({ key }) => key)].map(([key, some]) => ({
        key,
        title: some[0]!.kind,
        count: some.length,
        running: some.length,
      }));
      return ok({ total: rows.length, running: rows.length, value: kinds });
    }
    if (path !== '/api/started/list/') return ok({ value: [], total: 0, page: 1, per_page: 10 });
    const kind = query.get('category') ?? 'all';
    const value = rows.filter(({ key }) => kind === 'all' || key === kind);
    return ok({ value, total: value.length, page: 1, per_page: 10 });
  });
}
const open = (at = '/ticket/owner') =>
  show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <Mine />
    </SessionContext>,
    { at, preferences: { 'preview:ticket/owner': false } },
  );

test('started items have a tab with count for each kind, and rows show figure, state, handler and news', async () => {
  serve([row('contracts', 1, { news: true }), row('supervision', 2, { stuck: true, who: '' })]);
  open();
  const tabs = within(await screen.findByRole('group', { name: '分类' }));
  await waitFor(() =>
    expect(tabs.getAllByRole('button').map((one) => one.textContent)).toEqual(['全部 2', '合同 1', '督办事项 1']),
  );
  const first = (await screen.findByRole('link', { name: /contracts事项1/ })).closest('tr')!;
  for (const said of ['合同 · 12,000.00 元 · 2026-1', '待审', '部门负责人审核', '李四'])
    expect(first.textContent).toContain(said);
  expect(within(first).getByTitle('您上次查看后的新动态')).toBeTruthy();
  expect(screen.getByText('无人可办')).toBeTruthy();
  fireEvent.click(tabs.getByRole('button', { name: /^合同/ }));
  await waitFor(() => expect(screen.queryByRole('link', { name: /supervision事项2/ })).toBeNull());
});

test('the actions of a started item are loaded on demand for its row, and only those are offered', async () => {
  const urge = { code: 'urge', transition_name: '催办', task_no: null, from_admin: false };
  serve(
    [row('meetings', 1, { ticket: { id: 71, version: 3 } }), row('meetings', 2, { ticket: { id: 72, version: 1 } })],
    [urge, { ...urge, code: 'comment', transition_name: '评论' }],
  );
  open();
  const asked = () => server.asked.flatMap(({ path }) => (path.endsWith('/transitions/') ? path : []));
  const button = await screen.findByRole('button', { name: '催办或撤回“meetings事项1”' });
  expect(asked()).toEqual([]);
  fireEvent.click(button);
  expect(await screen.findByRole('button', { name: /^催\s?办$/ })).toBeTruthy();
  expect(asked()).toEqual(['/api/tickets/71/transitions/']);
  expect(screen.queryByRole('button', { name: /^撤\s?回$/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^评\s?论$/ })).toBeNull();
  serve(rows);
  fireEvent.click(screen.getByRole('button', { name: '催办或撤回“meetings事项2”' }));
  expect(await screen.findByText('现在不能催办或撤回')).toBeTruthy();
});

test('a finished item is neither urged nor withdrawn, and can be copied if its kind has a form for that', async () => {
  serve([
    row('contracts', 1, { stands: 'over', copy_path: '/contract/list?new=1&copy=1', ticket: { id: 9, version: 1 } }),
  ]);
  open();
  const copy = await screen.findByRole('button', { name: /^复\s?制$/ });
  expect(copy.closest('a')?.getAttribute('href')).toBe('/contract/list?new=1&copy=1');
  expect(screen.queryByRole('button', { name: /^催办或撤回/ })).toBeNull();
});

test('started items are filtered by state and worked by keyboard like waiting ones', async () => {
  serve([row('contracts', 1), row('contracts', 2)]);
  const { address } = show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <Mine />
    </SessionContext>,
    { at: '/ticket/owner?row=contracts.1&stands=running' },
  );
  await screen.findByRole('complementary', { name: '预览' });
  expect(server.asked.some(({ query }) => query.get('stands') === 'running')).toBe(true);
  expect((await screen.findAllByText(standingNames.running)).length).toBeGreaterThan(0);
  fireEvent.keyDown(document.body, { key: 'j' });
  await waitFor(() => expect(new URLSearchParams(address().split('?')[1]).get('row')).toBe('contracts.2'));
});
