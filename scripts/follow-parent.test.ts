import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const follow = new URL('follow-parent.mjs', import.meta.url).href;
const started = async (program: string) => {
  const child = spawn(process.execPath, ['--import', follow, '-e', `${program}; process.send('ready')`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
};

test('a program ends when its parent disconnects, by its own handler if it has one', async () => {
  const orderly = await started("setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(7))");
  const plain = await started('setInterval(() => {}, 1000)');
  const gone = Promise.all([once(orderly, 'exit'), once(plain, 'exit')]);
  orderly.disconnect();
  plain.disconnect();
  expect(await gone).toEqual([
    [7, null],
    [143, null],
  ]);
});
