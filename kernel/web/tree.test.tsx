import { expect, test } from 'vitest';
import { toTree } from './tree.ts';

test('rows are nested under their parents in the order given', () => {
  const rows = [
    { id: 2, parentId: 1 },
    { id: 1, parentId: 0 },
    { id: 3, parentId: 1 },
  ];
  expect(toTree(rows)).toEqual([
    {
      id: 1,
      parentId: 0,
      children: [
        { id: 2, parentId: 1, children: [] },
        { id: 3, parentId: 1, children: [] },
      ],
    },
  ]);
});

test('the names of id, parent and children can be chosen', () => {
  const rows = [
    { code: 'a', up: null },
    { code: 'b', up: 'a' },
  ];
  const [root] = toTree(rows, { id: 'code', parentId: 'up', children: 'below' });
  expect(root?.below).toEqual([{ code: 'b', up: 'a', below: [] }]);
});

test('a row whose parent is missing or below it becomes a root, and the input rows are unchanged', () => {
  const rows = [
    { id: 1, parentId: 9 },
    { id: 2, parentId: 3 },
    { id: 3, parentId: 2 },
  ];
  expect(toTree(rows).map((row) => row.id)).toEqual([1, 2, 3]);
  expect(rows[0]).toEqual({ id: 1, parentId: 9 });
});
