import { inThread } from '#kernel/server/jobs/thread.ts';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';
import type { WordText } from './docx/text.ts';
import type { PageText } from './pdf-text.ts';

export interface BodyQuestion {
  ext: 'docx' | 'pdf' | 'ofd';
  bytes: Uint8Array;
}
export type BodyAnswer =
  | ({ kind: 'text' } & WordText)
  | ({ kind: 'pages' } & PageText)
  | { kind: 'locked' | 'damaged' | 'tooBig' };

const bounds = { milliseconds: 20_000, megabytes: 512 };
const answers = { tooBig: { kind: 'tooBig' }, broken: { kind: 'damaged' } } as const;
const worker = new URL('./read-worker.ts', import.meta.url);
const line = createLine({ atOnce: 1, waiting: 20, waitingEach: 3 });

/**
 * Reads a body in a separate thread with limits on memory (512 MB), time (20 s) and unpacked size (64 MB), one at a time. Beyond them it
 * answers `tooBig`. Throws `lineFull` and `ownLineFull` for people.
 */
export function readBytes(by: By, question: BodyQuestion): Promise<BodyAnswer> {
  return line(by, () => inThread<BodyAnswer>(worker, question, bounds, answers));
}
