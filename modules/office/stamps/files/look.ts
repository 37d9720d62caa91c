import { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { inThread } from '#kernel/server/jobs/thread.ts';
import { createStore } from '#kernel/server/process/store.ts';
import { createLine } from '#kernel/server/jobs/turns.ts';
import { bytesOf, filesById, type FileStore } from '#modules/platform/files/service.ts';
import type { Look } from './blanks.ts';

const line = createLine({ atOnce: 1, waiting: 20, waitingEach: 5 });
const bounds = { milliseconds: 20_000, megabytes: 512 };
const worker = new URL('./blanks-worker.ts', import.meta.url);
const unjudged: { tooBig: Look | null; broken: Look | null } = { tooBig: null, broken: null };
/** By content; what was looked at is looked at again only when many others were. */
const known = createStore<string, Look | null>(500);

/** Where too many wait, a file goes unjudged: nobody is kept from applying. */
function notNow(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

/** What stands in files that somebody uploaded: their pages, and the places still to be filled in. Null for what nobody can look into. */
export async function lookInto(
  fileStore: FileStore,
  read: Db,
  by: number,
  ids: readonly number[],
): Promise<Map<number, Look | null>> {
  const files = [...(await filesById(read, ids)).values()];
  const looks = new Map<number, Look | null>();
  for (const file of files) {
    const before = known.get(file.sha256);
    if (before !== undefined || file.ext !== 'pdf') {
      looks.set(file.id, before ?? null);
      continue;
    }
    const look = await line(by, async () =>
      inThread<Look | null>(worker, new Uint8Array(await bytesOf(fileStore, file)), bounds, unjudged),
    ).catch(notNow);
    if (look === undefined) continue;
    known.set(file.sha256, look);
    looks.set(file.id, look);
  }
  return looks;
}
