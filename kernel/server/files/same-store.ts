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
/** A node that has said nothing for so long is gone, and its mark with it. */
const goneMs = 3 * everyMs;
/** A shared folder may show what another machine wrote only after a while. */
const patienceMs = 2000;

/**
 * The same store, which takes nothing while another node keeps its files elsewhere. Each node leaves a mark in its store and says so now
 * and then; whoever hears it looks for the mark in their own.
 */
export async function sharedStore(
  store: Store,
  { databases, bus, log }: { databases: Databases; bus: Bus; log: Logger },
): Promise<{ store: Store; leave(): Promise<void> }> {
  const mine = `marks/${randomUUID()}`;
  /** Marks of others that are not here, and when they were last said to be. */
  const missing = new Map<string, number>();
  const known = new Set<string>();
  let left = false;
  // Where the store or the database cannot be reached, the next word says it.
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
    // A newcomer has not heard of this one yet.
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
