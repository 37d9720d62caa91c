import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { ok } from '#kernel/web/testing/server.ts';
import type { FieldFilter } from '#modules/workflow/workflows/contract.ts';
import { ordersOf, read, written } from './field-query.ts';
import AllPage from './AllPage.tsx';
import FieldFilters from './FieldFilters.tsx';
import WorkedPage from './WorkedPage.tsx';

const server = servedPage();
const field = (
  field_key: string,
  field_name: string,
  filter: FieldFilter['filter'],
  more: Partial<FieldFilter> = {},
) => ({
  field_key,
  field_name,
  filter,
  choices: [],
  sortable: true,
  own: false,
  ...more,
});
const fields: FieldFilter[] = [
  field('place', '地点', 'text', { sortable: false }),
  field('amount', '金额', 'number'),
  field('day', '日期', 'date'),
  field('kind', '类别', 'choice', { choices: [{ value: 'network', label: '网络' }] }),
  field('mine', '备注', 'text', { own: true }),
];

beforeEach(() => {
  const page = { total: 0, page: 1, per_page: 10 };
  server.answers(({ path }) => {
    if (path.endsWith('/simple_description/'))
      return ok({
        workflow_basic_info: { id: 3, name: '报修', version: 1 },
        workflow_state_info: [],
        workflow_transition_info: [],
        workflow_field_info: fields,
        workflow_table_info: [],
      });
    if (path === '/api/workflows/') {
      const flow = (id: number, name: string) => ({ id, name, actions: [] });
      return ok({ ...page, value: [flow(3, '报修'), flow(4, '请假')], total: 2 });
    }
    return path === '/api/tickets/jiaobiao/'
      ? ok({ by_category: {}, by_menu: {}, total: 0 })
      : ok({ ...page, value: [] });
  });
});

/** The list's last query; the number beside a tab is fetched with one row. */
const asked = () =>
  Object.fromEntries(
    server.asked.findLast((one) => one.path === '/api/tickets/' && one.query.get('per_page') !== '1')?.query ?? [],
  );
const more = async () => fireEvent.click(await screen.findByText('更多筛选'));
async function pick(label: string, option: string) {
  const select = await screen.findByLabelText(label);
  fireEvent.mouseDown(select.closest('.ant-select') ?? select);
  fireEvent.click(await screen.findByTitle(option));
}
async function type(label: string, text: string) {
  const input = await screen.findByLabelText(label);
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
}

test('each type of field has its own kind of filter, sent as one query and kept in the address', async () => {
  const { address } = show(<AllPage />, { at: '/ticket/all?workflow_ids=3' });
  await more();
  await type('金额 从', '500');
  await type('日期 到', '2026-03-01');
  await type('地点', '301');
  await pick('类别', '网络');
  const wanted = { amount: { gte: 500 }, day: { lte: '2026-03-01' }, place: '301', kind: 'network' };
  await waitFor(() => expect(JSON.parse(asked()['fields'] ?? '{}')).toEqual(wanted));
  expect(new URLSearchParams(address().split('?')[1]).get('fields')).toBe(asked()['fields']);
  await type('金额 从', '');
  await waitFor(() => expect(JSON.parse(asked()['fields'] ?? '{}')).not.toHaveProperty('amount'));
}, 180_000);

test('filters from an address are shown if they are in use, and the rest on demand', async () => {
  const query = new URLSearchParams({
    workflow_ids: '3',
    fields: '{"amount":{"gte":500,"lte":900}}',
    field_sort: '-amount',
  });
  show(<AllPage />, { at: `/ticket/all?${query}` });
  expect(((await screen.findByLabelText('金额 到')) as HTMLInputElement).value).toBe('900');
  expect(screen.queryByLabelText('地点')).toBeNull();
  expect(await screen.findByText('按金额从大到小')).toBeDefined();
  expect(asked()).toMatchObject({ fields: '{"amount":{"gte":500,"lte":900}}', field_sort: '-amount' });
  await more();
  expect(await screen.findByLabelText('地点')).toBeDefined();
});

test('fields that only the creator sees are offered as filters only among their own tickets', async () => {
  show(<AllPage />, { at: '/ticket/all?workflow_ids=3' });
  await more();
  await screen.findByLabelText('地点');
  expect(screen.queryByLabelText('备注')).toBeNull();
  cleanup();
  show(<WorkedPage />, { at: '/ticket/worked?category=owner&workflow_ids=3' });
  await more();
  expect(await screen.findByLabelText('备注')).toBeDefined();
});

test('choosing another workflow clears the field filters and the sort order', async () => {
  const query = new URLSearchParams({
    workflow_ids: '3',
    fields: '{"place":"301"}',
    field_sort: 'amount',
    act_state_id: '1',
  });
  const { address } = show(<AllPage />, { at: `/ticket/all?${query}` });
  await screen.findByLabelText('地点');
  await pick('类型', '请假');
  await waitFor(() => expect(address()).toBe('/ticket/all?act_state_id=1&workflow_ids=4'));
});

test('without one chosen workflow no field can be filtered or sorted by', async () => {
  show(<AllPage />, { at: '/ticket/all' });
  await more();
  expect(screen.queryByLabelText('按字段排序')).toBeNull();
});

test('empty filters are left out of the address, and an unreadable address means no filter', () => {
  expect(written({ a: { gte: undefined }, b: null })).toBe('');
  expect(written({ a: { gte: 0 }, b: false })).toBe('{"a":{"gte":0},"b":false}');
  expect([read('['), read('[1]'), read('null'), read('')]).toEqual([{}, {}, {}, {}]);
  expect(ordersOf(fields.slice(1, 2))).toEqual([
    { value: 'amount', label: '按金额从小到大' },
    { value: '-amount', label: '按金额从大到小' },
  ]);
});

test('no more field filters are offered than a list accepts, and a sentence says so', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => field(key, `字段${key}`, 'text'));
  const asked = (count: number) => written(Object.fromEntries(six.slice(0, count).map((one) => [one.field_key, 'x'])));
  show(<FieldFilters fields={six} open value={asked(4)} onChange={() => undefined} />);
  expect(screen.getByLabelText('字段f')).toBeDefined();
  expect(screen.queryByRole('status')).toBeNull();
  cleanup();
  show(<FieldFilters fields={six} open value={asked(5)} onChange={() => undefined} />);
  expect(screen.queryByLabelText('字段f')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('最多同时按 5 个字段筛选，清除一个后可换别的');
});
