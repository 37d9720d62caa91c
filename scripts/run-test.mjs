import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBase } from './changed-files.mjs';
import { buildProduct } from './run-build.mjs';
import { countOutcomes, describeRun, readPlaywright, repeatFailures } from './test-outcome.mjs';
import { runStep, timed } from './run-process.mjs';
import { openTestFolder } from './test-folder.mjs';

/** The outcomes in a runner's report. A runner that fails without a failed test, or leaves no report, counts as a failure itself. */
function readReport(file, code, title, read) {
  const outcomes = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : [];
  if (code === 0 || outcomes.some(({ state }) => state === 'failed')) return outcomes;
  return [...outcomes, { file: title, line: 0, title: `退出码 ${code}`, state: 'failed', seconds: 0, error: '' }];
}

/** Functions that run vitest and Playwright and return the outcomes of their tests. @param {Record<string, string>} shared */
export function runnersOf(root, runtime, shared) {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const program = (...parts) => join(root, 'node_modules', ...parts);

  const unit = async (args) => {
    const report = join(cache, 'vitest.json');
    rmSync(report, { force: true });
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'test-report.ts')}`];
    const vitest = [program('vitest', 'vitest.mjs'), 'run', ...reporters, ...args];
    const code = await runStep(root, runtime, vitest, { env: { ...shared, TEST_REPORT: report } });
    return readReport(report, code, 'vitest', (outcomes) => outcomes);
  };

  const browser = async (args) => {
    const report = join(cache, 'playwright.json');
    rmSync(report, { force: true });
    let code = await runStep(root, runtime, [join(root, 'scripts', 'find-browser.ts')]);
    if (code === 0) {
      try {
        await buildProduct(root, runtime);
      } catch (error) {
        console.error(error.message);
        code = 1;
      }
    }
    if (code === 0) {
      const playwright = [program('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...args];
      code = await runStep(root, runtime, playwright, { env: { ...shared, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
    }
    return readReport(report, code, 'Playwright', readPlaywright);
  };
  return { unit, browser };
}

/** Settings that the tests of a run share: their folder, and the place of the demonstration once one of them has created it. */
export const environmentOf = ({ path }) => ({ TMPDIR: path, DEMO_TEMPLATE: join(path, 'demonstration') });

/**
 * Runs all tests: vitest, then the web is built and Playwright drives a real browser. Files with failures are run once more, each alone in
 * a new process with a new database. `--changed` runs the tests that the changes since main can affect; other arguments limit vitest to
 * files and leave Playwright out. Resolves to the exit code: 1 if a test failed or none ran.
 * @param {string} root
 * @param {string} runtime
 * @param {string[]} args
 */
export async function testAll(root, runtime, args) {
  const folder = openTestFolder();
  try {
    return await runTests(runnersOf(root, runtime, environmentOf(folder)), root, args);
  } finally {
    folder.remove();
  }
}

/** @param {ReturnType<typeof runnersOf>} runners @param {string} root @param {string[]} args */
async function runTests({ unit, browser }, root, args) {
  const changed = args.includes('--changed');
  const since = changed ? findBase(root) : '';
  const narrowed = args.map((one) => (one === '--changed' ? `--changed=${since}` : one));

  const outcomes = await timed('模块测试', () => unit([...narrowed, ...(changed ? ['--passWithNoTests'] : [])]));
  if (args.length === 0) outcomes.push(...(await timed('浏览器测试', () => browser([]))));
  else if (changed)
    outcomes.push(...(await timed('浏览器测试', () => browser([`--only-changed=${since}`, '--pass-with-no-tests']))));

  const alone = (file) =>
    file.startsWith('e2e/') ? browser([file, '--workers=1', '--trace=retain-on-failure']) : unit([file]);
  const settled = await repeatFailures(outcomes, (file) => timed(`单独再跑 ${file}`, () => alone(file)));
  for (const line of describeRun(settled)) console.log(line);
  const { passed, failed } = countOutcomes(settled);
  return failed > 0 || (passed === 0 && !changed) ? 1 : 0;
}
