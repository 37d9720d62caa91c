import { parentPort } from 'node:worker_threads';
import type { Findings } from '../engine/check/problem.ts';
import { findingsIn } from '../engine/check/publish-check.ts';
import type { Definition } from '../engine/definition.ts';

/** More would not be read, and each takes time to send. */
const most = 200;

parentPort!.on('message', (definition: Definition) => {
  const { problems, warnings } = findingsIn(definition);
  const answer: Findings = { problems: problems.slice(0, most), warnings: warnings.slice(0, most) };
  parentPort!.postMessage(answer);
});
