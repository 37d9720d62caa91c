import { expect, test } from 'vitest';
import { waitFor } from '@testing-library/react';
import { codes } from '#kernel/contract/refusal.ts';
import { keepToken } from '#kernel/web/token.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import Live from './Live.tsx';
import { SessionContext } from './SessionContext.ts';
import type { Session } from './session.ts';

const server = servedPage();

test('a window whose session ended elsewhere reconnects once somebody signs in there', async () => {
  server.answers(() => refuse(codes.signedOut, '登录状态已过期，请重新登录'));
  const asked = () => server.asked.filter(({ path }) => path.includes('ticket')).length;
  show(
    <SessionContext value={{ me: { username: 'wang' } } as Session}>
      <Live />
    </SessionContext>,
  );
  await waitFor(() => expect(asked()).toBe(1));
  const elsewhere = (newValue: string | null) => {
    keepToken(newValue);
    window.dispatchEvent(new StorageEvent('storage', { key: 'Admin-Token', newValue }));
  };
  elsewhere(null);
  elsewhere('another token');
  await waitFor(() => expect(asked()).toBe(2));
});
