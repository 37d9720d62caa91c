import { accessSync, constants } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runConfined, type Bounds } from './confined.ts';
import { writeOfficeProfile } from './office-profile.ts';
import { createLine, type By } from '../jobs/turns.ts';

/**
 * Turns an office file into a PDF and passes its path to `take`; the PDF is deleted afterwards. `by` is the person who asks, the product itself
 * unless given. Fails if the program cannot read the file, or takes too long or too much memory; throws `lineFull` and `ownLineFull` for people.
 */
export type ToPdf = <T>(source: string, take: (pdf: string) => Promise<T>, by?: By) => Promise<T>;

/** Path of LibreOffice on this machine: the configured one, or one on the path; undefined if there is none. */
export function findOffice(configured: string | undefined, path = process.env.PATH ?? ''): string | undefined {
  const candidates = configured
    ? [configured]
    : path.split(delimiter).flatMap((folder) => [join(folder, 'soffice'), join(folder, 'libreoffice')]);
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** One conversion at a time, each with its own profile and without the secrets in our environment. `given` sets tighter bounds. */
export function createToPdf(program: string, given: Partial<Bounds> = {}): ToPdf {
  const line = createLine({ atOnce: 1, waiting: 40, waitingEach: 5 });
  return (source, take, by = 'house') =>
    line(by, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gongdan-pdf-'));
      try {
        await writeOfficeProfile(join(folder, 'profile'));
        await convert(program, source, folder, given);
        const made = (await readdir(folder)).find((name) => name.endsWith('.pdf'));
        if (!made) throw new Error('the office program wrote no PDF');
        return await take(join(folder, made));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

/** Its memory is counted as requested addresses: it reserves little, and its helper processes have the same bound. */
const bounds = { seconds: 60, megabytes: 4096, counts: 'asked', fileMegabytes: 200 } as const;

function convert(program: string, source: string, folder: string, given: Partial<Bounds>): Promise<void> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  const asked = ['--headless', '--norestore', '--nolockcheck', '--convert-to', 'pdf', '--outdir', folder, source];
  return runConfined([program, profile, ...asked], { ...bounds, ...given, folder });
}
