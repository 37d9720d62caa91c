import { parentPort } from 'node:worker_threads';
import { findingsIn } from '../engine/check/publish-check.ts';
import type { ProofAnswer, ProofQuestion } from './proving.ts';

/** More would not be read, and each takes time to be sent. */
const most = 200;

parentPort!.on('message', ({ id, definition }: ProofQuestion) => {
  const { problems, warnings } = findingsIn(definition);
  const answer: ProofAnswer = { id, problems: problems.slice(0, most), warnings: warnings.slice(0, most) };
  parentPort!.postMessage(answer);
});
