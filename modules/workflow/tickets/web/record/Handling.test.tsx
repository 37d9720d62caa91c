import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DraftsContext, type Draft } from '#kernel/web/kit/form/draft.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { fieldItem } from '#modules/workflow/workflows/engine/field-item.ts';
import { openColumns } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { Field } from '#modules/workflow/workflows/engine/form.ts';
import type { Detail } from '../../contract/shapes.ts';
import { Handling } from './Handling.tsx';

const server = servedPage();

const song = { id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' };
const offer = (code: string, transition_name: string, part: object = {}) => ({
  code,
  transition_id: null,
  transition_name,
  from_admin: false,
  task_no: 4,
  state_id: 2,
  target: 'none',
  states: [],
  added: [],
  resubmit_mode: null,
  on_behalf_of: '',
  ...part,
});
const approve = offer('approve', '同意', { transition_id: 2 });
const back = offer('return', '退回', { states: [{ state_id: 1, state_name: '提交' }] });
const deliver = offer('deliver', '转交', { target: 'one' });
const save = offer('save', '保存', { transition_id: 1 });
const submit = offer('submit', '提交', { transition_id: 2 });

const days = Field.parse({ id: 1, key: 'days', name: '天数', type: fieldType.int });
const item = fieldItem(days, 1, { access: fieldAccess.optional, columns: openColumns(days) }, 3, '');

const name = 'draft:ticket-7';
/**
 * The page of a ticket with an opinion that was begun earlier, with a person and a file. `elsewhere`: the input that another machine kept on the
 * server; `carried`: when the opinion was taken there.
 */
function open(
  transitions: object[],
  begun: object | null = { words: '请看 @宋明杰 ', beside: { files: [9], mentions: ['song.mingjie'] } },
  elsewhere: Promise<Draft | null> = Promise.resolve(null),
  carried?: number,
) {
  const values = { seen: 'h', ...begun };
  if (begun) localStorage.setItem(name, JSON.stringify({ values, attempt: 'a', at: 1, carried }));
  server.answers(({ method, path, query }) => {
    // Among the first that the picker offers is nobody of the opinion.
    if (path.endsWith('/users/simple/')) return ok(begun && !query.has('usernames') ? [] : [song]);
    if (method === 'GET') return ok({ value: [], total: 0, page: 1, per_page: 2 });
    return ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 1, stays: false, state_name: '填写' });
  });
  const parts = { field_list: [item], choose: [], waits: [], troubles: [], workflow_info: { workflow_id: 2 } };
  const ticket = { id: 7, title: '采购', version: 3, seen_hash: 'h', ...parts, transitions } as unknown as Detail;
  const onMoved = vi.fn();
  show(
    <DraftsContext value={{ find: () => elsewhere, keep: async () => undefined }}>
      <Handling ticket={ticket} changed={new Set()} onMoved={onMoved}>
        {({ notice, form, actions }) => (
          <>
            {notice}
            {form}
            {actions}
          </>
        )}
      </Handling>
    </DraftsContext>,
  );
  return onMoved;
}
const press = (label: string) => fireEvent.click(screen.getByRole('button', { name: label }));
const sent = () => server.asked.find((one) => one.method !== 'GET');
const kept = () =>
  (JSON.parse(localStorage.getItem(name) ?? 'null') as { values: Record<string, unknown> } | null)?.values;

test('an opinion kept from an earlier time shows the person mentioned by name, and sends the user name', async () => {
  const onMoved = open([approve]);
  expect(await screen.findByText('宋明杰（计算机学院）')).toBeDefined();
  press('同意');
  await waitFor(() => expect(onMoved).toHaveBeenCalled());
  expect(sent()?.body).toMatchObject({
    suggestion: '请看 @宋明杰 ',
    suggestion_files: [9],
    suggestion_mentions: ['song.mingjie'],
  });
  expect(kept()).toBeUndefined();
});

test('a return takes along the people and files chosen in the opinion box', async () => {
  const onMoved = open([approve, back]);
  press('退回');
  const drawer = within(await screen.findByRole('dialog'));
  fireEvent.click(drawer.getByRole('button', { name: '退回' }));
  await waitFor(() => expect(onMoved).toHaveBeenCalled());
  expect(sent()?.path).toBe('/api/tickets/7/return/');
  expect(sent()?.body).toMatchObject({ suggestion: '请看 @宋明杰 ', files: [9], mentions: ['song.mingjie'] });
  expect(screen.queryByLabelText('提到'), 'the box is empty again').toBeNull();
});

test('a person removed from the reason of a return is removed from the opinion box as well', async () => {
  open([approve, back]);
  press('退回');
  const drawer = within(await screen.findByRole('dialog'));
  fireEvent.keyDown(await drawer.findByLabelText('提到'), { key: 'Backspace', keyCode: 8 });
  await waitFor(() => expect(screen.queryAllByLabelText('提到')).toHaveLength(0));
  await waitFor(() => expect(kept()).toMatchObject({ beside: { files: [9], mentions: [] } }));
});

test('before a hand-over the page says that files and people of the opinion do not go with it', async () => {
  open([approve, deliver]);
  fireEvent.click(screen.getByRole('button', { name: /更多/ }));
  fireEvent.click(await screen.findByText('转交'));
  expect(await screen.findByText('意见的附件、意见里提到的人不会随这个操作提交')).toBeDefined();
});

test('saving a draft keeps the files and people of an opinion that is not given yet', async () => {
  const onMoved = open([save, submit]);
  press('保存');
  await waitFor(() => expect(onMoved).toHaveBeenCalled());
  expect(sent()?.body).not.toHaveProperty('suggestion_files');
  expect(await screen.findByText('宋明杰（计算机学院）')).toBeDefined();
  await waitFor(() =>
    expect(kept()).toMatchObject({ edited: {}, words: '', beside: { files: [9], mentions: ['song.mingjie'] } }),
  );
});

test('the kept input holds both the words and the person after a choice behind @', async () => {
  open([approve], null);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: '意见' });
  for (const text of ['请看 @', '请看 @宋']) {
    fireEvent.change(box, { target: { value: text } });
    box.setSelectionRange(text.length, text.length);
    fireEvent.keyUp(box, { key: text.at(-1) });
  }
  fireEvent.click(await screen.findByText('宋明杰（计算机学院）', {}, { timeout: 5000 }));
  await waitFor(() =>
    expect(kept()).toMatchObject({ words: '请看 @宋明杰 ', beside: { files: [], mentions: ['song.mingjie'] } }),
  );
});

test('while a number is not read the actions that send the form wait, the bar says why, and the others remain', async () => {
  open([approve, deliver], null);
  const box = screen.getByLabelText<HTMLInputElement>('天数');
  const enter = (text: string) => {
    fireEvent.focus(box);
    fireEvent.change(box, { target: { value: text } });
    fireEvent.blur(box);
  };
  const approving = () => screen.getByRole<HTMLButtonElement>('button', { name: '同意' });
  enter('二');
  expect(approving().disabled).toBe(true);
  expect(screen.getByRole('status').textContent).toBe('“二”不是数字，没有填入');
  fireEvent.click(screen.getByRole('button', { name: /更多/ }));
  fireEvent.click(await screen.findByText('转交'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByRole<HTMLButtonElement>('button', { name: '转交' }).disabled).toBe(false);
  fireEvent.click(drawer.getByRole('button', { name: '取消' }));
  enter('2');
  expect([approving().disabled, screen.queryByRole('status')]).toEqual([false, null]);
});

const theirs = { values: { words: '同意报销', edited: { days: 5 }, seen: 'h' }, attempt: 'b' };
const opinion = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '意见' });

test('input that another machine kept is taken up when it arrives after the page', async () => {
  const { promise, resolve } = Promise.withResolvers<Draft | null>();
  open([approve], null, promise);
  await act(async () => resolve({ ...theirs, at: Date.now() }));
  expect(opinion().value).toBe('同意报销');
  expect(screen.getByLabelText<HTMLInputElement>('天数').value).toBe('5');
  expect(screen.queryByRole('button', { name: '恢复草稿' })).toBeNull();
});

test('input that another machine kept is only offered once something was typed here, which stays until it is chosen', async () => {
  const { promise, resolve } = Promise.withResolvers<Draft | null>();
  open([approve], null, promise);
  fireEvent.change(opinion(), { target: { value: '请补充' } });
  await act(async () => resolve({ ...theirs, at: Date.now() }));
  expect(opinion().value).toBe('请补充');
  fireEvent.click(screen.getByRole('button', { name: '恢复草稿' }));
  expect(opinion().value).toBe('同意报销');
  expect(screen.queryByRole('button', { name: '恢复草稿' })).toBeNull();
});

test('input that another machine kept is only offered beside a draft that never left this browser, which stays until it is chosen', async () => {
  const { promise, resolve } = Promise.withResolvers<Draft | null>();
  open([approve], { words: '请补充发票' }, promise);
  await act(async () => resolve({ ...theirs, at: Date.now() }));
  expect(opinion().value).toBe('请补充发票');
  fireEvent.click(screen.getByRole('button', { name: '恢复草稿' }));
  expect(opinion().value).toBe('同意报销');
});

test('input that another machine kept replaces the draft of this browser that it went on from', async () => {
  const { promise, resolve } = Promise.withResolvers<Draft | null>();
  open([approve], { words: '同意' }, promise, 1);
  await act(async () => resolve({ ...theirs, at: Date.now() }));
  expect(opinion().value).toBe('同意报销');
  expect(screen.queryByRole('button', { name: '恢复草稿' })).toBeNull();
});
