import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { keepThread, ThreadOverdone } from './kept-thread.ts';

/** Answers its thread's id; never answers “hang”. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (question) => {
      if (question === 'end') process.exit();
      if (question !== 'hang') parentPort.postMessage(threadId);
    });`)}`,
);
const minutes = 60_000;
const options = () => ({ env: {} });

test('a worker thread is kept for the next question, and ended after being idle', async () => {
  const kept = keepThread<string, number>(thread, { patience: minutes, options });
  expect(await kept('who')).toBe(await kept('who'));

  const soonEnded = keepThread<string, number>(thread, { patience: minutes, options, keptMs: 1 });
  const first = await soonEnded('who');
  await eventually(async () => expect(await soonEnded('who')).not.toBe(first));
});

test('a question that takes too long is abandoned with its thread, and the next one gets a new thread', async () => {
  const ask = keepThread<string, number>(thread, { patience: 2000, options });
  // A shared machine may take longer than that to start a thread.
  const first = await eventually(() => ask('who'));
  await expect(ask('hang')).rejects.toThrow(ThreadOverdone);
  expect(await eventually(() => ask('who'))).not.toBe(first);
});

test('a thread that dies fails only the question it was working on', async () => {
  const ask = keepThread<string, number>(thread, { patience: minutes, options });
  const first = await ask('who');
  await expect(ask('end')).rejects.toThrow('the thread has stopped');
  expect(await ask('who')).not.toBe(first);
});
