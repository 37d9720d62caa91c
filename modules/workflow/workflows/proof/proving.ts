import { keepThread, ThreadOverdone } from '#kernel/server/jobs/kept-thread.ts';
import { createStore } from '#kernel/server/process/store.ts';
import { createTurns } from '#kernel/server/jobs/turns.ts';
import { whole, type Findings } from '../engine/check/problem.ts';
import type { Definition } from '../engine/definition.ts';
import { hashOf } from '../service.ts';

/** Limits of one proof: milliseconds from the beginning of its turn, and megabytes of memory. */
const patience = 10_000;
const heapLimit = 256;
/** The most proofs that may wait: each occupies a request. */
const mostWaiting = 16;

const tooLong =
  '条件太多，10 秒内没有检查完，不能证明工单都能走到结束环节；请减少条件用到的字段、选项或条件分支，检查完才能发布';

const inTurn = createTurns(1);
/** Milliseconds for which an unfinished proof is remembered: the machine may have been busy with something else. */
const unfinishedKept = 10 * 60_000;
const known = createStore<string, { found: Promise<Findings>; until: number }>(200);
let waiting = 0;

/**
 * Findings on a definition before it is published, computed in a thread of its own with bounds on time (10 s) and memory (256 MB), one definition at
 * a time; a known one is answered at once. An unfinished proof is reported as a problem, and tried again when asked for ten minutes later.
 */
export function prove(definition: Definition): Promise<Findings> {
  const hash = hashOf(definition);
  const before = known.get(hash);
  if (before && Date.now() < before.until) return before.found;
  if (waiting >= mostWaiting) return Promise.resolve(unfinished('正在检查的流程太多，这个流程还没有检查，请稍后再试'));
  waiting++;
  const proof = { found: inTurn(() => look(definition)).finally(() => waiting--), until: Infinity };
  known.set(hash, proof);
  proof.found.then(
    ({ problems: [first] }) => {
      if (first?.msg === tooLong) proof.until = Date.now() + unfinishedKept;
    },
    // A fault of the thread says nothing about the definition.
    () => known.delete(hash),
  );
  return proof.found;
}

const stillLooking = '流程较大，还在检查，稍后重新打开可以看到结果；发布时会等检查完';

/** The same for a page that does not wait: findings known within a moment. */
export async function provenSoon(definition: Definition): Promise<Findings> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Findings>((resolve) => {
    timer = setTimeout(() => resolve({ problems: [], warnings: [whole(stillLooking)] }), 1000);
  });
  return Promise.race([prove(definition), late]).finally(() => clearTimeout(timer));
}

const unfinished = (msg: string): Findings => ({ problems: [whole(msg)], warnings: [] });

const proofOf = keepThread<Definition, Findings>(new URL('./worker.ts', import.meta.url), {
  patience,
  options: () => ({
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  }),
});

async function look(definition: Definition): Promise<Findings> {
  try {
    return await proofOf(definition);
  } catch (error) {
    if (error instanceof ThreadOverdone) return unfinished(tooLong);
    throw error;
  }
}
