import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { announceWith } from '../announce.ts';
import { live, moduleOf, useCall } from '../calls.ts';
import { ok, refuse, startServer } from '../testing/server.ts';
import { stamps } from '../testing/stamps.ts';
import { askAnew } from './asking.ts';

let server: Awaited<ReturnType<typeof startServer>>;
const shown: string[] = [];
beforeAll(async () => {
  server = await startServer();
  announceWith({
    message: (text) => void shown.push(text),
    notification: (title) => void shown.push(title),
    confirm: async ({ title }) => shown.push(title) < 0,
    leave: async () => undefined,
  });
});
afterEach(cleanup);
afterAll(() => {
  announceWith(null);
  return server.stop();
});

test('a background reload fails silently, a person’s own request shows its error', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  let turn = 0;
  server.answers(() =>
    ++turn === 1 ? ok({ value: [], total: 0, page: 1, per_page: 10 }) : refuse(-1, `第 ${turn} 次`),
  );
  const { result } = renderHook(() => useCall(stamps.list, {}, { meta: live }), { wrapper });
  await waitFor(() => expect(result.current.data).toBeDefined());
  askAnew(queries, new Set(['another module']));
  askAnew(queries, new Set([moduleOf(stamps.list)]));
  await waitFor(() => expect(result.current.error?.msg).toBe('第 2 次'));
  askAnew(queries, new Set(['*']));
  await waitFor(() => expect(result.current.error?.msg).toBe('第 3 次'));
  expect(shown).toEqual([]);
  await act(() => result.current.refetch());
  expect(shown).toEqual(['第 4 次']);
});
