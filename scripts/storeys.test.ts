import { expect, test } from 'vitest';
import { drawn, misdrawn, wrongWays } from './storeys.ts';

const wrong = (texts: Record<string, string>, allowed = {}) => wrongWays(Object.entries(texts), allowed);

test('a module may not import from a storey above it: no value, type, contract, style sheet or thread', () => {
  const problems = wrong({
    'modules/platform/a/server.ts': `import type { B } from '#modules/workflow/b/contract.ts';`,
    'modules/platform/a/module.ts': `import { c } from '#modules/office/c/service.ts';`,
    'modules/platform/a/web/a.css': `@import '../../../office/c/web/c.css';`,
    'modules/workflow/b/server.ts': `new Worker(new URL('../../office/c/worker.ts', import.meta.url));`,
    'modules/office/c/web/Page.tsx': `const Later = later(() => import('#modules/services/d/web/Page.tsx'));`,
  });
  expect(problems.map((problem) => problem.split('：')[0])).toEqual([
    'modules/platform/a/server.ts',
    'modules/platform/a/module.ts',
    'modules/platform/a/web/a.css',
    'modules/workflow/b/server.ts',
    'modules/office/c/web/Page.tsx',
  ]);
  expect(problems[0]).toContain('platform 不能引用上层的 workflow（modules/workflow/b/contract.ts）');
});

test('a module may import from storeys below and beside it in the two lowest, and tests from anywhere', () => {
  expect(
    wrong({
      'modules/services/d/server.ts': `import { a } from '#modules/platform/a/service.ts'; import '#modules/office/c/contract.ts';`,
      'modules/platform/a/server.ts': `import { z } from '#modules/platform/z/service.ts'; import './rows.ts';`,
      'modules/workflow/b/server.ts': `import { t } from '../t/service.ts';`,
      'modules/platform/a/a.test.ts': `import { d } from '#modules/services/d/service.ts';`,
      'modules/platform/a/testing/house.ts': `import { d } from '#modules/services/d/service.ts';`,
    }),
  ).toEqual([]);
});

test('in the two upper storeys an import from beside needs a listed reason, and a needless reason is named', () => {
  const texts = { 'modules/office/c/server.ts': `import { e } from '#modules/office/e/service.ts';` };
  expect(wrong(texts)).toEqual([expect.stringContaining('c → e 没有说明理由')]);
  expect(wrong(texts, { 'c → e': 'It is so.' })).toEqual([]);
  expect(wrong(texts, { 'c → e': 'It is so.', 'e → c': 'It was so.' })).toEqual([
    'scripts/storeys.ts：e → c 已没有引用，请删去',
  ]);
});

test('a module without a storey is named', () => {
  expect(wrong({ 'modules/stray/server.ts': '', 'modules/cellar/stray/server.ts': '' })).toEqual([
    expect.stringContaining('modules/stray/server.ts：'),
    expect.stringContaining('modules/cellar/stray/server.ts：'),
  ]);
});

test('the diagram of the storeys names every module in its place, and no other', () => {
  const picture = 'p["modules/platform<br/>a · b<br/>c"]\nw["modules/workflow<br/>d"]\no["modules/office<br/>"]';
  const files = ['modules/platform/a/module.ts', 'modules/platform/b/module.ts', 'modules/workflow/d/x.ts'];
  const wrongly = (storey: string, nouns: string) => [
    `docs/architecture.md：图中 ${storey} 一层与文件夹不符（${nouns}），请运行 npm run structure -- --write`,
  ];
  expect(misdrawn(picture, files)).toEqual(wrongly('platform', 'c'));
  const more = [...files, 'modules/platform/c/x.ts', 'modules/services/e/x.ts'];
  expect(misdrawn(picture, more)).toEqual(wrongly('services', 'e'));
  const whole = `${picture}\ns["modules/services<br/>"]`;
  expect(misdrawn(drawn(whole, more), more)).toEqual([]);
  expect(drawn(whole, more)).toContain('p["modules/platform<br/>a · b · c"]\nw["modules/workflow<br/>d"]');
});
