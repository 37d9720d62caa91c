import { join } from 'node:path';
import { runProgram, Stop } from './run-process.mjs';
import { environmentOf, runnersOf } from './run-test.mjs';
import { openTestFolder } from './test-folder.mjs';
import type { Outcome } from './test-outcome.mjs';

const root = join(import.meta.dirname, '..');

/** Runs a test file a number of times and reports which of its tests failed how often: `npm run repeat -- 200 modules/office/duty/duty.test.ts`. */
async function main([times, file, ...more]: readonly string[]): Promise<number> {
  const rounds = Number(times);
  if (!Number.isInteger(rounds) || rounds < 1 || file === undefined)
    throw new Stop('用法：npm run repeat -- 次数 测试文件 [-t 标题]');
  const folder = openTestFolder();
  const { unit, browser } = runnersOf(root, process.execPath, environmentOf(folder));
  const failures = new Map<string, { count: number; error: string }>();
  const add = (outcomes: readonly Outcome[]) => {
    for (const { title, error } of outcomes.filter(({ state }) => state === 'failed'))
      failures.set(title, { count: (failures.get(title)?.count ?? 0) + 1, error });
  };
  try {
    // One product in the browser serves all rounds, as it serves all files; the server's tests get a new database each time.
    if (file.startsWith('e2e/')) add(await browser([file, `--repeat-each=${rounds}`, ...more]));
    else for (let round = 0; round < rounds; round++) add(await unit([file, ...more]));
  } finally {
    folder.remove();
  }
  for (const [title, { count, error }] of failures) console.log(`失败 ${count} 遍：${title}\n     ${error}`);
  console.log(failures.size === 0 ? `${rounds} 遍全部通过` : `${rounds} 遍中有失败`);
  return failures.size === 0 ? 0 : 1;
}

await runProgram(() => main(process.argv.slice(2)));
