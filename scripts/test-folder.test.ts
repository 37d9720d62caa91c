import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestFolder } from './test-folder.mjs';

test('every user can enter the folder of a test run, which is removed with the run', () => {
  const folder = openTestFolder();
  expect(statSync(folder.path).mode & 0o1777).toBe(0o1777);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test('the folder of an aborted run is removed by the next run, and one in use is not', async () => {
  const first = openTestFolder();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  const ended = new Promise((done) => other.once('exit', done));
  const itsFolder = join(first.path, '..', `gongdan-tests-${other.pid}`);
  mkdirSync(itsFolder);
  try {
    openTestFolder();
    expect(existsSync(itsFolder)).toBe(true);
    other.kill('SIGKILL');
    await ended;
    openTestFolder();
    expect(existsSync(itsFolder)).toBe(false);
  } finally {
    other.kill('SIGKILL');
    rmSync(itsFolder, { recursive: true, force: true });
    first.remove();
  }
});
