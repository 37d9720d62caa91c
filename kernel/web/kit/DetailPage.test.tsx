import { act, screen, waitFor } from '@testing-library/react';
import { lazy, Suspense, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ComingPart, useAwaited } from '../live/together.ts';
import { emptyPage } from '../testing/page.ts';
import { show } from '../testing/show.tsx';
import { DetailPage } from './DetailPage.tsx';

emptyPage();

const arrive = new Map<string, () => void>();
/** Renders its name once it has arrived, and then its own part. */
function Part({ name, then }: { name: string; then?: string }) {
  const [come, setCome] = useState(false);
  arrive.set(name, () => setCome(true));
  useAwaited(!come);
  if (!come) return null;
  return (
    <>
      <p>{name}</p>
      {then && <Part name={then} />}
    </>
  );
}
const isShown = (words: string) => screen.queryByText(words)?.closest('[data-coming]') === null;

let addLater = () => undefined as void;
function Page() {
  const [more, setMore] = useState(false);
  addLater = () => setMore(true);
  return (
    <DetailPage title="采购合同">
      <p>正文</p>
      <Part name="关联" then="记录" />
      <Part name="用印" />
      {more && <Part name="批注" />}
    </DetailPage>
  );
}

test('a record’s page is shown once all its parts have arrived, those that others bring too, and stays when more load later', async () => {
  show(<Page />);
  expect(isShown('正文')).toBe(false);
  act(() => arrive.get('关联')!());
  act(() => arrive.get('用印')!());
  await act(async () => {});
  expect(isShown('正文')).toBe(false);
  act(() => arrive.get('记录')!());
  await waitFor(() => expect(isShown('正文')).toBe(true));
  act(() => addLater());
  expect(isShown('正文')).toBe(true);
});

test('a record’s page without parts that load is shown at once, and one whose part does not arrive after two seconds', () => {
  vi.useFakeTimers();
  try {
    const { unmount } = show(
      <DetailPage title="通知">
        <p>全文</p>
      </DetailPage>,
    );
    expect(isShown('全文')).toBe(true);
    unmount();
    show(
      <DetailPage title="采购合同">
        <p>正文</p>
        <Part name="关联" />
      </DetailPage>,
    );
    expect(isShown('正文')).toBe(false);
    act(() => vi.advanceTimersByTime(2000));
    expect(isShown('正文')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a record’s page waits for a part whose program is loading, and shows in its place what stands for it after two seconds', () => {
  vi.useFakeTimers();
  try {
    const Never = lazy(() => new Promise<never>(() => undefined));
    show(
      <DetailPage title="采购合同">
        <h2>正文</h2>
        <Suspense
          fallback={
            <ComingPart>
              <p>正文载入中</p>
            </ComingPart>
          }
        >
          <Never />
        </Suspense>
      </DetailPage>,
    );
    expect(isShown('正文')).toBe(false);
    act(() => vi.advanceTimersByTime(2000));
    expect([isShown('正文'), isShown('正文载入中')]).toEqual([true, true]);
  } finally {
    vi.useRealTimers();
  }
});
