import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse, type Asking } from '#kernel/web/testing/server.ts';
import { photoState } from '../../contract/codes.ts';
import { queue, useQueue, type Sending } from './queue.ts';

const server = servedPage();
let result: { current: ReturnType<typeof useQueue> };
beforeEach(() => {
  ({ result } = renderHook(useQueue));
  // The queue belongs to the window and outlives its components.
  onTestFinished(() => {
    for (const { key } of list()) queue.drop(key);
    queue.resume();
  });
});
const list = () => result.current.list;
const states = () => list().map(({ state }) => state);
const named = (name: string) => list().find((one) => one.name === name)!;

let serial = 0;
/** Pictures with distinct contents. */
const pictures = (count: number, begin: string) =>
  Array.from({ length: count }, (_, at) => new File([`${begin}${at}`, `${(serial += 1)}`], `${begin}${at}.jpg`));
const add = (files: File[]) => act(() => queue.add(files, { category_id: 3 }, (file) => file.name));

const isUpload = ({ method, path }: Asking) => method === 'POST' && path === '/api/file/upload/';
const isBatch = ({ path }: Asking) => path === '/api/photo/batch/';
const ids = new Map<string, number>();
/** The id of an uploaded file, from its name. */
function received({ text }: Asking): number {
  const name = /filename="([^"]+)"/.exec(text)![1]!;
  if (!ids.has(name)) ids.set(name, ids.size + 1);
  return ids.get(name)!;
}
const card = (id: number) =>
  ok({ id, name: 'a.jpg', ext: 'jpg', mime: 'image/jpeg', size: 1, sha256: '0', url: `/${id}`, thumb_url: null });
const sentIds = (asking: Asking) => (asking.body as { photos: { file_id: number }[] }).photos.map((one) => one.file_id);
const made = (asking: Asking) =>
  ok({
    value: sentIds(asking).map((file_id) => ({
      file_id,
      ok: true,
      id: 1000 + file_id,
      msg: '',
      state: photoState.pending,
    })),
  });
const takes = (asking: Asking) =>
  isUpload(asking) ? card(received(asking)) : isBatch(asking) ? made(asking) : ok(null);
const lineReturns = () => act(() => void window.dispatchEvent(new Event('online')));

test('an interrupted photo upload says why it waits and resumes when the connection is back', async () => {
  let cuts = 0;
  server.answers((asking, response) => {
    if (isUpload(asking) && cuts === 0) {
      cuts += 1;
      return void response.socket!.destroy();
    }
    return takes(asking);
  });
  add(pictures(1, 'cut'));
  await waitFor(() => expect(named('cut0.jpg').reason).toBe('网络中断，恢复后自动续传'));
  lineReturns();
  await waitFor(() => expect(named('cut0.jpg')).toMatchObject({ state: 'done', reason: '待审核' }));
});

test('photos are created in batches of ten in the chosen order while uploads go on, and the last batch may be smaller', async () => {
  let release: (() => void) | undefined;
  server.answers((asking, response) => {
    if (isUpload(asking) && asking.text.includes('filename="order0.jpg"')) {
      const late = card(received(asking));
      release = () => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(late));
      return undefined;
    }
    return takes(asking);
  });
  const files = pictures(12, 'order');
  add(files);
  await waitFor(() => expect(states().filter((state) => state === 'done')).toHaveLength(10));
  expect(named('order0.jpg').state).toBe('sending');
  release!();
  await waitFor(() => expect(states().every((state) => state === 'done')).toBe(true));
  const numbers = files.map(({ name }) => ids.get(name)!);
  const batches = server.asked.filter(isBatch).map(sentIds);
  expect(batches[0]).toEqual(numbers.slice(1, 11));
  expect(batches.slice(1).flat()).toEqual([numbers[0], numbers[11]]);
});

test('photos whose batch was never answered are sent again under the same key, so that none is made twice', async () => {
  server.answers((asking, response) => {
    if (isBatch(asking) && server.asked.filter(isBatch).length === 1) return void response.socket!.destroy();
    return takes(asking);
  });
  add(pictures(2, 'batch'));
  await waitFor(() => expect(named('batch0.jpg')).toMatchObject({ state: 'sent', reason: '网络中断，恢复后自动续传' }));
  lineReturns();
  await waitFor(() => expect(states()).toEqual(['done', 'done']));
  const [first, again] = server.asked.filter(isBatch);
  expect(again!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  expect(again!.body).toEqual(first!.body);
});

test('a photo that the server refuses fails with its reason while others go on, and can be retried', async () => {
  let refuses = true;
  server.answers((asking) =>
    isUpload(asking) && refuses && asking.text.includes('filename="bad0.jpg"')
      ? refuse(codes.refused, '“bad0.jpg”不是照片')
      : takes(asking),
  );
  add([...pictures(1, 'bad'), ...pictures(1, 'good')]);
  await waitFor(() => expect(states()).toEqual(['failed', 'done']));
  expect(named('bad0.jpg').reason).toBe('“bad0.jpg”不是照片');
  refuses = false;
  act(() => queue.resume(true));
  await waitFor(() => expect(states()).toEqual(['done', 'done']));
});

test('the same photo chosen twice is uploaded once, and one already in the album is named', async () => {
  server.answers(takes);
  const [file] = pictures(1, 'twin');
  add([file!, file!]);
  await waitFor(() => expect(states().toSorted()).toEqual(['done', 'same']));
  expect(list().find(({ state }) => state === 'same')!.reason).toBe('与本次选择的另一张相同，没有重复上传');
  act(() => list().forEach(({ key }) => queue.drop(key)));
  const before = server.asked.length;
  add([file!]);
  await waitFor(() => expect(states()).toEqual(['same']));
  expect(list()[0]).toMatchObject<Partial<Sending>>({
    reason: '此前已提交到这个相册，没有重复上传',
    other: 1000 + ids.get(file!.name)!,
  });
  expect(server.asked).toHaveLength(before);
});

test('a photo whose connection never returns is given up, is marked as failed, and can be retried', async () => {
  let away = true;
  server.answers((asking, response) => (away ? void response.socket!.destroy() : takes(asking)));
  add(pictures(1, 'away'));
  await waitFor(
    () => {
      window.dispatchEvent(new Event('online'));
      expect(named('away0.jpg')).toMatchObject({ state: 'failed', reason: '后端接口连接异常' });
    },
    { interval: 5 },
  );
  const tries = server.asked.filter(isUpload).length;
  expect(tries).toBeGreaterThan(20);
  away = false;
  act(() => queue.resume(true));
  await waitFor(() => expect(named('away0.jpg').state).toBe('done'));
});
