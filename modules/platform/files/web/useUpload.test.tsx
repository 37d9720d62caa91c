import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HoldContext } from '#kernel/web/kit/form/parts/waiting.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { useUpload } from './useUpload.ts';

const server = servedPage();
const card = ok({ id: 9, name: '签名.png', ext: 'png', mime: 'image/png', size: 1, sha256: '0', url: '/9' });
const file = new File(['x'], '签名.png', { type: 'image/png' });

test('the form around a single upload waits until it has arrived', async () => {
  let arrive = () => undefined as void;
  server.answers((_asking, response) => {
    arrive = () => void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(card));
    return undefined;
  });
  const holds: string[] = [];
  const hold = () => {
    holds.push('held');
    return () => void holds.push('free');
  };
  const { result } = renderHook(() => useUpload('stamps'), {
    wrapper: ({ children }) => <HoldContext value={hold}>{children}</HoldContext>,
  });
  let got: Promise<unknown> = Promise.resolve();
  act(() => void (got = result.current.upload(file)));
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect([result.current.busy, holds]).toEqual([true, ['held']]);
  act(() => arrive());
  expect(await got).toMatchObject({ id: 9 });
  await waitFor(() => expect([result.current.busy, holds]).toEqual([false, ['held', 'free']]));
});

test('a single upload that is cancelled yields no file, even if the server has received it', async () => {
  server.answers(() => undefined);
  const { result } = renderHook(() => useUpload('stamps'));
  let got: Promise<unknown> = Promise.resolve();
  act(() => void (got = result.current.upload(file, { quiet: true })));
  await waitFor(() => expect(server.asked).toHaveLength(1));
  act(() => result.current.cancel());
  expect(await got).toBeNull();
  await waitFor(() => expect(result.current.busy).toBe(false));
});
