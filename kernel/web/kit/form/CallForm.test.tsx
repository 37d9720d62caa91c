import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { field } from '#kernel/contract/titles.ts';
import { servedPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { ok, refuse } from '../../testing/server.ts';
import { stamps } from '../../testing/stamps.ts';
import { CallForm } from './CallForm.tsx';
import type { CallFormProps } from './CallForm.tsx';
import { check, ruleOf, shapeOf } from './rules.ts';

const server = servedPage();

const showForm = (more: Partial<CallFormProps<typeof stamps.create>> = {}) => {
  const done = vi.fn();
  const view = show(
    <CallForm
      name="stamp"
      call={stamps.create}
      submit="登记印章"
      onDone={done}
      fields={[
        { name: 'name', label: '名称' },
        { name: 'count', label: '数量' },
        { name: 'note', label: '备注' },
      ]}
      {...more}
    />,
  );
  return { done, ...view };
};

test('a form field has the label of its body schema, also in refusals, unless it declares its own', async () => {
  const body = z.object({
    name: z.string().min(1).meta(field('印章名称')),
    note: z.string().optional().meta(field('备注')),
  });
  show(
    <CallForm
      name="stamp"
      call={{ ...stamps.create, body } as never}
      submit="登记印章"
      onDone={vi.fn()}
      fields={[{ name: 'name' }, { name: 'note', label: '补充说明' }]}
    />,
  );
  expect(screen.getByLabelText('补充说明')).toBeTruthy();
  expect(screen.getByLabelText('印章名称')).toBeTruthy();
  submit();
  expect(await screen.findByText(/^印章名称：/)).toBeTruthy();
});

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole('button', { name: '登记印章' }));

test('required marks and limits come from the body’s schema', () => {
  const shape = shapeOf(stamps.create.body);
  expect(ruleOf(shape['name']!)).toMatchObject({ required: true, type: 'text', max: 10, min: 1 });
  expect(ruleOf(shape['count']!)).toMatchObject({ required: true, type: 'number', max: 9, min: 1, integer: true });
  expect(ruleOf(shape['note']!)).toMatchObject({ required: false, max: 500 });
  showForm();
  expect(screen.getByLabelText('名称').getAttribute('aria-required')).toBe('true');
  expect(screen.getByLabelText('备注').tagName).toBe('TEXTAREA');
});

test('an input accepts as many characters as its schema does, counting combined ones once', () => {
  showForm();
  const typed = (label: string, value: string) => {
    type(label, value);
    return (screen.getByLabelText(label) as HTMLInputElement).value;
  };
  expect(typed('名称', '𠮷'.repeat(10))).toBe('𠮷'.repeat(10));
  expect(typed('名称', '𠮷'.repeat(11))).toBe('𠮷'.repeat(10));
  expect(typed('备注', '𠮷'.repeat(500))).toBe('𠮷'.repeat(500));
  expect(screen.getByText('500 / 500')).toBeTruthy();
});

test('a value refused by the schema is reported with the form’s own label', () => {
  const tried = check(stamps.create.body!, { name: '一二三四五六七八九十一', count: 20 }, (field) => field);
  expect(tried).toEqual({
    ok: false,
    errors: [
      { field: 'name', label: 'name', msg: '最多 10 个字' },
      { field: 'count', label: 'count', msg: '不能大于 9' },
    ],
  });
});

test('nothing is sent while a field is wrong, and the summary names the field and links to it', async () => {
  server.answers(() => ok({ id: 1 }));
  showForm();
  submit();
  const link = await screen.findByRole('button', { name: '名称：请填写' });
  fireEvent.click(link);
  expect(document.activeElement).toBe(screen.getByLabelText('名称'));
  expect(server.asked).toHaveLength(0);
});

test('errors found by the server appear at their fields, and the typed text stays', async () => {
  server.answers(() =>
    refuse(4000, '名称：已存在', { errors: [{ field: 'name', label: '名称', msg: '已有同名印章' }] }),
  );
  const { done } = showForm();
  type('名称', '公章');
  type('数量', '1');
  submit();
  await screen.findByRole('button', { name: '名称：已有同名印章' });
  const message = await screen.findByText('已有同名印章');
  const input = screen.getByLabelText('名称');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.contains(message)).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('公章');
  expect(done).not.toHaveBeenCalled();
});

test('a form sends its draft’s idempotency key until it succeeds, even after edits, and reports an earlier success', async () => {
  let used = false;
  server.answers((_asking, response) =>
    used ? refuse(-1, '刚才的提交已经成功', { sent_before: true }) : void response.destroy(),
  );
  showForm();
  type('名称', '公章');
  type('数量', '1');
  submit();
  await screen.findByText(/后端接口连接异常，您填写的内容仍在/);
  submit();
  await waitFor(() => expect(server.asked).toHaveLength(2));
  await screen.findByText(/后端接口连接异常/);
  type('名称', '钢印');
  submit();
  await waitFor(() => expect(server.asked).toHaveLength(3));
  used = true;
  await screen.findByText(/后端接口连接异常/);
  submit();
  await screen.findByText(/刚才的提交已经成功/);
  submit();
  await waitFor(() => expect(server.asked).toHaveLength(5));
  const [first, second, third, fourth, fifth] = server.asked.map((asking) => asking.headers['idempotency-key']);
  expect(second).toBe(first);
  expect([third, fourth]).toEqual([first, first]);
  expect(fifth).not.toBe(first);
});

test('an expired session loses nothing that was typed', async () => {
  server.answers(() => refuse(401, '登录状态已过期，请重新登录'));
  const { unmount } = showForm();
  type('名称', '公章');
  type('数量', '2');
  submit();
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('公章');
  unmount();
  showForm();
  fireEvent.click(await screen.findByRole('button', { name: '恢复草稿' }));
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('公章');
});

test('a condition on a value without a field uses the initial value, also after typing', () => {
  showForm({
    initial: { place: 'inside' },
    fields: [
      { name: 'name', label: '名称' },
      { name: 'note', label: '外带备注', when: ({ place }) => place !== 'inside' },
    ],
  });
  expect(screen.queryByLabelText('外带备注')).toBeNull();
  type('名称', '校章');
  expect(screen.queryByLabelText('外带备注')).toBeNull();
});

test('the draft is removed when the form is sent, and can be discarded', async () => {
  server.answers(() => ok({ id: 1 }));
  const { done, unmount } = showForm();
  type('名称', '公章');
  type('数量', '1');
  submit();
  await waitFor(() => expect(done).toHaveBeenCalledWith({ id: 1 }));
  expect(server.asked[0]?.body).toEqual({ name: '公章', count: 1 });
  unmount();
  showForm();
  expect(screen.queryByText(/未提交的草稿/)).toBeNull();
});

test('a form with secrets keeps nothing in the browser', () => {
  const { unmount } = showForm({ secret: true });
  type('名称', '公章');
  unmount();
  expect(localStorage.length).toBe(0);
});

test('a form offers the fresh record when somebody else saved it meanwhile, and is then sent with its version', async () => {
  let isStale = true;
  server.answers(() =>
    isStale ? refuse(4011, '印章刚被他人修改', { current: { name: '新公章', count: 3, version: 4 } }) : ok({ id: 1 }),
  );
  showForm({ initial: { name: '公章', count: 1 }, also: { version: 1 } });
  submit();
  fireEvent.click(await screen.findByRole('button', { name: '载入最新内容' }));
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('新公章');
  expect(server.asked[0]?.body).toMatchObject({ version: 1 });
  isStale = false;
  submit();
  await waitFor(() => expect(server.asked).toHaveLength(2));
  expect(server.asked[1]?.body).toMatchObject({ name: '新公章', count: 3, version: 4 });
});

test('leaving a form with unsaved changes asks for confirmation', () => {
  showForm();
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(false);
  type('名称', '公章');
  const again = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(again);
  expect(again.defaultPrevented).toBe(true);
});

test('a field required only for submission is starred and checked together with the others, and not needed for a draft', async () => {
  server.answers(() => ok({ id: 1 }));
  const { done } = showForm({
    fields: [
      { name: 'name', label: '名称' },
      { name: 'count', label: '数量' },
      { name: 'note', label: '备注', needed: true },
    ],
    other: { label: '保存草稿', also: {} },
  });
  expect(screen.getByText('备注').className).toContain('required');
  submit();
  await screen.findByRole('button', { name: '名称：请填写' });
  await screen.findByRole('button', { name: '备注：请填写' });
  type('名称', '公章');
  type('数量', '2');
  submit();
  await screen.findByRole('button', { name: '备注：请填写' });
  expect(server.asked).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '保存草稿' }));
  await waitFor(() => expect(done).toHaveBeenCalled());
});

test('a form is not sent with the number that stood before an unreadable one, but says so at its field, until it is entered anew', async () => {
  server.answers(() => ok({ id: 1 }));
  const { done } = showForm({ initial: { name: '公章', count: 3 } });
  const count = screen.getByLabelText<HTMLInputElement>('数量');
  fireEvent.focus(count);
  fireEvent.change(count, { target: { value: '二' } });
  fireEvent.blur(count);
  submit();
  fireEvent.click(await screen.findByRole('button', { name: '数量：“二”不是数字，没有填入' }));
  expect([document.activeElement, count.value, count.getAttribute('aria-invalid')]).toEqual([count, '3', 'true']);
  submit();
  await screen.findByRole('button', { name: '数量：“二”不是数字，没有填入' });
  expect(server.asked).toEqual([]);
  fireEvent.change(count, { target: { value: '2' } });
  fireEvent.blur(count);
  submit();
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(server.asked[0]?.body).toEqual({ name: '公章', count: 2 });
});

test('a complaint about an unreadable number goes from field and summary once the number that stands there is typed again', async () => {
  server.answers(() => ok({ id: 1 }));
  const { done } = showForm({ initial: { name: '公章', count: 3 } });
  const count = screen.getByLabelText<HTMLInputElement>('数量');
  fireEvent.focus(count);
  fireEvent.change(count, { target: { value: '二' } });
  fireEvent.blur(count);
  submit();
  await screen.findByRole('button', { name: '数量：“二”不是数字，没有填入' });
  // All of it was selected, so that the text does not change.
  fireEvent(count, new Event('input', { bubbles: true }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /不是数字/ })).toBeNull());
  expect([count.value, count.getAttribute('aria-invalid')]).toEqual(['3', null]);
  submit();
  await waitFor(() => expect(done).toHaveBeenCalled());
  expect(server.asked[0]?.body).toEqual({ name: '公章', count: 3 });
});

test('a complaint about a number that was sent while it was still typed stays when the summary takes the focus from its field', async () => {
  server.answers(() => ok({ id: 1 }));
  showForm({ initial: { name: '公章', count: 3 } });
  const count = screen.getByLabelText<HTMLInputElement>('数量');
  act(() => count.focus());
  fireEvent.change(count, { target: { value: '二' } });
  // A tap leaves the focus in the field.
  submit();
  // The field says it once it is left.
  await screen.findByRole('tooltip');
  const told = screen.getByRole('button', { name: '数量：“二”不是数字，没有填入' });
  expect(document.activeElement?.contains(told)).toBe(true);
  expect(server.asked).toEqual([]);
});
