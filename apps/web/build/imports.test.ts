import { expect, test } from 'vitest';
import { importsOf, passedOn } from './imports.ts';

const barrel = {
  code: "'use client';\nexport { default as Button } from './button';\nexport { default as Tree, walk as step } from './tree';",
  importedIds: ['/button', '/tree'],
};

test('a re-exporting module needs only the modules of the names requested', () => {
  expect(passedOn(barrel, ['Button'])).toEqual([{ id: '/button', names: ['default'] }]);
  expect(passedOn(barrel, ['step'])).toEqual([{ id: '/tree', names: ['walk'] }]);
  expect(passedOn(barrel, ['Button', 'own'])).toBeNull();
});

test('a re-listed import leads to its origin, and a star export to everything behind it', () => {
  const mixed = {
    code: "import Form from './form';\nimport Context from './context';\nexport * from './icons';\nexport { Context as Known };\nexport const own = 1;",
    importedIds: ['/form', '/context', '/icons'],
  };
  expect(passedOn(mixed, ['Known'])).toEqual([{ id: '/context', names: ['default'] }]);
  expect(passedOn(mixed, ['Elsewhere'])).toEqual([{ id: '/icons', names: ['Elsewhere'] }]);
  expect(passedOn(mixed, ['own'])).toBeNull();
});

test('imports whose sources cannot be matched are taken whole', () => {
  const odd = { code: "import { a } from './a';", importedIds: ['/a', '/b'] };
  expect(importsOf(odd)).toEqual([
    { exports: false, names: null, id: '/a' },
    { exports: false, names: null, id: '/b' },
  ]);
});
