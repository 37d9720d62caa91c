import { expect, test } from 'vitest';
import { importsOf, passedOn } from './imports.ts';

const barrel = {
  code: "'use client';\nexport { default as Button } from './button';\nexport { default as Tree, walk as step } from './tree';",
  importedIds: ['/button', '/tree'],
};

test('a module that hands on what others export needs only those of the names asked', () => {
  expect(passedOn(barrel, ['Button'])).toEqual([{ id: '/button', names: ['default'] }]);
  expect(passedOn(barrel, ['step'])).toEqual([{ id: '/tree', names: ['walk'] }]);
  expect(passedOn(barrel, ['Button', 'own'])).toBeNull();
});

test('a name taken in and listed again leads to where it came from, a star to all behind it', () => {
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
