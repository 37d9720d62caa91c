import { expect, test } from 'vitest';
import { needsOf, ringsIn, ringText } from './rings.ts';

const files = (texts: Record<string, string>) => needsOf(Object.entries(texts));

test('modules that need each other form a ring, by types, re-exports or dynamic imports as well', () => {
  const needs = files({
    'modules/platform/a/server.ts': `import type { B } from '#modules/platform/b/service.ts';`,
    'modules/platform/b/service.ts': `export { c } from '../c/service.ts';`,
    'modules/platform/c/widgets.tsx': `const Later = later(() => import('#modules/platform/a/web/Page.tsx'));`,
    'modules/platform/d/server.ts': `import {\n  a,\n} from '#modules/platform/a/service.ts';`,
  });
  const rings = ringsIn(needs);
  expect(rings).toEqual([['a', 'b', 'c']]);
  expect(ringText(rings[0]!, needs).split('\n')).toEqual([
    '模块互相依赖成环：a → b → c → a',
    '  a → b：modules/platform/a/server.ts（modules/platform/b/service.ts）',
    '  b → c：modules/platform/b/service.ts（modules/platform/c/service.ts）',
    '  c → a：modules/platform/c/widgets.tsx（modules/platform/a/web/Page.tsx）',
  ]);
});

test('contracts, tests and assembly files form no ring', () => {
  const needs = files({
    'modules/platform/a/server.ts': `import { b } from '#modules/platform/b/contract.ts'; import { B } from '#modules/platform/b/contract/shapes.ts';`,
    'modules/platform/a/a.test.ts': `import { b } from '#modules/platform/b/service.ts';`,
    'modules/platform/a/testing/house.ts': `import { b } from '#modules/platform/b/service.ts';`,
    'modules/platform/a/module.ts': `import { b } from '#modules/platform/b/service.ts'; import type { M } from '#kernel/server/product.ts';`,
    'modules/platform/b/service.ts': `import { a } from '#modules/platform/a/service.ts'; import { c } from './contract.ts';`,
  });
  expect(ringsIn(needs)).toEqual([]);
});

test('each of several rings is named once', () => {
  const needs = files({
    'modules/platform/a/x.ts': `import '#modules/platform/b/service.ts';`,
    'modules/platform/b/x.ts': `import { a } from '#modules/platform/a/service.ts'; import { c } from '#modules/platform/c/service.ts';`,
    'modules/platform/c/x.ts': `import { b } from '#modules/platform/b/service.ts';`,
  });
  expect(ringsIn(needs).map((ring) => ring.toSorted())).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
});
