import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { savingHeader } from '#kernel/contract/busy.ts';
import { send, upload } from '#kernel/web/client.ts';
import { holding } from '#kernel/web/saving.ts';
import { keepToken } from '#kernel/web/token.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { stamps } from '#kernel/web/testing/stamps.ts';
import { Saving } from './Saving.tsx';

const server = servedPage();
const usual = { ...holding };
beforeEach(() => {
  keepToken('abc');
  Object.assign(holding, { longest: 1500, pause: 200 });
});
afterEach(() => {
  keepToken(null);
  Object.assign(holding, usual);
});
const away = (_asking: unknown, response: { statusCode: number; setHeader(name: string, value: string): void }) => {
  response.statusCode = 503;
  response.setHeader(savingHeader, 'waits');
  return refuse(503, '数据库正在恢复，现在只能查看、不能保存，请稍后再试', { saving_waits: true });
};
const list = { value: [], total: 0, page: 1, per_page: 10 };

test('while the database is away the page says so once, until an answer says otherwise', async () => {
  show(<Saving />);
  server.answers((_asking, response) => {
    response.setHeader(savingHeader, 'waits');
    return ok(list);
  });
  await Promise.all([send(stamps.list, {}), send(stamps.list, {})]);
  expect(await screen.findAllByText(/现在可以查看，暂时不能保存/)).toHaveLength(1);
  server.answers(() => ok(list));
  await send(stamps.list, {});
  await waitFor(() => expect(screen.queryByText(/数据库正在恢复/)).toBeNull());
});

test('a request sent meanwhile is held and repeated under its key until it is saved, and the page says so', async () => {
  show(<Saving />);
  server.answers(away);
  const sent = send(stamps.create, { body: { name: '公章', count: 1 } });
  await screen.findByText(/提交的内容已留在本页，恢复后自动提交/);
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(1));
  const key = server.asked[0]!.headers['idempotency-key'];
  server.answers(() => ok({ id: 7 }));
  await sent;
  expect(server.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([key]);
  await waitFor(() => expect(screen.queryByText(/数据库正在恢复/)).toBeNull());
});

test('a file is held as well, and what cannot be saved for too long fails with the server’s sentence', async () => {
  server.answers(away);
  const file = upload(stamps.upload, {}, new File(['x'], '印模.png'), { quiet: true });
  await expect(file).rejects.toMatchObject({ status: 503, msg: expect.stringContaining('不能保存') as string });
  expect(server.asked.length).toBeGreaterThan(3);
  expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});
