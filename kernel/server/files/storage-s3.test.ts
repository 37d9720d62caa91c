import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createS3Store } from './storage-s3.ts';
import type { Store } from './storage.ts';
import { startS3 } from '../testing/s3-server.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.stop());

/** A server that accepts everything and answers only the given text. */
async function answering(words: string): Promise<{ store: Store; server: Server; held: Set<Socket> }> {
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    held.add(socket.on('error', () => undefined));
    socket.on('data', () => void socket.write(words));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    store: createS3Store({ ...s3.place, endpoint: `http://127.0.0.1:${port}` }, { patienceMs: 200 }),
    server,
    held,
  };
}

test.each([
  ['that takes a call and never answers', ''],
  ['that stops in the middle of its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'],
])(
  'a store %s fails the call instead of blocking it',
  async (_title, words) => {
    const { store, server, held } = await answering(words);
    try {
      const read = store.get('content/ab/x').then((found) => buffer(found!));
      await expect(read).rejects.toThrow(/timed? ?out/i);
      if (words === '') await expect(store.size('content/ab/x')).rejects.toThrow(/timeout/i);
    } finally {
      for (const socket of held) socket.destroy();
      server.close();
    }
  },
  30_000,
);

test('readers that never take their last byte do not keep others from the store', async () => {
  const store = createS3Store(s3.place);
  await store.put('content/ab/large', Readable.from([Buffer.alloc(2 ** 20)]));
  const idle = await Promise.all(Array.from({ length: 55 }, () => store.get('content/ab/large')));
  expect(await store.size('content/ab/large')).toBe(2 ** 20);
  expect((await buffer((await store.get('content/ab/large'))!)).length).toBe(2 ** 20);
  for (const one of idle) one!.destroy();
}, 180_000);
