import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Button } from 'antd';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { fillGaps, show } from '../../testing/show.tsx';
import type { Showing } from '../../testing/show.tsx';
import { ok, refuse } from '../../testing/server.ts';
import { stamps } from '../../testing/stamps.ts';
import { SharedViewsContext } from '../preferences.tsx';
import { asDesigned } from './columns/columns.ts';
import { ListPage } from './ListPage.tsx';

const server = servedPage();

const opened = vi.fn();
function page(total = 23) {
  server.answers(({ query }) => {
    const page = Number(query.get('page') ?? 1);
    const per = Number(query.get('per_page') ?? 10);
    const length = Math.max(0, Math.min(per, total - (page - 1) * per));
    const value = Array.from({ length }, (_, i) => ({
      id: (page - 1) * per + i + 1,
      name: `印章${(page - 1) * per + i + 1}`,
      count: i,
    }));
    return ok({
      value: query.get('search_value') ? [] : value,
      total: query.get('search_value') ? 0 : total,
      page,
      per_page: per,
    });
  });
}
const showList = (showing?: Showing, choosable?: (row: { id: number }) => boolean) =>
  show(
    <ListPage
      card={[]}
      name="stamp/list"
      title="印章"
      call={stamps.list}
      numbered
      columns={[
        { key: 'name', title: '名称', main: true },
        { key: 'count', title: '次数', number: true, sort: true },
      ]}
      filters={[{ key: 'state', label: '状态', kind: 'text', often: true }]}
      batch={(rows) => <span>可处理 {rows.length} 枚</span>}
      {...(choosable && { choosable })}
      onOpen={opened}
      empty={{ why: '还没有登记印章', next: <span>先登记一枚</span> }}
    />,
    showing,
  );

test('row numbers continue across pages, and the page is in the address', async () => {
  page();
  const { address } = showList();
  await screen.findByText('印章1');
  fireEvent.click(screen.getByRole('button', { name: '第 3 页' }));
  const row = (await screen.findByText('印章21')).closest('tr') as HTMLElement;
  expect(within(row).getByText('21')).toBeTruthy();
  expect(address()).toBe('/stamp/list?page=3');
  expect(server.asked.at(-1)?.query.get('page')).toBe('3');
});

test('an address restores page, search and filter, with ten rows a page unless it says otherwise', async () => {
  page();
  showList({ at: '/stamp/list?page=2&state=4&order_by=count&desc=true' });
  await screen.findByText('印章11');
  const query = Object.fromEntries(server.asked[0]?.query ?? []);
  expect(query).toEqual({ page: '2', per_page: '10', state: '4', order_by: 'count', desc: 'true' });
});

test('a list without categories sends none, whatever the address says', async () => {
  page();
  showList({ at: '/stamp/list?category=sent&state=4' });
  await screen.findByText('印章1');
  expect(Object.fromEntries(server.asked[0]?.query ?? [])).toEqual({ page: '1', per_page: '10', state: '4' });
});

test('typing searches after a pause from the first page, and an empty result says why', async () => {
  page();
  const { address } = showList({ at: '/stamp/list?page=2' });
  await screen.findByText('印章11');
  const box = screen.getByPlaceholderText('请输入关键字');
  fireEvent.change(box, { target: { value: '钢' } });
  fireEvent.change(box, { target: { value: '钢印' } });
  await screen.findByText(/没有符合条件的记录/);
  expect(
    server.asked.filter((asking) => asking.query.get('search_value')).map((a) => a.query.get('search_value')),
  ).toEqual(['钢印']);
  expect(decodeURIComponent(address())).toBe('/stamp/list?search_value=钢印');
});

test('an empty list says why and what to do next', async () => {
  page(0);
  showList();
  await screen.findByText('还没有登记印章');
  expect(screen.getByText('先登记一枚')).toBeTruthy();
});

test('a failed load stops the spinner, shows the request number and can be retried', async () => {
  server.answers(() => refuse(5000, '服务器出错了', { trace_id: 'trace-9' }));
  showList();
  expect((await screen.findByRole('alert')).textContent).toContain('服务器出错了');
  expect(screen.getByText('trace-9')).toBeTruthy();
  page();
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('印章1');
});

test('a page beyond the last leads to the last', async () => {
  page(23);
  const { address } = showList({ at: '/stamp/list?page=9' });
  await screen.findByText('印章21');
  expect(address()).toBe('/stamp/list?page=3');
});

test('keys move, choose and open rows, and the batch bar counts across pages', async () => {
  page();
  showList();
  await screen.findByText('印章1');
  for (const key of ['j', 'j', 'x']) fireEvent.keyDown(document.body, { key });
  expect(screen.getByRole('status').textContent).toContain('可处理 1 枚');
  fireEvent.keyDown(document.body, { key: 'Enter' });
  expect(opened).toHaveBeenLastCalledWith({ id: 2, name: '印章2', count: 1 });
  fireEvent.click(screen.getByRole('button', { name: '第 2 页' }));
  await screen.findByText('印章11');
  fireEvent.keyDown(document.body, { key: 'x' });
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('可处理 2 枚'));
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(screen.getByPlaceholderText('请输入关键字'));
});

test('a row without batch actions cannot be chosen by mouse, key or choose-all', async () => {
  page();
  const chosen = showList(undefined, ({ id }) => id !== 2);
  await screen.findByText('印章1');
  expect(screen.queryByRole('checkbox', { name: '选择第 2 行' })).toBeNull();
  for (const key of ['j', 'j', 'x']) fireEvent.keyDown(document.body, { key });
  expect(screen.queryByText(/可处理/)).toBeNull();
  fireEvent.click(screen.getAllByRole('checkbox')[0]!);
  expect(screen.getByRole('status').textContent).toContain('可处理 9 枚');
  chosen.unmount();
  showList(undefined, () => false);
  await screen.findByText('印章1');
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
});

test('a capped total reads 10000+', async () => {
  server.answers(() =>
    ok({ value: [{ id: 1, name: '印章1', count: 1 }], total: 10000, total_capped: true, page: 1, per_page: 10 }),
  );
  showList();
  expect(await screen.findByText('共 10000+ 条')).toBeTruthy();
});

test('a total that was shown does not shrink when paging back', async () => {
  for (const [further, shown] of [
    [{ total: 1200, total_capped: true }, '共 1200+ 条'],
    [{ total: 1130 }, '共 1130 条'],
  ] as const) {
    server.answers(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const counted = page > 50 ? further : { total: 1000, total_capped: true };
      return ok({ value: [{ id: page, name: `印章${page}`, count: 1 }], ...counted, page, per_page: 10 });
    });
    const view = showList({ at: '/stamp/list?page=90' });
    await screen.findByText('印章90');
    expect(screen.getByText(shown)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '第 1 页' }));
    await screen.findByText('印章1');
    expect(view.address()).not.toContain('page=90');
    expect(screen.getByText(shown)).toBeTruthy();
    view.unmount();
  }
});

test('a typed filter is emptied by clearing filters, follows a chosen view, and is gone after leaving it', async () => {
  page();
  const { address } = showList({
    at: '/stamp/list?state=4',
    preferences: { 'views:stamp/list': [{ name: '退回的', search: 'state=2' }] },
  });
  await screen.findByText('印章1');
  const field = () => screen.getByLabelText<HTMLInputElement>('状态');
  fireEvent.click(screen.getByRole('button', { name: '清除 1 项筛选' }));
  expect([address(), field().value]).toEqual(['/stamp/list', '']);
  fireEvent.blur(field());
  expect(address()).toBe('/stamp/list');
  fireEvent.click(screen.getByRole('button', { name: '视图' }));
  fireEvent.click(await screen.findByText('退回的'));
  expect([address(), field().value]).toEqual(['/stamp/list?state=2', '2']);
  fireEvent.change(field(), { target: { value: '3' } });
  fireEvent.blur(field());
  expect([address(), field().value]).toEqual(['/stamp/list?state=3', '3']);
});

test('exporting needs the permission daochu on the page', async () => {
  page();
  const { unmount } = showList();
  await screen.findByText('印章1');
  expect(screen.queryByRole('button', { name: '导出' })).toBeNull();
  unmount();
  showList({ codes: ['daochu'] });
  expect(await screen.findByRole('button', { name: '导出' })).toBeTruthy();
});

test('a background export is announced with a link to where it will be', async () => {
  page();
  const { address } = showList({ codes: ['daochu'] });
  await screen.findByText('印章1');
  server.answers(() => ok(null));
  fireEvent.click(screen.getByRole('button', { name: '导出' }));
  expect(await screen.findByText(/正在后台生成，完成后会发消息给您/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '我的导出' }));
  expect(address()).toBe('/exports');
});

test('a hidden column stays hidden for the person, and a view is kept with its filters', async () => {
  page();
  const saved = vi.fn();
  showList({
    at: '/stamp/list?state=4&page=2',
    saved,
    preferences: {
      'columns:stamp/list': { order: [], shown: { count: false }, pins: {}, widths: {}, density: 'small' },
    },
  });
  await screen.findByText('印章11');
  expect(screen.queryByRole('columnheader', { name: '次数' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '视图' }));
  fireEvent.change(await screen.findByLabelText('视图名称'), { target: { value: '待办' } });
  fireEvent.click(screen.getByRole('button', { name: '保存当前' }));
  expect(saved).toHaveBeenCalledWith('views:stamp/list', [{ name: '待办', search: 'state=4' }]);
});

test('under 992 px rows are cards and the pager has five numbers', async () => {
  fillGaps(390);
  page(300);
  showList();
  await screen.findByText('印章1');
  expect(document.querySelector('table')).toBeNull();
  expect(document.querySelectorAll('.kit-cards > li')).toHaveLength(10);
  expect(screen.getAllByRole('button', { name: /^第 \d+ 页$/ })).toHaveLength(5);
});

test('a card shows the facts that its list chose in their order, whatever the table shows or hides', async () => {
  fillGaps(390);
  page();
  const { unmount } = show(
    <ListPage
      card={['state', 'count']}
      name="stamp/list"
      title="印章"
      call={stamps.list}
      columns={[
        { key: 'count', title: '次数', number: true, hidden: true, render: () => 7 },
        { key: 'name', title: '名称', main: true },
        { key: 'keeper', title: '保管人', render: () => '某人' },
        { key: 'state', title: '状态', render: () => <span>在用</span> },
      ]}
      to={(row) => `/stamp/${row.id}`}
      empty={{ why: '还没有登记印章' }}
    />,
  );
  await screen.findByText('印章1');
  const facts = document.querySelector('.kit-card-facts')!;
  expect([...facts.children].map((one) => one.textContent)).toEqual(['在用', '次数 7']);
  unmount();
});

test('the actions column is shown as long as one row has an action', async () => {
  const listed = async (able: (row: { id: number }) => boolean) => {
    page();
    const { unmount } = show(
      <ListPage
        card={[]}
        name="stamp/list"
        title="印章"
        call={stamps.list}
        columns={[{ key: 'name', title: '名称', main: true }]}
        acts={able}
        rowActions={(row) => able(row) && <button type="button">停用 {row.name}</button>}
        empty={{ why: '还没有登记印章' }}
      />,
    );
    await screen.findByText('印章1');
    const found = [screen.queryAllByText('操作').length > 0, screen.queryAllByRole('button', { name: /停用/ }).length];
    unmount();
    return found;
  };
  expect(await listed(() => false)).toEqual([false, 0]);
  expect(await listed((row) => row.id === 3)).toEqual([true, 1]);
});

test('a list opens on its first tab with rows and stays there; a chosen empty tab says so and links to all', async () => {
  const held: Record<string, number> = { owner: 2, all: 2 };
  server.answers(({ query }) => {
    const total = query.get('search_value') ? 0 : (held[query.get('category') ?? ''] ?? 0);
    const value = Array.from({ length: total }, (_, i) => ({ id: i + 1, name: `印章${i + 1}`, count: 0 }));
    return ok({ value, total, page: 1, per_page: 10 });
  });
  const tabs = { duty: '待办', worked: '我处理', cc: '抄送', owner: '我申请', all: '全部' };
  show(
    <ListPage
      card={[]}
      name="stamp/list"
      title="印章"
      call={stamps.list}
      columns={[{ key: 'name', title: '名称', main: true }]}
      categories={Object.entries(tabs).map(([value, label]) => ({
        value,
        label,
        ...(value === 'duty' && { empty: '待您办理的会出现在这里' }),
      }))}
      empty={{ why: '这里还没有' }}
    />,
  );
  const pressed = () => screen.getByRole('button', { pressed: true }).textContent;
  let saidEmpty = false;
  const watcher = new MutationObserver(() => (saidEmpty ||= screen.queryByText('待您办理的会出现在这里') !== null));
  watcher.observe(document.body, { childList: true, subtree: true });
  await screen.findByText('印章1');
  watcher.disconnect();
  expect([pressed(), saidEmpty]).toEqual([expect.stringMatching(/^我申请/), false]);
  // The numbers beside the tabs show which tab that is, so none of those in between is opened.
  const looked = server.asked
    .filter(({ query }) => query.get('per_page') !== '1')
    .map(({ query }) => query.get('category'));
  expect(looked).toEqual(['duty', 'owner']);
  held['owner'] = 0;
  fireEvent.change(screen.getByPlaceholderText('请输入关键字'), { target: { value: '没有' } });
  await screen.findByText(/没有符合条件的记录/);
  expect(pressed()).toMatch(/^我申请/);
  fireEvent.click(screen.getByText('清除搜索与筛选'));
  await screen.findByText('“我申请”中没有记录');
  expect(pressed()).toMatch(/^我申请/);
  fireEvent.click(screen.getByRole('button', { name: /^待办/ }));
  await waitFor(() => expect(pressed()).toMatch(/^待办/));
  await screen.findByText('待您办理的会出现在这里');
  fireEvent.click(screen.getByRole('button', { name: /^我申请/ }));
  fireEvent.click(await screen.findByText('查看全部'));
  await screen.findByText('印章1');
  expect(pressed()).toMatch(/^全部/);
  held['all'] = 0;
  fireEvent.click(screen.getByRole('button', { name: /^我申请/ }));
  fireEvent.click(await screen.findByText('查看全部'));
  await screen.findByText('这里还没有');
});

test('tabs without a count show the total of their own list', async () => {
  const held: Record<string, number> = { duty: 3, all: 1000 };
  server.answers(({ query }) => {
    const total = held[query.get('category') ?? ''] ?? 0;
    return ok({ value: [], total, total_capped: total === 1000, page: 1, per_page: 10 });
  });
  showRows({
    query: { kind: 'a' },
    categories: [
      { value: 'duty', label: '待办' },
      { value: 'known', label: '已知', count: 7 },
      // Its count is on its way from elsewhere; the list does not ask for it itself.
      { value: 'coming', label: '将知', count: null },
      { value: 'all', label: '全部' },
    ],
  });
  const words = () => screen.getAllByRole('button').map((one) => one.textContent);
  await waitFor(() => expect(words()).toEqual(expect.arrayContaining(['待办 3', '已知 7', '将知', '全部 1000+'])));
  const counts = server.asked.filter(({ query }) => query.get('per_page') === '1');
  expect(counts.map(({ query }) => [query.get('kind'), query.get('category')]).toSorted()).toEqual([
    ['a', 'all'],
    ['a', 'duty'],
  ]);
});

test('a shared view is counted by the parameters that the list accepts', async () => {
  page();
  const shared = {
    id: 1,
    name: '他的',
    search: 'state=4&export=xlsx&kind=b&search_value=章',
    columns: null,
    role_name: '职员',
    creator: '李四',
    mine: false,
  };
  const views = { roles: [], of: async () => [shared], share: async () => {}, remove: async () => {} };
  show(
    <SharedViewsContext value={views}>
      <ListPage<Bare>
        card={[]}
        name="stamp/list"
        title="印章"
        call={stamps.list as never}
        query={{ kind: 'a' }}
        filters={[{ key: 'state', label: '状态', kind: 'text' }]}
        columns={[{ key: 'name', title: '名称', main: true }]}
        empty={{ why: '还没有' }}
      />
    </SharedViewsContext>,
  );
  fireEvent.click(screen.getByRole('button', { name: '视图' }));
  await screen.findByText('他的');
  const counted = () => server.asked.filter(({ query }) => query.get('per_page') === '1');
  await waitFor(() => expect(counted()).toHaveLength(1));
  expect(Object.fromEntries(counted()[0]!.query)).toEqual({
    kind: 'a',
    state: '4',
    search_value: '章',
    page: '1',
    per_page: '1',
  });
});

test('a column layout is adopted from a role, and shared with one under a name', async () => {
  page();
  const theirs = { ...asDesigned, shown: { note: true }, density: 'small' as const };
  const one = { id: 1, name: '窗口用', search: null, columns: theirs, role_name: '职员', creator: '李四', mine: false };
  const shared: unknown[] = [];
  const views = {
    roles: [{ id: 7, name: '职员' }],
    of: async () => [one],
    share: async (view: unknown) => shared.push(view),
    remove: async () => {},
  };
  show(
    <SharedViewsContext value={views}>
      <ListPage<Bare>
        card={[]}
        name="stamp/list"
        title="印章"
        call={stamps.list as never}
        columns={[
          { key: 'name', title: '名称', main: true },
          { key: 'note', title: '备注' },
        ]}
        empty={{ why: '还没有' }}
      />
    </SharedViewsContext>,
  );
  await screen.findByText('印章1');
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  expect(heads()).toEqual(['名称']);
  fireEvent.click(screen.getByRole('button', { name: '列设置' }));
  fireEvent.click(await screen.findByRole('button', { name: '采用“窗口用”' }));
  await waitFor(() => expect(heads()).toEqual(['名称', '备注']));
  fireEvent.change(screen.getByRole('textbox', { name: '共享时的名称' }), { target: { value: '我们的' } });
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '共享给角色' }));
  fireEvent.click(await screen.findByTitle('职员'));
  fireEvent.click(screen.getByRole('button', { name: '共享当前' }));
  await waitFor(() =>
    expect(shared).toEqual([{ list: 'stamp/list', name: '我们的', shared: { columns: theirs }, role_id: 7 }]),
  );
});

/** A list of another shape than the seals', whose columns are given. */
function showRows(given: Partial<Parameters<typeof ListPage<Bare>>[0]>, showing?: Showing) {
  return show(
    <ListPage<Bare>
      card={[]}
      name="stamp/list"
      title="印章"
      call={stamps.list as never}
      columns={[
        { key: 'name', title: '名称', main: true, width: 200 },
        { key: 'note', title: '备注' },
      ]}
      empty={{ why: '还没有' }}
      {...given}
    />,
    showing,
  );
}
interface Bare {
  id: number;
  name: string;
  note?: string;
}

test('a column empty on the whole page is hidden unless it was chosen, and titles get the room', async () => {
  page();
  const { unmount } = showRows({});
  await screen.findByText('印章1');
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  expect(heads()).toEqual(['名称']);
  expect(document.querySelector('col')?.style.width).toBe('320px');
  unmount();
  const chosen = { order: [], shown: { note: true }, pins: {}, widths: { name: 140 }, density: 'medium' };
  showRows({}, { preferences: { 'columns:stamp/list': chosen } });
  await screen.findByText('印章1');
  expect(heads()).toEqual(['名称', '备注']);
  expect(document.querySelector('col')?.style.width).toBe('140px');
});

test('a printed list has every shown column and no buttons, also beside a preview and on a phone', async () => {
  const { matchMedia, innerWidth } = window;
  window.matchMedia = (query) => ({
    ...matchMedia(query),
    matches: query === 'print',
    addEventListener() {},
    removeEventListener() {},
  });
  try {
    const chosen = { order: ['note'], shown: { note: true }, pins: {}, widths: {}, density: 'medium' };
    for (const width of [1440, 390]) {
      window.innerWidth = width;
      page(3);
      const { unmount } = showRows(
        { preview: (row) => row.name, rowActions: () => <button type="button">删除</button>, numbered: true },
        { preferences: { 'columns:stamp/list': chosen, 'preview:stamp/list': true } },
      );
      await screen.findByText('印章1');
      const cells = [...document.querySelectorAll('table.kit-printed tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      );
      expect(cells.slice(0, 2)).toEqual([
        ['序号', '备注', '名称'],
        ['1', '—', '印章1'],
      ]);
      expect(screen.queryByRole('button', { name: '删除' })).toBeNull();
      unmount();
    }
  } finally {
    Object.assign(window, { matchMedia, innerWidth });
  }
});

test('of more than two row buttons the rest are under 更多, and can be pressed there', async () => {
  page(1);
  const pressed = vi.fn();
  const names = ['一', '二', '三'];
  showRows({
    rowActions: () => (
      <div className="kit-row">
        {names.map((name) => (
          <Button key={name} onClick={() => pressed(name)}>
            {name}
          </Button>
        ))}
      </div>
    ),
  });
  await screen.findByText('印章1');
  fireEvent.click(screen.getByRole('button', { name: '更多操作' }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: '三' })).toHaveLength(2));
  const rest = document.querySelector('.kit-row-rest') as HTMLElement;
  fireEvent.click(within(rest).getByRole('button', { name: '三' }));
  expect(pressed).toHaveBeenLastCalledWith('三');
});

test('a preview follows j and k, and a and r press its approve and refuse buttons', async () => {
  page(3);
  const decided = vi.fn();
  showRows(
    {
      preview: (row) => (
        <>
          <p>正在看{row.name}</p>
          <button type="button" data-decides="a" onClick={() => decided('a', row.id)}>
            同意
          </button>
        </>
      ),
    },
    { preferences: { 'preview:stamp/list': true } },
  );
  expect(await screen.findByText('正在看印章1')).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(await screen.findByText('正在看印章2')).toBeTruthy();
  for (const key of ['r', 'a']) fireEvent.keyDown(document.body, { key });
  expect(decided.mock.calls).toEqual([['a', 2]]);
  fireEvent.keyDown(document.body, { key: 'p' });
  await waitFor(() => expect(screen.queryByText('正在看印章2')).toBeNull());
});
