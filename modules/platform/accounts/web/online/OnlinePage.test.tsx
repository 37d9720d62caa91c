import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import OnlinePage from './OnlinePage.tsx';

const server = servedPage();
const ends = '/api/accounts/online/end_all/';
const open = (search: string) => show(<OnlinePage />, { codes: ['Retrieve', 'Delete'], at: `/system/online${search}` });
const besides = (path: string) =>
  ok(path === '/api/accounts/online/' ? { value: [], total: 0, page: 1, per_page: 20 } : []);
const serve = (preview: object) =>
  server.answers(({ path, method }) => {
    if (path === ends) return ok(method === 'GET' ? preview : { count: 12, people: 11, kept: 1 });
    return besides(path);
  });

test('the sessions that end are those of the list’s filters, and the page names their people before it asks for a password', async () => {
  serve({ count: 12, people: 11, names: ['张三', '李四'], kept: 1, kept_names: ['王五'] });
  open('?way=password&search_value=zhang');
  fireEvent.click(await screen.findByRole('button', { name: '退出筛选出的登录' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/将退出“张三、李四”等 11 人的 12 处登录/)).toBeTruthy();
  expect(dialog.getByText(/“王五”的权限超出您的权限/)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('登录密码'), { target: { value: 'secret' } });
  fireEvent.click(dialog.getByRole('button', { name: '全部退出' }));
  expect(await screen.findByText('已退出 11 人的 12 处登录；另有 1 人的权限超出您的权限，没有退出')).toBeTruthy();
  const [preview, end] = ['GET', 'POST'].map((method) =>
    server.asked.find((one) => one.path === ends && one.method === method),
  );
  expect(Object.fromEntries(preview!.query)).toEqual({ way: 'password', search_value: 'zhang' });
  expect(end!.body).toEqual({ way: 'password', search_value: 'zhang', password: 'secret' });
});

test('opened again, the page asks for the password only after it names the people anew', async () => {
  serve({ count: 1, people: 1, names: ['张三'], kept: 0, kept_names: [] });
  open('?way=password');
  const ask = async () => {
    fireEvent.click(await screen.findByRole('button', { name: '退出筛选出的登录' }));
    return within(await screen.findByRole('dialog'));
  };
  const first = await ask();
  expect(await first.findByText(/将退出“张三”的 1 处登录/)).toBeTruthy();
  fireEvent.click(first.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The second preview is not answered yet.
  server.answers(({ path }) => (path === ends ? undefined : besides(path)));
  const second = await ask();
  await waitFor(() => expect(server.asked.some(({ path }) => path === ends)).toBe(true));
  expect(second.queryByText(/张三/)).toBeNull();
  expect(second.queryByLabelText('登录密码')).toBeNull();
});

test('the page asks for no password if there is no session to end', async () => {
  serve({ count: 0, people: 0, names: [], kept: 0, kept_names: [] });
  open('');
  fireEvent.click(await screen.findByRole('button', { name: '退出所有用户的登录' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/没有可以退出的登录/)).toBeTruthy();
  expect(dialog.queryByLabelText('登录密码')).toBeNull();
});

test('with a filter that the list refuses nothing can be ended', async () => {
  server.answers(({ path }) => (path === '/api/accounts/online/' ? refuse(codes.invalid, '登录方式不正确') : ok([])));
  open('?way=nothing');
  await waitFor(() => expect(server.asked.some((one) => one.path === '/api/accounts/online/')).toBe(true));
  expect(screen.queryByRole('button', { name: /^退出/ })).toBeNull();
});
