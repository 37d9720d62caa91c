import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Databases } from '../db/db.ts';
import { notify, type Bus } from '../live/bus.ts';
import type { Store } from './storage.ts';

export const storesApart = refusal(
  codes.notNow,
  () => '各节点的文件存放处不是同一处，存入的文件在别处会打不开，暂不能上传，请联系管理员',
);

const channel = 'store_mark';
const everyMs = 60_000;
/** A node that was silent for this long is gone, and its mark with it. */
const goneMs = 3 * everyMs;
/** A shared folder may show another machine's file only after a while. */
const patienceMs = 2000;

/**
 * The same store, which refuses writes while another node keeps its files elsewhere. Each node leaves a mark in its store and announces it at
 * intervals; the other nodes look for the mark in their own store.
 */
export async function sharedStore(
  store: Store,
  { databases, bus, log }: { databases: Databases; bus: Bus; log: Logger },
): Promise<{ store: Store; leave(): Promise<void> }> {
  const mine = `marks/${randomUUID()}`;
  /** Marks of other nodes that are missing here, and the time of their last announcement. */
  const missing = new Map<string, number>();
  const known = new Set<string>();
  let left = false;
  // If the store or the database cannot be reached, the next announcement does it.
  const say = async () => {
    if (!left) await store.put(mine, Readable.from([Buffer.from('here')]));
    left = true;
    await notify(databases.alone, channel, mine);
  };
  const sayIfCan = () => say().catch(() => undefined);

  async function look(mark: string): Promise<void> {
    if ((await store.size(mark)) === null) {
      if (!missing.has(mark)) {
        await new Promise((done) => setTimeout(done, patienceMs).unref());
        if ((await store.size(mark)) !== null) return;
        log.error('another node keeps its files elsewhere: nothing is taken until all keep them in one place');
      }
      missing.set(mark, performance.now());
    } else if (missing.delete(mark)) log.info('all nodes keep their files in one place again');
  }
  bus.listen(channel, (mark) => {
    if (mark === mine || !/^marks\/[\da-f-]{36}$/.test(mark)) return;
    // A new node has not heard of this one yet.
    if (!known.has(mark)) void sayIfCan();
    known.add(mark);
    look(mark).catch((error: unknown) => log.warn({ err: error }, 'the mark of another node was not looked for'));
  });
  await sayIfCan();
  const saying = setInterval(() => void sayIfCan(), everyMs).unref();
  const isApart = () => {
    for (const [mark, at] of missing) if (performance.now() - at > goneMs) missing.delete(mark);
    return missing.size > 0;
  };
  return {
    store: {
      ...store,
      async put(key, content) {
        if (isApart()) {
          content.destroy();
          throw storesApart();
        }
        return store.put(key, content);
      },
    },
    async leave() {
      clearInterval(saying);
      await store.remove(mine).catch(() => undefined);
    },
  };
}
