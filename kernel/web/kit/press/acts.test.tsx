import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { done, idParams, localMoment, name } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { act, chosen, useActs, type Acts, type Chosen } from './acts.tsx';

const server = servedPage();
const put = (path: string, body: z.ZodObject) =>
  call({
    method: 'PUT',
    path: `/api/matter/{id}/${path}/`,
    access: signedIn,
    summary: path,
    params: idParams,
    body,
    reply: done,
  });
const decided = put(
  'decide',
  z.object({
    result: choice('结果', { 1: '同意', 2: '驳回' }),
    opinion: name(300).meta(field('意见')),
    due_at: localMoment.optional().meta({ title: '延至' }),
    /** No title: no field. */
    version: z.number(),
  }),
);
const acts: Acts<{ id: number; title: string; version: number }> = {
  decide: {
    label: '决定',
    call: decided,
    initial: { result: 1 },
    also: ({ version }) => ({ version }),
    instead: { due_at: { help: '不填则按申请' } },
  },
  withdraw: { label: '撤回', call: put('withdraw', z.object({})), confirm: '可以重新提出' },
  end: { label: '终止', call: put('end', z.object({})), danger: true },
};
function Bar({ can }: { can: string[] }) {
  const { buttons, drawer } = useActs('matter', acts);
  return (
    <>
      {buttons({ id: 7, title: '一事', version: 3 }, can, { first: 'decide' })}
      {drawer}
    </>
  );
}

test('what may be done is what is offered, and no more', () => {
  show(<Bar can={['decide', 'nothing']} />);
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['决定']);
});

test('the filled button is the first, for the keyboard too', () => {
  function Last() {
    const { buttons } = useActs('matter', acts);
    return buttons({ id: 7, title: '一事', version: 3 }, ['decide', 'withdraw', 'end'], { first: 'end' });
  }
  show(<Last />);
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['终止', '决定', '撤回']);
});

test('an act opens the form of its call: its titles, help and inputs come from the body, and what no field shows is sent besides', async () => {
  server.answers(() => ok({ id: 7 }));
  show(<Bar can={['decide']} />);
  fireEvent.click(screen.getByRole('button', { name: '决定' }));
  await screen.findByText('决定：一事');
  expect(screen.getByLabelText('延至').getAttribute('placeholder')).toBe('年-月-日 时:分');
  expect(screen.getByText('不填则按申请')).toBeTruthy();
  expect(screen.getByLabelText('意见').tagName).toBe('TEXTAREA');
  expect(screen.queryByLabelText('version')).toBeNull();
  fireEvent.change(screen.getByLabelText('意见'), { target: { value: '按期办理' } });
  fireEvent.click(screen.getAllByRole('button', { name: '决定' }).at(-1)!);
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(0));
  const sent = server.asked.at(-1)!;
  expect(sent.path).toContain('/api/matter/7/decide/');
  expect(sent.body).toEqual({ result: 1, opinion: '按期办理', version: 3 });
});

test('an act without a field asks once and is sent', async () => {
  server.answers(() => ok({ id: 7 }));
  show(<Bar can={['withdraw']} />);
  fireEvent.click(screen.getByRole('button', { name: '撤回' }));
  expect((await screen.findAllByText('可以重新提出')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('撤回“一事”').length).toBeGreaterThan(0);
  fireEvent.click(screen.getAllByRole('button', { name: '撤回' }).at(-1)!);
  await waitFor(() => expect(server.asked.at(-1)?.path).toContain('/api/matter/7/withdraw/'));
});

interface Paper {
  id: number;
  title: string;
  version: number;
  unread: number;
}
const paper: Paper = { id: 7, title: '一事', version: 3, unread: 2 };
const urged = call({
  method: 'POST',
  path: '/api/matter/{id}/urge/',
  access: grant('Update', 'matter/list'),
  summary: '催读',
  params: idParams,
  body: z.object({ content: name(300).meta(field('内容')) }),
  reply: z.object({ sent: z.number() }),
});
const reading: Acts<Paper> = {
  urge: act({
    label: (row) => `催读 ${row.unread} 人`,
    title: (row) => `催读没有阅读的 ${row.unread} 人`,
    call: urged,
    offered: (row) => row.unread > 0,
    also: ({ version }) => ({ version }),
    submit: '现在催读',
    done: ({ sent }, row) => `《${row.title}》已提醒 ${sent} 人`,
  }),
  take: {
    label: '签收',
    call: put('take', z.object({ how: name(9).meta(field('方式')) })),
    atOnce: true,
    done: '已签收',
  },
  code: { label: '二维码', opens: (row, close) => <button onClick={close}>扫描 {row.title}</button> },
  text: { label: '打开公文', to: (row) => `/text/${row.id}` },
};
function Reading({ row = paper, can = ['take', 'code', 'text'] }: { row?: Paper; can?: string[] }) {
  const { buttons, drawer } = useActs((key, { id }) => `paper:${id}:${key}`, reading);
  return (
    <>
      {buttons(row, can)}
      {drawer}
    </>
  );
}

test('an act that says where it is offered is offered on such rows, to those who hold the code of its call', () => {
  const labels = () => screen.queryAllByRole('button').map((one) => one.textContent);
  const held = { at: '/matter/list', codes: ['Update' as const] };
  const with2 = show(<Reading can={[]} />, held);
  expect(labels()).toEqual(['催读 2 人']);
  with2.unmount();
  const without = show(<Reading can={['urge']} />, { at: '/matter/list' });
  expect(labels()).toEqual([]);
  without.unmount();
  show(<Reading can={['urge']} row={{ ...paper, unread: 0 }} />, held);
  expect(labels()).toEqual([]);
});

test('a form is sent under a label of its own, and what it says when it is done reads the reply and the row', async () => {
  server.answers(() => ok({ sent: 2 }));
  show(<Reading can={[]} />, { at: '/matter/list', codes: ['Update'] });
  fireEvent.click(screen.getByRole('button', { name: '催读 2 人' }));
  await screen.findByText('催读没有阅读的 2 人');
  fireEvent.change(screen.getByLabelText('内容'), { target: { value: '请阅' } });
  fireEvent.click(screen.getByRole('button', { name: '现在催读' }));
  await screen.findByText('《一事》已提醒 2 人');
});

test('a drawer that stays open while its page is read again sends the version that the page shows', async () => {
  server.answers(() => ok({ sent: 2 }));
  function Page() {
    const [version, setVersion] = useState(3);
    return (
      <>
        <button onClick={() => setVersion(4)}>重读</button>
        <Reading can={[]} row={{ ...paper, version }} />
      </>
    );
  }
  show(<Page />, { at: '/matter/list', codes: ['Update'] });
  fireEvent.click(screen.getByRole('button', { name: '催读 2 人' }));
  fireEvent.change(await screen.findByLabelText('内容'), { target: { value: '请阅' } });
  fireEvent.click(screen.getByText('重读'));
  fireEvent.click(screen.getByRole('button', { name: '现在催读' }));
  await waitFor(() => expect(server.asked.at(-1)?.body).toEqual({ content: '请阅', version: 4 }));
});

test('an act at once has no form and no question', async () => {
  server.answers(() => ok({ id: 7 }));
  show(<Reading />);
  fireEvent.click(screen.getByRole('button', { name: '签收' }));
  await screen.findByText('已签收');
  expect(server.asked.at(-1)?.path).toContain('/api/matter/7/take/');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an act may open content of its own, which closes itself, or lead to a page', async () => {
  const { address } = show(<Reading />);
  fireEvent.click(screen.getByRole('button', { name: '二维码' }));
  fireEvent.click(screen.getByText('扫描 一事'));
  expect(screen.queryByText('扫描 一事')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '打开公文' }));
  expect(address()).toBe('/text/7');
});

test('what is done for many is an act on the rows that are chosen', async () => {
  server.answers(() => ok({ id: 7 }));
  const many: Acts<Chosen> = {
    hand: {
      label: ({ ids }) => `移交 ${ids.length} 件`,
      call: put('hand', z.object({ ids: z.array(z.number()).meta(field('事项')) })),
      params: () => ({ id: 0 }),
      only: [],
      also: ({ ids }) => ({ ids }),
      onDone: (_reply, { clear }) => clear(),
    },
  };
  function Batch() {
    const [rows, choose] = useState([paper, { ...paper, id: 8 }]);
    const { buttons } = useActs('matter', many);
    return (
      rows.length > 0 &&
      buttons(
        chosen(rows, () => choose([])),
        ['hand'],
      )
    );
  }
  show(<Batch />);
  fireEvent.click(screen.getByRole('button', { name: '移交 2 件' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: '移交 2 件' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: '移交 2 件' })).toBeNull());
  expect(server.asked.at(-1)?.body).toEqual({ ids: [7, 8] });
});
