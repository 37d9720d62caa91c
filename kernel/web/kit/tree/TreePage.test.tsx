import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { field } from '#kernel/contract/titles.ts';
import { treeCalls } from '#kernel/contract/tree.ts';
import { name } from '#kernel/contract/shapes.ts';
import { findDialog } from '../../testing/dialog.ts';
import { emptyPage } from '../../testing/page.ts';
import { ok, startServer } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { placeOf, type Node } from './moving.ts';
import { TreePage } from './TreePage.tsx';

const calls = treeCalls({
  prefix: '/api/shed/category/',
  page: 'shed/category',
  noun: '分类',
  input: { name: name(30).meta({ title: '名称' }) },
  row: { count: z.number().meta(field('数量')) },
});

const node = (id: number, title: string, parent: number, children: object[] = []) => ({
  id,
  name: title,
  parent,
  order_id: id,
  version: 3,
  actions: ['update', 'delete'],
  count: id,
  children,
});
const tools = node(1, '工具', 0, [node(2, '电动', 1), node(3, '手动', 1)]);
const parts = node(4, '零件', 0);

emptyPage();
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(() => server.answers(({ method }) => ok(method === 'GET' ? [tools, parts] : { id: 1 })));

const page = () =>
  show(
    <TreePage<Node & { count: number }>
      calls={calls}
      title="分类"
      noun="分类"
      holds="其中没有东西时才能删除"
      columns={{ count: {} }}
      inOne={() => ''}
      fields={() => []}
    />,
    { codes: ['Create', 'Update', 'Delete'] },
  );
const rowOf = async (title: string) => (await screen.findByText(title)).closest('tr')!;
const sent = () => server.asked.find(({ method }) => method !== 'GET');

function letGo(row: HTMLElement, y: number) {
  row.getBoundingClientRect = () => ({ top: 0, height: 100 }) as DOMRect;
  for (const make of [createEvent.dragOver, createEvent.drop]) {
    const event = make(row);
    Object.defineProperty(event, 'clientY', { value: y });
    fireEvent(row, event);
  }
}
const drag = (row: HTMLElement) => fireEvent.dragStart(row, { dataTransfer: { effectAllowed: '' } });

test('a row dropped between two others is moved there, with the version that was read', async () => {
  page();
  drag(await rowOf('零件'));
  letGo(await rowOf('手动'), 5);
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()).toMatchObject({
    method: 'PUT',
    path: '/api/shed/category/4/move/',
    body: { parent: 1, before: 3, version: 3 },
  });
});

test('a row dropped onto another moves below it, and onto its own branch does not move', async () => {
  page();
  drag(await rowOf('工具'));
  letGo(await rowOf('手动'), 50);
  drag(await rowOf('零件'));
  letGo(await rowOf('工具'), 50);
  await waitFor(() => expect(sent()).toBeDefined());
  expect(server.asked.filter(({ method }) => method === 'PUT')).toMatchObject([
    { path: '/api/shed/category/4/move/', body: { parent: 1, before: null } },
  ]);
});

test('a row dropped after another comes after all below that one, and not below itself', () => {
  const nodes = [tools, parts] as Node[];
  const [first, last] = nodes as [Node, Node];
  const below = first.children!;
  expect(placeOf(nodes, last, first, 'after')).toEqual({ parent: 0, before: null });
  expect(placeOf(nodes, last, below[0]!, 'after')).toEqual({ parent: 1, before: 3 });
  expect(placeOf(nodes, below[1]!, below[0]!, 'after')).toEqual({ parent: 1, before: null });
  expect(placeOf(nodes, first, below[0]!, 'before')).toBeNull();
  expect(placeOf(nodes, first, first, 'into')).toBeNull();
});

test('a node is also moved by a form that offers only possible places', async () => {
  page();
  fireEvent.click(within(await rowOf('电动')).getByRole('button', { name: '移动' }));
  const form = await findDialog('移动分类“电动”');
  fireEvent.mouseDown(within(form).getByRole('combobox', { name: '位置' }));
  fireEvent.click(await screen.findByText('在“手动”之前'));
  fireEvent.click(within(form).getByRole('button', { name: '移动' }));
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()).toMatchObject({ path: '/api/shed/category/2/move/', body: { parent: 1, before: 3, version: 3 } });
});

test('a tree’s column has the title of its form field or node', async () => {
  page();
  await rowOf('零件');
  expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual(['名称', '数量', '操作']);
});

test('a search in a tree keeps matches and their ancestors', async () => {
  page();
  await rowOf('零件');
  fireEvent.change(screen.getByRole('textbox', { name: '搜索分类' }), { target: { value: '手动' } });
  await waitFor(() => expect(screen.queryByText('零件')).toBeNull());
  expect(screen.getByText('工具')).toBeDefined();
  expect(screen.queryByText('电动')).toBeNull();
});
