import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { runConfined } from './confined.ts';
import { createToPdf } from './office-pdf.ts';
import { endTree } from '../postgres/process-tree.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gongdan-confined-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}
const bounds = () => ({ seconds: 60, megabytes: 2048, counts: 'written', fileMegabytes: 10, folder }) as const;
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
const eater = (megabytes: number) =>
  `const kept = []; for (let i = 0; i < ${megabytes}; i += 8) kept.push(Buffer.alloc(8 * 2 ** 20, 1)); process.exit(kept.length ? 0 : 1)`;

describe.skipIf(process.platform === 'win32')('an external program', () => {
  test('that hangs is killed with all its child processes', async () => {
    const hangs = await script('hangs', `sleep 600 & echo $! > ${folder}/child; sleep 600`);
    await expect(runConfined([hangs], { ...bounds(), seconds: 1 })).rejects.toThrow('SIGKILL');
    const child = Number(await readFile(join(folder, 'child'), 'utf8'));
    await eventually(() => expect(isGone(child)).toBe(true));
  });

  test('that exits and leaves child processes has them killed', async () => {
    const leaves = await script('leaves', `sleep 600 & echo $! > ${folder}/left`);
    await runConfined([leaves], bounds());
    const left = Number(await readFile(join(folder, 'left'), 'utf8'));
    await eventually(() => expect(isGone(left)).toBe(true));
  });

  test('that exceeds its memory limit is ended, and one within it is not', async () => {
    const eats = (megabytes: number) => runConfined([process.execPath, '-e', eater(megabytes)], bounds());
    await expect(eats(4000)).rejects.toThrow('ended with');
    await eats(64);
  });

  test('that writes without end is stopped', async () => {
    const writes = await script('writes', `cat /dev/zero > ${folder}/huge`);
    await expect(runConfined([writes], bounds())).rejects.toThrow('ended with');
  });

  test('does not inherit our environment variables', async () => {
    const tells = await script('tells', `env > ${folder}/env`);
    process.env['A_SECRET_OF_OURS'] = 'x';
    await runConfined([tells], bounds());
    delete process.env['A_SECRET_OF_OURS'];
    expect(await readFile(join(folder, 'env'), 'utf8')).not.toContain('A_SECRET_OF_OURS');
  });

  test('in place of the office program that hangs or uses too much leaves no files behind and frees its slot', async () => {
    const source = join(folder, 'a.docx');
    await writeFile(source, 'x');
    const hangs = createToPdf(await script('office-hangs', `echo $HOME > ${folder}/home; sleep 600`), { seconds: 1 });
    await expect(hangs(source, readFile)).rejects.toThrow('SIGKILL');
    const home = (await readFile(join(folder, 'home'), 'utf8')).trim();
    await expect(access(home)).rejects.toThrow('ENOENT');
    await expect(hangs(source, readFile)).rejects.toThrow('SIGKILL');
    const eats = await script('office-eats', `exec ${process.execPath} -e '${eater(8000)}'`);
    await expect(createToPdf(eats, { counts: 'written', megabytes: 1024 })(source, readFile)).rejects.toThrow(
      'ended with',
    );
  });
});

describe('without process groups', () => {
  const path = process.env['PATH'];
  afterEach(() => void (process.env['PATH'] = path));
  const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

  test.skipIf(process.platform === 'win32')(
    'the system command is used to end a program with its children',
    async () => {
      await script('taskkill', `echo "$@" > ${folder}/asked; kill -9 "$2"`);
      process.env['PATH'] = `${folder}:${path}`;
      const child = sleeper();
      endTree(child, false);
      await once(child, 'exit');
      expect(await readFile(join(folder, 'asked'), 'utf8')).toBe(`/pid ${child.pid} /t /f\n`);
    },
  );

  test('a program is ended even if that command is missing', async () => {
    process.env['PATH'] = join(folder, 'nowhere');
    const child = sleeper();
    endTree(child, false);
    await once(child, 'exit');
    expect(child.exitCode ?? child.signalCode).not.toBe(0);
  });
});
