import { expect, test } from 'vitest';
import { crowded, mostInFolder } from './structure.ts';

test('a folder with more files than it may hold is named; tests and folders below do not count', () => {
  const full = Array.from({ length: mostInFolder }, (_none, at) => `modules/a/file${at}.ts`);
  expect(crowded([...full, 'modules/a/a.test.ts', 'modules/a/web/Page.tsx'])).toEqual([]);
  expect(crowded([...full, 'modules/a/more.ts'])).toEqual([{ folder: 'modules/a', files: mostInFolder + 1 }]);
});
