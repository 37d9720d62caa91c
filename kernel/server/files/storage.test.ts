import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createS3Store } from './storage-s3.ts';
import { createLocalStore, type Store } from './storage.ts';
import { startS3 } from '../testing/s3-server.ts';

let folder: string;
let s3: Awaited<ReturnType<typeof startS3>>;
const stores: Record<string, () => Store> = {
  'a local folder': () => createLocalStore(folder),
  'an S3-compatible server': () => createS3Store(s3.place),
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gongdan-store-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const large = randomBytes(18 * 2 ** 20);
async function* inPieces(bytes: Buffer, fail = false) {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
  if (fail) throw new Error('the sender has left');
}
const stream = (bytes: Buffer, fail = false) => Readable.from(inPieces(bytes, fail), { objectMode: false });
const read = async (store: Store, key: string, range?: { first: number; last: number }) => {
  const found = await store.get(key, range);
  return found && buffer(found);
};

describe.each(Object.entries(stores))('%s', (_title, open) => {
  let store: Store;
  beforeAll(() => void (store = open()));

  test('returns what was stored, whole and in part, until it is removed', async () => {
    await store.put('content/ab/large', stream(large));
    expect(await store.size('content/ab/large')).toBe(large.length);
    expect((await read(store, 'content/ab/large'))!.equals(large)).toBe(true);
    const part = await read(store, 'content/ab/large', { first: 9_000_000, last: 9_000_009 });
    expect(part).toEqual(large.subarray(9_000_000, 9_000_010));
    await store.put('content/ab/large', stream(Buffer.from('anew')));
    expect(String(await read(store, 'content/ab/large'))).toBe('anew');
    await store.remove('content/ab/large');
    await store.remove('content/ab/large');
    expect([await read(store, 'content/ab/large'), await store.size('content/ab/large')]).toEqual([null, null]);
  });

  test('lists the keys in a folder and no others', async () => {
    for (const key of ['portion/7/0-a', 'portion/7/9-b', 'portion/77/0-c'])
      await store.put(key, stream(Buffer.from(key)));
    expect((await store.list('portion/7')).toSorted()).toEqual(['portion/7/0-a', 'portion/7/9-b']);
    expect(await store.list('nowhere')).toEqual([]);
  });

  test('stores nothing of a failing stream, and keeps the earlier content', async () => {
    for (const bytes of [large, Buffer.from('short')]) {
      await expect(store.put('content/fails', stream(bytes, true))).rejects.toThrow('has left');
      expect(await store.size('content/fails')).toBeNull();
    }
    await store.put('content/stays', stream(Buffer.from('old')));
    await expect(store.put('content/stays', stream(Buffer.from('new'), true))).rejects.toThrow('has left');
    expect(String(await read(store, 'content/stays'))).toBe('old');
  });

  test('accepts the same content from many writers at once', async () => {
    const bytes = large.subarray(0, 2 ** 20);
    await Promise.all(Array.from({ length: 5 }, () => store.put('content/same', stream(bytes))));
    expect((await read(store, 'content/same'))!.equals(bytes)).toBe(true);
  });

  test('refuses keys that lead out of it', async () => {
    for (const key of ['../a', 'a/../b', '/etc/passwd', 'a//b', 'A', 'a\\b', 'a/', '', '.a', 'a\0b', '名'])
      await expect(store.get(key), JSON.stringify(key)).rejects.toThrow('not a key');
  });
});

test('the local file store leaves no half-written file', async () => {
  expect(await readdir(join(folder, 'aside'))).toEqual([]);
});
