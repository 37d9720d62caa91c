import { Worker } from 'node:worker_threads';
import { createStore } from '#kernel/server/process/store.ts';
import { createTurns } from '#kernel/server/jobs/turns.ts';
import { whole, type Findings } from '../engine/check/problem.ts';
import type { Definition } from '../engine/definition.ts';
import { hashOf } from '../service.ts';

export interface ProofQuestion {
  id: number;
  definition: Definition;
}
export type ProofAnswer = Findings & { id: number };

/** How long one proof may take, from when its turn comes, and how much it may hold. */
const patience = 10_000;
const heapLimit = 256;
/** How many may wait for their turn: each holds the place of a request. */
const mostWaiting = 16;

const tooLong =
  '条件太多，10 秒内没有检查完，不能证明工单都能走到结束环节；请减少条件用到的字段、选项或条件分支，检查完才能发布';

const inTurn = createTurns(1);
/** How long it is kept that one was not done within its limits: the machine may have been busy with something else. */
const unfinishedKept = 10 * 60_000;
const known = createStore<string, { found: Promise<Findings>; until: number }>(200);
let thread: Worker | null = null;
let waiting = 0;
let last = 0;

/**
 * What is to be said of a definition before it is published, looked for in a thread of its own with bounds on time (10 s) and memory
 * (256 MB), one definition at a time; the same one is looked at once. What is not done within them is a problem that says so, and is tried
 * again when it is asked for ten minutes later.
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

/** The same for a page that does not wait: what is known within a moment. */
export async function provenSoon(definition: Definition): Promise<Findings> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Findings>((resolve) => {
    timer = setTimeout(() => resolve({ problems: [], warnings: [whole(stillLooking)] }), 1000);
  });
  return Promise.race([prove(definition), late]).finally(() => clearTimeout(timer));
}

const unfinished = (msg: string): Findings => ({ problems: [whole(msg)], warnings: [] });

function look(definition: Definition): Promise<Findings> {
  const worker = running();
  const id = (last += 1);
  worker.ref();
  return new Promise<Findings>((resolve, reject) => {
    const timer = setTimeout(() => over(unfinished(tooLong)), patience);
    const end = () => {
      clearTimeout(timer);
      worker.off('message', hear).off('error', fail).off('exit', stop);
      worker.unref();
    };
    const over = (findings: Findings) => {
      end();
      if (thread === worker) thread = null;
      void worker.terminate();
      resolve(findings);
    };
    const hear = ({ id: answered, ...findings }: ProofAnswer) => {
      if (answered !== id) return;
      end();
      resolve(findings);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return over(unfinished(tooLong));
      end();
      thread = null;
      return reject(error);
    };
    const stop = () => fail(new Error('the thread of the proofs has stopped'));
    worker.on('message', hear).on('error', fail).on('exit', stop);
    worker.postMessage({ id, definition } satisfies ProofQuestion);
  });
}

/** It is kept for the next one, and keeps nobody from stopping. */
function running(): Worker {
  if (thread) return thread;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // One that ends between two questions is made anew.
  worker
    .on('error', () => undefined)
    .on('exit', () => {
      if (thread === worker) thread = null;
    });
  worker.unref();
  thread = worker;
  return worker;
}
