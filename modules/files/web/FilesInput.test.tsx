import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ok, refuse, startServer } from '#kernel/web/testing/server.ts';
import { fillGaps, show } from '#kernel/web/testing/show.tsx';
import { FilesInput } from './FilesInput.tsx';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  fillGaps();
  server = await startServer();
});
afterEach(cleanup);
afterAll(() => server.stop());

const told: { ids: readonly number[]; waits: boolean[] } = { ids: [], waits: [] };
function Form({ max }: { max?: number }) {
  const [ids, setIds] = useState<number[]>([4]);
  useEffect(() => void (told.ids = ids), [ids]);
  return (
    <FilesInput
      label="图片"
      module="tickets"
      accept=".png"
      max={max}
      value={ids}
      known={[{ id: 4, name: '旧图.webp', mime: 'image/webp', url: '/api/file/4/preview/?s=x' }]}
      onChange={setIds}
      onWait={(waits) => void told.waits.push(waits)}
    />
  );
}
const choose = (...names: string[]) =>
  fireEvent.change(document.querySelector('input[type=file]')!, {
    target: { files: names.map((name) => new File(['x'], name, { type: 'image/png' })) },
  });

test('files chosen together are all sent and held, beside those already there', async () => {
  let next = 10;
  told.waits = [];
  server.answers(({ text }) => {
    const name = /filename="([^"]+)"/.exec(text)?.[1] ?? '';
    const id = next++;
    return ok({ id, name, ext: 'webp', mime: 'image/webp', size: 1, url: `/api/file/${id}/preview/` });
  });
  show(<Form />);
  choose('a.png', 'b.png');
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11]));
  expect(server.asked.filter((asking) => asking.method === 'POST')).toHaveLength(2);
  expect(server.asked.at(-1)?.text).toContain('tickets');
  expect([told.waits[0], told.waits.at(-1)]).toEqual([true, false]);
  expect(screen.getByText('旧图.webp').getAttribute('href')).toBe('/api/file/4/preview/?s=x');
});

test('a refused file is not held, and what was there can be taken out', async () => {
  server.answers(() => refuse(-1, '图片已损坏，无法读取，请换一张图片'));
  show(<Form />);
  choose('bad.png');
  await waitFor(() => expect(document.querySelector('.ant-upload-list-item-error')).not.toBeNull());
  expect(told.ids).toEqual([4]);
  fireEvent.click(
    document.querySelector(
      '.ant-upload-list-item-done .ant-upload-list-item-card-actions-btn, .ant-upload-list-item-done button',
    )!,
  );
  await waitFor(() => expect(told.ids).toEqual([]));
});

test('no more than the most can be chosen', () => {
  show(<Form max={1} />);
  expect(screen.getByRole('button', { name: '上传图片' })).toHaveProperty('disabled', true);
});
