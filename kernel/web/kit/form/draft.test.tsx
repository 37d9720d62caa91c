import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ReactNode } from 'react';
import { emptyPage } from '../../testing/page.ts';
import { DraftsContext, useDraft, type Draft, type Drafts } from './draft.ts';

emptyPage();

/** A server that keeps drafts, and the machines of a person who changes from one to another. */
function office() {
  const kept = new Map<string, Draft>();
  const drafts: Drafts = {
    find: async (name) => kept.get(name) ?? null,
    keep: async (name, draft) => void (draft ? kept.set(name, draft) : kept.delete(name)),
  };
  const sit = (name = 'leave') =>
    renderHook(() => useDraft(name), {
      wrapper: ({ children }: { children: ReactNode }) => <DraftsContext value={drafts}>{children}</DraftsContext>,
    });
  return { kept, sit };
}
const atAnotherMachine = () => {
  cleanup();
  localStorage.clear();
};

test('a draft typed on one machine is found on another, and is sent from there under the same key', async () => {
  const { kept, sit } = office();
  const first = sit();
  act(() => first.result.current.keep({ reason: '回家' }));
  first.unmount();
  await waitFor(() => expect(kept.get('leave')?.values).toEqual({ reason: '回家' }));
  const { attempt } = first.result.current;
  atAnotherMachine();
  const second = sit();
  await waitFor(() => expect(second.result.current.found?.values).toEqual({ reason: '回家' }));
  act(() => void second.result.current.restore());
  expect(second.result.current.attempt).toBe(attempt);
  act(() => second.result.current.drop());
  await waitFor(() => expect(kept.size).toBe(0));
});

test('a draft sent from another machine is no longer offered here, unless more was typed here since', async () => {
  const { kept, sit } = office();
  const first = sit();
  act(() => first.result.current.keep({ reason: '回家' }));
  first.unmount();
  await waitFor(() => expect(kept.size).toBe(1));
  const carried = localStorage.getItem('draft:leave')!;
  kept.clear();
  const again = sit();
  await waitFor(() => expect(again.result.current.found).toBeNull());
  expect(localStorage.getItem('draft:leave')).toBeNull();
  again.unmount();
  const newer = { ...(JSON.parse(carried) as Draft), at: Date.now() + 1000, values: { reason: '改了' } };
  localStorage.setItem('draft:leave', JSON.stringify(newer));
  const last = sit();
  await act(async () => {});
  expect(last.result.current.found?.values).toEqual({ reason: '改了' });
});

test('a draft that never left this browser is not uploaded over a later one of another machine until something is typed here', async () => {
  const { kept, sit } = office();
  const later = { values: { reason: '出差' }, attempt: 'b', at: Date.now() - 1000 };
  kept.set('leave', later);
  localStorage.setItem('draft:leave', JSON.stringify({ values: { reason: '回家' }, attempt: 'a', at: 1 }));
  const first = sit();
  await waitFor(() => expect(first.result.current.found).toEqual(later));
  first.unmount();
  await act(async () => {});
  expect(kept.get('leave')).toEqual(later);
  const second = sit();
  await waitFor(() => expect(second.result.current.found).toEqual(later));
  act(() => second.result.current.keep({ reason: '回家看望' }));
  second.unmount();
  await waitFor(() => expect(kept.get('leave')?.values).toEqual({ reason: '回家看望' }));
});

test('without a server, or when it fails, a draft is kept in the browser', async () => {
  const failing: Drafts = { find: () => Promise.reject(new Error()), keep: () => Promise.reject(new Error()) };
  const sit = () =>
    renderHook(() => useDraft('leave'), {
      wrapper: ({ children }: { children: ReactNode }) => <DraftsContext value={failing}>{children}</DraftsContext>,
    });
  const first = sit();
  act(() => first.result.current.keep({ reason: '回家' }));
  first.unmount();
  const second = sit();
  await act(async () => {});
  expect(second.result.current.found?.values).toEqual({ reason: '回家' });
});
