import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { firstLine } from './test-outcome.mjs';

const root = process.cwd();
const wordOf = (error: { name?: string; message?: string } | undefined) =>
  firstLine(`${error?.name ?? 'Error'}: ${error?.message ?? ''}`);

/** Writes what each test of a run came to, as `Outcome`s, to the file that TEST_REPORT names. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const outcomes = [...modules.flatMap(outcomesOf), ...errors.map(strayError)];
    writeFileSync(process.env['TEST_REPORT']!, JSON.stringify(outcomes));
  }
}

/** Tests of a file, and the file or its suites where they could not begin or end: their tests only count as left out otherwise. */
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

/** An error that no test caught: it belongs to the file that ran, where vitest knows it. */
function strayError(error: SerializedError) {
  const path = error['VITEST_TEST_PATH'] as string | undefined;
  const title = '没有测试接住的错误';
  return { ...blank, file: path ? relative(root, path) : 'vitest', title, state: 'failed', error: wordOf(error) };
}
