import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, timed } from './run-process.mjs';
import { buildWeb } from './run-web.mjs';

const none = { passed: 0, failed: 0, skipped: 0 };

/** What vitest's JSON reporter wrote. A file that does not even load has no failed test, yet is a failure. */
function readVitest(report) {
  const files = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + files.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** What Playwright's JSON reporter wrote; a test that passed only when repeated counts as passed. */
function readPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** Figures of one runner; a runner that fails without a failed test, or leaves no report, counts as one failure. */
function countOf(file, code, read) {
  const counts = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : none;
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** The last line of a run. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * All tests: vitest, then the web is built and Playwright drives a real browser. Arguments narrow vitest to files and leave Playwright out.
 * Resolves to the exit code: 1 when a test failed or none ran.
 * @param {string} root
 * @param {string} runtime
 * @param {string[]} args
 */
export async function testAll(root, runtime, args) {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const reports = { unit: join(cache, 'vitest.json'), browser: join(cache, 'playwright.json') };
  for (const file of Object.values(reports)) rmSync(file, { force: true });
  const program = (...parts) => join(root, 'node_modules', ...parts);

  const vitest = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports.unit}`, ...args];
  const unit = await timed('模块测试', () => runStep(root, runtime, [program('vitest', 'vitest.mjs'), ...vitest]));
  const counts = [countOf(reports.unit, unit, readVitest)];

  if (args.length === 0) {
    const browser = await timed('浏览器测试', () => testInBrowser(root, runtime, reports.browser));
    counts.push(countOf(reports.browser, browser, readPlaywright));
  }
  const total = counts.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }));
  console.log(summary(total));
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

async function testInBrowser(root, runtime, report) {
  const found = await runStep(root, runtime, [join(root, 'scripts', 'find-browser.ts')]);
  if (found !== 0) return found;
  try {
    await buildWeb(root, runtime);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  return runStep(root, runtime, [playwright, 'test', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
}
