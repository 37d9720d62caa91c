import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { FilesInput } from './FilesInput.tsx';

const server = servedPage();

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
const named = (name: string, size = 1) => new File([new Uint8Array(size)], name, { type: 'image/png' });
const choose = (...files: File[]) =>
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } });
const card = (id: number, name = 'a.webp') =>
  ok({ id, name, ext: 'webp', mime: 'image/webp', size: 1, sha256: '0', url: `/${id}`, thumb_url: null });
const area = () => document.querySelector('.files-input')!;

test('files chosen, dropped and pasted are all sent and held, beside those already there', async () => {
  let next = 10;
  told.waits = [];
  server.answers(() => card(next++));
  show(<Form />);
  choose(named('a.png'), named('b.png'));
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11]));
  fireEvent.drop(area(), { dataTransfer: { files: [named('c.png')] } });
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11, 12]));
  fireEvent.paste(area(), { clipboardData: { files: [named('d.png')] } });
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11, 12, 13]));
  expect(server.asked.filter((asking) => asking.method === 'POST')).toHaveLength(4);
  expect(server.asked.at(-1)?.text).toContain('tickets');
  await waitFor(() => expect([told.waits[0], told.waits.at(-1)]).toEqual([true, false]));
  expect(screen.getByText('旧图.webp').closest('a')!.getAttribute('href')).toBe('/api/file/4/preview/?s=x');
});

test('a refused file says why by its name, can be tried again, and what was there can be taken out', async () => {
  server.answers(() => refuse(-1, '图片已损坏，无法读取，请换一张图片'));
  show(<Form />);
  choose(named('bad.png'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('“bad.png”上传失败：图片已损坏，无法读取，请换一张图片');
  expect(told.ids).toEqual([4]);
  server.answers(() => card(20));
  fireEvent.click(screen.getByRole('button', { name: '重新上传bad.png' }));
  await waitFor(() => expect(told.ids).toEqual([4, 20]));
  fireEvent.click(screen.getByRole('button', { name: '移除旧图.webp' }));
  await waitFor(() => expect(told.ids).toEqual([20]));
});

test('no more than the most can be chosen', () => {
  show(<Form max={1} />);
  expect(screen.getByRole('button', { name: '上传图片' })).toHaveProperty('disabled', true);
});

test('a large file goes on from where the server has it when the network breaks', async () => {
  const size = 9 * 2 ** 20;
  let come = 0;
  let broken = 0;
  const offsets: number[] = [];
  const progress = () =>
    ok({ upload_id: 7, offset: come, size, file: come === size ? (card(30) as { data: unknown }).data : null });
  server.answers(({ method, query, text }, response) => {
    if (method !== 'PATCH') return progress();
    offsets.push(Number(query.get('offset')));
    if (come === 4 * 2 ** 20 && broken++ === 0) {
      come += 1000;
      response.destroy();
      return undefined;
    }
    come += text.length;
    return progress();
  });
  show(<Form />);
  choose(named('big.png', size));
  await waitFor(() => expect(told.ids).toEqual([4, 30]), { timeout: 8000 });
  expect(offsets).toEqual([0, 4 * 2 ** 20, 4 * 2 ** 20 + 1000, 8 * 2 ** 20 + 1000]);
});

test('an upload that is cancelled is forgotten', async () => {
  server.answers(() => undefined);
  show(<Form />);
  choose(named('slow.png'));
  fireEvent.click(await screen.findByRole('button', { name: '取消上传slow.png' }));
  await waitFor(() => expect(screen.queryByText('slow.png')).toBeNull());
  expect(told.ids).toEqual([4]);
});
