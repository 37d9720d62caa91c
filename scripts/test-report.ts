import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { firstLine } from './test-outcome.mjs';

const root = process.cwd();
const wordOf = (error: { name?: string; message?: string } | undefined) =>
  firstLine(`${error?.name ?? 'Error'}: ${error?.message ?? ''}`);

/** Writes the result of each test of a run, as `Outcome`s, to the file that TEST_REPORT names. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const outcomes = [...modules.flatMap(outcomesOf), ...errors.map(strayError)];
    writeFileSync(process.env['TEST_REPORT']!, JSON.stringify(outcomes));
  }
}

/** The outcomes of a file's tests, and of the file or its suites if they failed to start or end: their tests would otherwise only count as skipped. */
function outcomesOf(module: TestModule) {
  const file = module.relativeModuleId;
  const unable = (one: TestModule | TestSuite, title: string) =>
    one.errors().map((error) => ({ ...blank, file, title, state: 'failed', error: wordOf(error) }));
  return [
    ...unable(module, '没有开始或没有结束'),
    ...[...module.children.allSuites()].flatMap((suite) => unable(suite, `${suite.fullName}：没有开始或没有结束`)),
    ...[...module.children.allTests()].map((test) => ({ file, ...outcomeOf(test) })),
  ];
}

const blank = { line: 0, seconds: 0, error: '' };

function outcomeOf(test: TestCase) {
  const { state, errors } = test.result();
  return {
    line: test.location?.line ?? 0,
    title: test.fullName,
    state: state === 'pending' ? 'skipped' : state,
    seconds: (test.diagnostic()?.duration ?? 0) / 1000,
    error: wordOf(errors?.[0]).slice(0, state === 'failed' ? 300 : 0),
  };
}

/** An error that no test caught; it belongs to the file that was running, if vitest knows it. */
function strayError(error: SerializedError) {
  const path = error['VITEST_TEST_PATH'] as string | undefined;
  const title = '没有测试接住的错误';
  return { ...blank, file: path ? relative(root, path) : 'vitest', title, state: 'failed', error: wordOf(error) };
}
