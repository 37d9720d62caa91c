import { join } from 'node:path';
import { buildServer } from '../../../scripts/run-build.mjs';

/** Builds the server once for all tests of a run that start it as a process of its own. */
export default async function setup(): Promise<void> {
  await buildServer(join(import.meta.dirname, '..', '..', '..'), process.execPath);
}
