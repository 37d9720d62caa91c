import { codes, Refusal } from '#kernel/contract/refusal.ts';
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
/** Results by content hash; only the most recent are kept. */
const known = createStore<string, Look | null>(500);

/** If the queue is full or the store does not answer, the file is not judged, so that nobody is kept from applying. */
function notNow(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== codes.notNow) throw error;
}

/** The pages of uploaded files, and the places still to be filled in. Null for formats that cannot be inspected. */
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
