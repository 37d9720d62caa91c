import { afterEach, expect, test, vi } from 'vitest';
import { announce, announceWith } from '#kernel/web/announce.ts';
import { CallFailed } from '#kernel/web/failure.ts';

afterEach(() => announceWith(null));

test('loading the public pages inside the office does not take over its error handling', async () => {
  const confirm = vi.fn(async () => false);
  announceWith({ message() {}, notification() {}, confirm, leave: async () => {} });
  await import('./PublicPages.tsx');
  announce(CallFailed.refused({ code: 401, msg: '登录状态已过期，请重新登录', data: null }, 200));
  expect(confirm).toHaveBeenCalledOnce();
});
