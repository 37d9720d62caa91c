import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOfficeProfile } from './office-profile.ts';
import { createTurns } from './turns.ts';

/**
 * Turns an office file into a PDF and hands its path to `take`; the PDF is gone afterwards. Fails for what the program cannot
 * read, and where it takes too long or too much.
 */
export type ToPdf = <T>(source: string, take: (pdf: string) => Promise<T>) => Promise<T>;

const seconds = 60;
const memoryKilobytes = 4 * 2 ** 20;
const fileBlocks = (200 * 2 ** 20) / 512;
// A shell sets the limits, then becomes the program: nothing of the file's name ever reaches it as text to be run.
const limits = `ulimit -t ${seconds} -v ${memoryKilobytes} -f ${fileBlocks}; exec "$@"`;

/** Path of LibreOffice on this machine: the one told, or one on the path; undefined where there is none. */
export function findOffice(told: string | undefined, path = process.env.PATH ?? ''): string | undefined {
  const candidates = told
    ? [told]
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

/** One conversion at a time, each with a profile of its own, without the secrets of our environment. */
export function createToPdf(program: string): ToPdf {
  const turn = createTurns(1);
  return (source, take) =>
    turn(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gongdan-pdf-'));
      try {
        await writeOfficeProfile(join(folder, 'profile'));
        await convert(program, source, folder);
        const made = (await readdir(folder)).find((name) => name.endsWith('.pdf'));
        if (!made) throw new Error('the office program wrote no PDF');
        return await take(join(folder, made));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

function convert(program: string, source: string, folder: string): Promise<void> {
  const asked = [
    program,
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`,
    '--headless',
    '--norestore',
    '--nolockcheck',
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    source,
  ];
  const [command, ...args] = process.platform === 'win32' ? asked : ['/bin/sh', '-c', limits, 'limits', ...asked];
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { cwd: folder, env, stdio: 'ignore', detached: process.platform !== 'win32' });
    // The program starts helpers of its own: the whole group has to go.
    const late = setTimeout(() => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    }, seconds * 1000);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) resolve();
      else reject(new Error(`the office program ended with ${code ?? signal}`));
    });
  });
}
