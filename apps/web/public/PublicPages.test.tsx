import { afterEach, expect, test, vi } from 'vitest';
import { announce, announceWith } from '#kernel/web/announce.ts';
import { CallFailed } from '#kernel/web/failure.ts';

afterEach(() => announceWith(null));

test('the program of the public pages takes failures from nobody when the office fetches it along', async () => {
  const confirm = vi.fn(async () => false);
  announceWith({ message() {}, notification() {}, confirm, leave: async () => {} });
  await import('./PublicPages.tsx');
  announce(CallFailed.refused({ code: 401, msg: '登录状态已过期，请重新登录', data: null }, 200));
  expect(confirm).toHaveBeenCalledOnce();
});
