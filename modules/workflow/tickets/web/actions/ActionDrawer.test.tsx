import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Detail } from '../../contract/shapes.ts';
import { ActionBar, arranged } from './ActionBar.tsx';
import { ActionDrawer } from './ActionDrawer.tsx';
import { actions, type FormCode } from './actions.ts';

const server = servedPage();

const offer = (code: Offered['code'], part: Partial<Offered> = {}): Offered => ({
  code,
  transition_id: null,
  transition_name: code,
  from_admin: false,
  task_no: 4,
  state_id: 2,
  attribute_type_id: 3,
  field_require_check: false,
  is_accept: false,
  in_add_node: false,
  alert_enable: false,
  alert_text: '',
  signature_required: false,
  suggestion_required: false,
  target: 'none',
  states: [],
  added: [],
  resubmit_mode: null,
  on_behalf_of: '',
  ...part,
});
const back = offer('return', {
  transition_name: '退回',
  suggestion_required: true,
  resubmit_mode: 1,
  states: [
    { state_id: 1, state_name: '提交' },
    { state_id: 2, state_name: '审批' },
  ],
});

function open(one: Offered, words = '', offers = [one]) {
  const told = { onDone: vi.fn(), onStale: vi.fn(), onClose: vi.fn() };
  const ticket = { id: 7, version: 3, transitions: offers } as unknown as Detail;
  const action = actions[one.code as FormCode];
  show(<ActionDrawer ticket={ticket} offer={one} action={action} words={words} {...told} />);
  return told;
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('a return asks for its target and reason, and sends the way back with the version that was read', async () => {
  server.answers(() => ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 2 }));
  const { onDone } = open(back);
  press('退回');
  expect(await screen.findByRole('button', { name: '退回到：请选择环节' })).toBeDefined();
  expect(screen.getByRole('button', { name: '退回原因：请填写' })).toBeDefined();
  expect(server.asked).toHaveLength(0);
  fireEvent.mouseDown(screen.getByLabelText('退回到'));
  fireEvent.click(await screen.findByTitle('提交'));
  fireEvent.click(screen.getByLabelText('改好后直接回到我'));
  fireEvent.change(screen.getByLabelText('退回原因'), { target: { value: '金额有误' } });
  press('退回');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    {
      method: 'POST',
      path: '/api/tickets/7/return/',
      body: { suggestion: '金额有误', state_id: 1, resubmit_mode: 2, task_no: 4, version: 3 },
    },
  ]);
});

test('a return to several branches takes one state of each, and offers no other target and no way back', async () => {
  server.answers(() => ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 1 }));
  const beside = [
    { state_id: 5, state_name: '财务初审', branch: 1 },
    { state_id: 6, state_name: '财务复审', branch: 1 },
    { state_id: 8, state_name: '法务审核', branch: 2 },
  ];
  const { onDone } = open({ ...back, beside });
  const choose = async (title: string) => {
    fireEvent.mouseDown(screen.getByLabelText('或同时退回到几个分支'));
    fireEvent.click(await screen.findByTitle(title));
  };
  await choose('财务复审');
  await choose('法务审核');
  const closed = document.querySelector('.ant-select-item-option[title="财务初审"]');
  expect(closed?.className).toContain('disabled');
  expect(screen.queryByLabelText('改好后直接回到我')).toBeNull();
  fireEvent.change(screen.getByLabelText('退回原因'), { target: { value: '两处都要改' } });
  press('退回');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.at(-1)?.body).toEqual({ suggestion: '两处都要改', state_ids: [6, 8], task_no: 4, version: 3 });
});

test('when somebody else was faster the drawer says who, keeps the typed text and reloads the ticket', async () => {
  server.answers(() => refuse(codes.notNow, '宋明杰已在 09:30“同意”，这张工单现在不由您处理'));
  const { onStale, onDone } = open(offer('add_node_end', { transition_name: '完成加签' }), '我看可以');
  press('完成加签');
  expect(await screen.findByText(/宋明杰已在 09:30“同意”/)).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>('意见').value).toBe('我看可以');
  expect(onStale).toHaveBeenCalled();
  expect(onDone).not.toHaveBeenCalled();
});

test('an action that is no longer offered cannot be sent, and its text can still be copied', () => {
  open(back, '写了很久的原因', []);
  expect(screen.getByRole('button', { name: '退回' })).toHaveProperty('disabled', true);
  expect(screen.getByText('现在不能退回了，您写的内容可以复制后再关闭')).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>('退回原因').value).toBe('写了很久的原因');
});

test('a single added signer is removed without having to be chosen', async () => {
  server.answers(() => ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 1 }));
  open(
    offer('remove_node', { transition_name: '减签', added: [{ task_no: 9, username: 'zhang.san', alias: '张三' }] }),
  );
  press('减签');
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(server.asked[0]?.body).toEqual({ suggestion: '', task_no: 9, version: 3 });
});

test('a person chosen after @ in a comment is mentioned, and the text stays', async () => {
  const people = [{ id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' }];
  server.answers(({ method }) => ok(method === 'GET' ? people : { id: 7 }));
  const { onDone } = open(offer('comment', { transition_name: '评论', target: 'optional', task_no: null }));
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: '评论' });
  for (const text of ['请看 @', '请看 @宋']) {
    fireEvent.change(box, { target: { value: text } });
    box.setSelectionRange(text.length, text.length);
    fireEvent.keyUp(box, { key: text.at(-1) });
  }
  fireEvent.click(await screen.findByText('宋明杰（计算机学院）', {}, { timeout: 5000 }));
  await waitFor(() => expect(box.value).toContain('@宋明杰'));
  press('评论');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.find((one) => one.method === 'POST')?.body).toEqual({
    suggestion: '请看 @宋明杰 ',
    mentions: ['song.mingjie'],
  });
});

test('a person chosen after @ in the reason of a return is mentioned, and shown so that they can be removed', async () => {
  const people = [{ id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' }];
  server.answers(({ method }) => ok(method === 'GET' ? people : { id: 7, sn: 'A', ticket_id: 7, act_state: 2 }));
  const { onDone } = open({ ...back, states: [back.states[0]!] });
  expect(screen.queryByLabelText('提到')).toBeNull();
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: '退回原因' });
  for (const text of ['请看 @', '请看 @宋']) {
    fireEvent.change(box, { target: { value: text } });
    box.setSelectionRange(text.length, text.length);
    fireEvent.keyUp(box, { key: text.at(-1) });
  }
  fireEvent.click(await screen.findByText('宋明杰（计算机学院）', {}, { timeout: 5000 }));
  expect(await screen.findByLabelText('提到')).toBeDefined();
  press('退回');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.find((one) => one.method === 'POST')?.body).toMatchObject({
    suggestion: '请看 @宋明杰 ',
    mentions: ['song.mingjie'],
  });
});

test('a person kept from an earlier time is shown by name, however many others the picker finds first, and is sent', async () => {
  const song = { id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' };
  const values = { people: ['song.mingjie'], words: '请办理' };
  localStorage.setItem('draft:ticket-7-deliver', JSON.stringify({ values, attempt: 'a', at: 1 }));
  server.answers(({ method, query }) =>
    ok(method === 'GET' ? [song].filter(() => query.has('usernames')) : { id: 7, sn: 'A', ticket_id: 7, act_state: 1 }),
  );
  const { onDone } = open(offer('deliver', { transition_name: '转交', target: 'one' }));
  expect(await screen.findByText('宋明杰（计算机学院）')).toBeDefined();
  press('转交');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.find((one) => one.method === 'POST')?.body).toMatchObject({ target_username: 'song.mingjie' });
});

test('a person chosen in the picker is kept by user name', async () => {
  const song = { id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' };
  server.answers(() => ok([song]));
  open(offer('deliver', { transition_name: '转交', target: 'one' }));
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '转交给' }));
  fireEvent.click(await screen.findByTitle('宋明杰（计算机学院）'));
  await waitFor(() => {
    const kept = JSON.parse(localStorage.getItem('draft:ticket-7-deliver') ?? '{}') as { values?: object };
    expect(kept.values).toMatchObject({ people: ['song.mingjie'] });
  });
});

test('the likely action is the first button, refusal follows, and the rest are under 更多', () => {
  const { front, rest } = arranged(
    (['close', 'refuse', 'deliver', 'approve', 'return', 'comment'] as const).map((code) => offer(code)),
  );
  expect(front.map((one) => one.code)).toEqual(['approve', 'refuse', 'return']);
  expect(rest.map((one) => one.code)).toEqual(['comment', 'deliver', 'close']);
});

test('when a ticket does not wait for the viewer, withdrawing and urging are the first buttons', () => {
  const { front, rest } = arranged((['cc', 'urge', 'comment', 'retreat'] as const).map((code) => offer(code)));
  expect(front.map((one) => one.code)).toEqual(['retreat', 'urge']);
  expect(rest.map((one) => one.code)).toEqual(['comment', 'cc']);
});

test('beside a record’s own actions only what waits for the viewer is filled, on a ticket’s own page the first action', () => {
  const filledOf = (code: Offered['code'], beside: boolean) => {
    const bar = (
      <ActionBar offers={[offer(code)]} disabled={false} beside={beside} pending={null} onGo={() => undefined} />
    );
    const { unmount } = show(bar);
    const filled = screen.getByRole('button', { name: code }).classList.contains('ant-btn-primary');
    unmount();
    return filled;
  };
  expect([filledOf('approve', true), filledOf('comment', true)]).toEqual([true, false]);
  expect([filledOf('approve', false), filledOf('comment', false)]).toEqual([true, true]);
});

test('a click beside the action drawer leaves it open', () => {
  const { onClose } = open(back);
  const mask = document.querySelector('.ant-drawer-mask');
  if (!mask) throw new Error('no mask');
  fireEvent.click(mask);
  expect(onClose).not.toHaveBeenCalled();
});

test('ending leave early asks for the day and the half of the return, with this morning as default', async () => {
  server.answers(() => ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 4 }));
  const leave = { kind: '请假', from: '2026-11-20 00:00:00', until: '2026-12-01 00:00:00', now: '2026-11-26 10:00:00' };
  const { onDone } = open(offer('end_leave', { transition_name: '销假', task_no: null, leave }));
  expect((screen.getByLabelText('返岗日期') as HTMLInputElement).value).toBe('2026-11-26');
  fireEvent.change(screen.getByLabelText('返岗日期'), { target: { value: '2026-11-25' } });
  fireEvent.click(screen.getByLabelText('下午'));
  press('销假');
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(server.asked.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/tickets/7/end_leave/', body: { suggestion: '', day: '2026-11-25', half: 'pm', version: 3 } },
  ]);
});
