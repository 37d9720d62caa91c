import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { nounCalls } from '#kernel/contract/noun.ts';
import { line, name } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';
import { findDialog } from '../../testing/dialog.ts';
import { servedPage } from '../../testing/page.ts';
import { ok } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { NounPage } from './NounPage.tsx';

const calls = nounCalls({
  prefix: '/api/shelf/',
  page: 'shelf/list',
  noun: '货架',
  input: {
    name: name(30).meta({ title: '名称' }),
    remark: line(50)
      .default('')
      .meta(field('备注', { help: '放在哪里' })),
    status: choice('状态', onOff.names).default(1),
  },
  once: { code: name(10).meta({ title: '编码' }) },
  row: { name: z.string(), code: z.string(), remark: z.string(), status: z.int(), boxes: z.int().meta(field('箱子')) },
  sort: ['code'],
});
const row = { id: 7, version: 3, name: '甲架', code: 'A1', remark: '靠窗', status: 0, boxes: 2 };
const list = (actions: string[]) => ok({ value: [{ ...row, actions }], total: 1, page: 1, per_page: 10 });

const server = servedPage();
beforeEach(() => server.answers(({ method }) => (method === 'GET' ? list(['update', 'delete']) : ok({ id: 7 }))));

const page = (codes: ('Create' | 'Update' | 'Delete')[] = ['Create', 'Update', 'Delete']) =>
  show(
    <NounPage
      card={[]}
      calls={calls}
      name="shelf/list"
      title="货架管理"
      noun="货架"
      columns={['name', 'code', 'status', 'boxes']}
      removal="箱子移走后才能删除"
      empty="还没有货架"
    />,
    { codes },
  );
const sent = () => server.asked.find(({ method }) => method !== 'GET');

test('a noun page titles columns like the form’s fields and shows code names', async () => {
  page();
  await screen.findByText('甲架');
  for (const title of ['名称', '编码', '状态', '箱子']) expect(screen.getAllByText(title).length).toBeGreaterThan(0);
  expect(screen.getByText('停用')).toBeDefined();
});

test('a new noun starts with defaults, asks for all fields, and is sent to be added', async () => {
  page();
  fireEvent.click(await screen.findByRole('button', { name: '新增货架' }));
  const form = await findDialog('新增货架');
  expect(within(form).getByText('放在哪里')).toBeDefined();
  fireEvent.change(within(form).getByLabelText('名称'), { target: { value: '乙架' } });
  fireEvent.change(within(form).getByLabelText('编码'), { target: { value: 'B1' } });
  fireEvent.click(within(form).getByRole('button', { name: '新增货架' }));
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()).toMatchObject({
    method: 'POST',
    path: '/api/shelf/',
    body: { name: '乙架', code: 'B1', status: 1 },
  });
});

test('a row is opened by its title and saved with its version, without the fields that are set only once', async () => {
  page();
  fireEvent.click(await screen.findByText('甲架'));
  await screen.findByText('编辑货架“甲架”');
  const form = screen.getByRole('dialog');
  expect(within(form).queryByLabelText('编码')).toBeNull();
  fireEvent.change(within(form).getByLabelText('备注'), { target: { value: '' } });
  fireEvent.click(within(form).getByRole('button', { name: '保存货架' }));
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()).toMatchObject({ method: 'PUT', path: '/api/shelf/7/', body: { remark: '', version: 3 } });
});

test('deleting asks once and says what it means', async () => {
  page();
  fireEvent.click(within((await screen.findByText('甲架')).closest('tr')!).getByRole('button', { name: '删除' }));
  const question = await screen.findByRole('dialog');
  expect(within(question).getByText('箱子移走后才能删除')).toBeDefined();
  fireEvent.click(within(question).getByRole('button', { name: '删除' }));
  await waitFor(() => expect(sent()).toMatchObject({ method: 'DELETE', path: '/api/shelf/7/' }));
});

test('an action that a row does not allow has no button and opens nothing', async () => {
  server.answers(() => list([]));
  page([]);
  fireEvent.click(await screen.findByText('甲架'));
  expect(screen.queryByRole('button', { name: '删除' })).toBeNull();
  expect(screen.queryByRole('button', { name: '新增货架' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});
