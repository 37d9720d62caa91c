import { expect, test } from 'vitest';
import { needsOf, ringsIn, ringText } from './rings.ts';

const files = (texts: Record<string, string>) => needsOf(Object.entries(texts));

test('modules that need each other are a ring, by types, by what is passed on and by what is loaded later as well', () => {
  const needs = files({
    'modules/a/server.ts': `import type { B } from '#modules/b/service.ts';`,
    'modules/b/service.ts': `export { c } from '../c/service.ts';`,
    'modules/c/widgets.tsx': `const Later = later(() => import('#modules/a/web/Page.tsx'));`,
    'modules/d/server.ts': `import {\n  a,\n} from '#modules/a/service.ts';`,
  });
  const rings = ringsIn(needs);
  expect(rings).toEqual([['a', 'b', 'c']]);
  expect(ringText(rings[0]!, needs).split('\n')).toEqual([
    '模块互相依赖成环：a → b → c → a',
    '  a → b：modules/a/server.ts（modules/b/service.ts）',
    '  b → c：modules/b/service.ts（modules/c/service.ts）',
    '  c → a：modules/c/widgets.tsx（modules/a/web/Page.tsx）',
  ]);
});

test('contracts, tests and the files where modules are put together make no ring', () => {
  const needs = files({
    'modules/a/server.ts': `import { b } from '#modules/b/contract.ts'; import { B } from '#modules/b/contract/shapes.ts';`,
    'modules/a/a.test.ts': `import { b } from '#modules/b/service.ts';`,
    'modules/a/testing/house.ts': `import { b } from '#modules/b/service.ts';`,
    'modules/a/module.ts': `import { b } from '#modules/b/service.ts'; import type { M } from '#kernel/server/product.ts';`,
    'modules/b/service.ts': `import { a } from '#modules/a/service.ts'; import { c } from './contract.ts';`,
  });
  expect(ringsIn(needs)).toEqual([]);
});

test('of several rings each is named once', () => {
  const needs = files({
    'modules/a/x.ts': `import '#modules/b/service.ts';`,
    'modules/b/x.ts': `import { a } from '#modules/a/service.ts'; import { c } from '#modules/c/service.ts';`,
    'modules/c/x.ts': `import { b } from '#modules/b/service.ts';`,
  });
  expect(ringsIn(needs).map((ring) => ring.toSorted())).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
});
