import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countOutcomes, describeRun, mostShaky, readPlaywright, repeatFailures, summary } from './test-outcome.mjs';

const repository = join(import.meta.dirname, '..');
type Outcome = Awaited<ReturnType<typeof repeatFailures>>[number];
const outcome = (title: string, state: Outcome['state'], more: Partial<Outcome> = {}): Outcome => ({
  file: 'modules/a/a.test.ts',
  line: 3,
  title,
  state,
  seconds: 2,
  error: state === 'failed' ? 'Error: no' : '',
  ...more,
});

test('the last line of a run is its counts', () => {
  expect(summary({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  expect(summary({ passed: 12, failed: 1, skipped: 2 })).toBe('12 passed, 1 failed, 2 skipped');
});

describe('a test file with a failure is run once more by itself', () => {
  test('and a test that passes then is named as shaky, while one that fails again has failed', async () => {
    const asked: string[] = [];
    const settled = await repeatFailures(
      [
        outcome('passes once', 'failed'),
        outcome('never passes', 'failed'),
        outcome('passes', 'passed'),
        outcome('elsewhere', 'passed', { file: 'modules/b/b.test.ts' }),
      ],
      async (file) => {
        asked.push(file);
        return [outcome('passes once', 'passed'), outcome('never passes', 'failed'), outcome('passes', 'passed')];
      },
    );
    expect(asked).toEqual(['modules/a/a.test.ts']);
    expect(countOutcomes(settled)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    const lines = describeRun(settled);
    expect(lines).toContainEqual(expect.stringContaining('FLAKY modules/a/a.test.ts:3 passes once'));
    expect(lines).toContainEqual(
      expect.stringMatching(/^FAIL modules\/a\/a\.test\.ts:3 never passes（2\.0 秒）\n +Error: no$/),
    );
    expect(lines.at(-1)).toBe('3 passed, 1 failed');
  });

  test('and a suite that could not begin is a failure until its tests have run', async () => {
    const broken = outcome('没有开始或没有结束', 'failed', { line: 0 });
    const left = outcome('waits', 'skipped');
    const still = await repeatFailures([broken, left], async () => [broken, left]);
    expect(countOutcomes(still)).toEqual({ passed: 0, failed: 1, skipped: 1 });
    const mended = await repeatFailures([broken, left], async () => [outcome('waits', 'passed')]);
    expect(mended.map(({ title, state }) => [title, state])).toEqual([
      ['waits', 'passed'],
      ['没有开始或没有结束', 'shaky'],
    ]);
  });

  test('and a runner that ended without a report stays a failure', async () => {
    const ended = outcome('退出码 1', 'failed', { file: 'vitest' });
    const settled = await repeatFailures([ended], () => Promise.reject(new Error('not to be asked')));
    expect(countOutcomes(settled).failed).toBe(1);
  });
});

test(`more than ${mostShaky} shaky tests fail the run`, () => {
  const shaky = (count: number) => Array.from({ length: count }, (_none, at) => outcome(`shaky ${at}`, 'shaky'));
  expect(countOutcomes(shaky(mostShaky))).toEqual({ passed: mostShaky, failed: 0, skipped: 0 });
  expect(countOutcomes(shaky(mostShaky + 1))).toEqual({ passed: 0, failed: mostShaky + 1, skipped: 0 });
});

test('a run names its twenty slowest tests, the slowest first', () => {
  const all = Array.from({ length: 30 }, (_none, at) => outcome(`test ${at}`, 'passed', { seconds: at }));
  const named = describeRun(all).filter((line) => line.includes('test '));
  expect(named).toHaveLength(20);
  expect(named[0]).toContain('test 29（29.0 秒）');
});

test('a browser report is read with its suites, failures and errors at the start', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'duty.spec.ts',
    line: 6,
    tests: [{ status, results: [{ duration: 1500, ...(message ? { error: { message } } : {}) }] }],
  });
  const report = {
    config: { rootDir: '/somewhere/e2e' },
    errors: [{ message: 'Error: no office\n at start' }],
    suites: [
      {
        title: 'duty.spec.ts',
        file: 'duty.spec.ts',
        specs: [spec('publishes', 'unexpected', '\u001B[31mError: not visible\u001B[39m\nCall log')],
        suites: [{ title: 'on a phone', file: 'duty.spec.ts', specs: [spec('swaps', 'expected')] }],
      },
    ],
  };
  expect(readPlaywright(report)).toEqual([
    {
      file: 'e2e/duty.spec.ts',
      line: 6,
      title: 'publishes',
      state: 'failed',
      seconds: 1.5,
      error: 'Error: not visible',
    },
    { file: 'e2e/duty.spec.ts', line: 6, title: 'on a phone › swaps', state: 'passed', seconds: 1.5, error: '' },
    { file: 'Playwright', line: 0, title: '没有开始', state: 'failed', seconds: 0, error: 'Error: no office' },
  ]);
});

describe('the report of vitest', () => {
  let folder: string;
  let outcomes: Outcome[];
  beforeAll(() => {
    mkdirSync(join(repository, '.cache'), { recursive: true });
    folder = mkdtempSync(join(repository, '.cache', 'planted-'));
    const plant = (file: string, text: string) =>
      writeFileSync(join(folder, file), `import { beforeAll, describe, expect, test } from 'vitest';\n${text}`);
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { includeTaskLocation: true } };');
    plant('good.test.ts', `test('holds', () => {});\ntest.skip('is left out', () => {});`);
    plant('bad.test.ts', `describe('a rule', () => test('does not hold', () => expect(1).toBe(2)));`);
    plant('unable.test.ts', `beforeAll(() => { throw new Error('no database'); });\ntest('never runs', () => {});`);
    plant(
      'stray.test.ts',
      `test('ends early', () => { setTimeout(() => { throw new Error('too late'); }, 0); });
test('waits', () => new Promise((done) => setTimeout(done, 200)));`,
    );
    const report = join(folder, 'report.json');
    const program = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
    const reporter = `--reporter=${join(repository, 'scripts', 'test-report.ts')}`;
    spawnSync(process.execPath, [program, 'run', reporter], {
      cwd: folder,
      env: { ...process.env, TEST_REPORT: report, VITEST: '' },
    });
    outcomes = JSON.parse(readFileSync(report, 'utf8')) as Outcome[];
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const of = (file: string) =>
    outcomes.filter((one) => one.file === file).map(({ title, state, error }) => [title, state, error]);

  test('has each test with its state and line', () => {
    expect(of('good.test.ts')).toEqual([
      ['holds', 'passed', ''],
      ['is left out', 'skipped', ''],
    ]);
    expect(of('bad.test.ts')).toEqual([
      ['a rule > does not hold', 'failed', expect.stringMatching(/^AssertionError: expected 1 to be 2/)],
    ]);
    expect(outcomes.find(({ file }) => file === 'bad.test.ts')?.line).toBe(2);
  });

  test('counts a suite whose preparation fails as a failure', () => {
    expect(of('unable.test.ts')).toEqual([
      ['没有开始或没有结束', 'failed', 'Error: no database'],
      ['never runs', 'skipped', ''],
    ]);
  });

  test('counts an error that no test caught as a failure of its file', () => {
    expect(of('stray.test.ts')).toContainEqual(['没有测试接住的错误', 'failed', 'Error: too late']);
  });
});
