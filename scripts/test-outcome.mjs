import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * The outcome of one test.
 * @typedef {object} Outcome
 * @property {string} file path from the root of the checkout; the name of the runner if it failed without a file
 * @property {number} line 0 if unknown
 * @property {string} title
 * @property {'passed' | 'failed' | 'skipped' | 'shaky'} state shaky: it failed among others and passed alone
 * @property {number} seconds
 * @property {string} error the first line of its error; empty unless it failed
 */

// Repeating a file costs up to two minutes in the browser; if this many fail, the fault is not in the tests.
const mostRepeated = 12;
/** More shaky tests than this make a run fail. */
export const mostShaky = 3;
const slowest = 20;

/** @param {string | undefined} text */
export function firstLine(text) {
  // Both runners colour their output.
  return (
    stripVTControlCharacters(text ?? '')
      .trim()
      .split('\n')[0] ?? ''
  );
}

/**
 * The tests of a report that Playwright's JSON reporter wrote.
 * @param {any} report
 * @returns {Outcome[]}
 */
export function readPlaywright({ suites = [], errors = [], config }) {
  const folder = config?.rootDir?.endsWith('e2e') ? 'e2e/' : '';
  const read = (suite, above) => {
    const titles = suite.title === suite.file ? above : [...above, suite.title];
    const own = suite.specs.flatMap((spec) =>
      spec.tests.map(({ status, results }) => ({
        file: `${folder}${spec.file}`,
        line: spec.line,
        title: [...titles, spec.title].join(' › '),
        state: { expected: 'passed', flaky: 'passed', skipped: 'skipped' }[status] ?? 'failed',
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        error: status === 'unexpected' ? firstLine(results.at(-1)?.error?.message ?? results.at(-1)?.status) : '',
      })),
    );
    return [...own, ...(suite.suites ?? []).flatMap((one) => read(one, titles))];
  };
  const outside = errors.map(({ message, location }) => ({
    file: location?.file ? `${folder}${basename(location.file)}` : 'Playwright',
    line: location?.line ?? 0,
    title: '没有开始',
    state: 'failed',
    seconds: 0,
    error: firstLine(message),
  }));
  return [...suites.flatMap((one) => read(one, [])), ...outside];
}

/**
 * Returns the outcomes after each file with a failure was run alone: its tests have the state of the second run, and those that first failed
 * and then passed are shaky. If too many files failed nothing is repeated.
 * @param {Outcome[]} outcomes
 * @param {(file: string) => Promise<Outcome[]>} repeat
 * @returns {Promise<Outcome[]>}
 */
export async function repeatFailures(outcomes, repeat) {
  const failed = outcomes.filter(({ state }) => state === 'failed');
  const files = [...new Set(failed.map(({ file }) => file))].filter((file) => file.includes('/'));
  if (files.length === 0 || files.length > mostRepeated) return outcomes;
  const settled = outcomes.filter(({ file }) => !files.includes(file));
  for (const file of files) {
    const again = await repeat(file);
    const ran = again.filter((one) => one.file === file);
    const before = failed.filter((one) => one.file === file);
    // A shaky test keeps its error, which is needed to fix it.
    const settle = (one) => {
      const first = one.state === 'passed' && before.find(({ title }) => title === one.title);
      return first ? { ...one, state: 'shaky', error: first.error } : one;
    };
    settled.push(...again.map(settle));
    // A failure that is no test, such as a suite that could not start, has no second outcome: it counts as shaky if its file passed.
    const begun = ran.some(({ state }) => state === 'passed') && !again.some(({ state }) => state === 'failed');
    for (const one of before) {
      if (ran.some(({ title }) => title === one.title)) continue;
      settled.push(begun ? { ...one, state: 'shaky' } : one);
    }
  }
  return settled;
}

/** The numbers of passed, failed and skipped tests; shaky ones pass as long as they are few. @param {Outcome[]} outcomes */
export function countOutcomes(outcomes) {
  const count = (state) => outcomes.filter((one) => one.state === state).length;
  const shaky = count('shaky');
  const forgiven = shaky <= mostShaky;
  return {
    passed: count('passed') + (forgiven ? shaky : 0),
    failed: count('failed') + (forgiven ? 0 : shaky),
    skipped: count('skipped'),
  };
}

const describe = ({ file, line, title, error, seconds }, word) =>
  `${word} ${line > 0 ? `${file}:${line}` : file} ${title}（${seconds.toFixed(1)} 秒）${error ? `\n     ${error}` : ''}`;

/** The summary of a run: failed, shaky and slowest tests, and the counts. @param {Outcome[]} outcomes */
export function describeRun(outcomes) {
  const having = (state) => outcomes.filter((one) => one.state === state);
  const lines = [];
  const shaky = having('shaky');
  const longest = outcomes
    .filter(({ seconds }) => seconds >= 1)
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, slowest);
  if (longest.length > 0) lines.push('', `最慢的 ${longest.length} 个：`);
  lines.push(...longest.map((one) => describe({ ...one, error: '' }, ' ')));
  if (shaky.length > 0)
    lines.push('', `${shaky.length} flaky：第一次失败、单独再跑通过，当天就要修；多于 ${mostShaky} 个则整次不通过。`);
  lines.push(...shaky.map((one) => describe(one, 'FLAKY')));
  const failed = having('failed');
  if (failed.length > 0) lines.push('', '失败：', ...failed.map((one) => describe(one, 'FAIL')));
  return [...lines, '', summary(countOutcomes(outcomes))];
}

/** The last line of a run. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
