import { expect, test } from 'vitest';
import { needless, ownTitles, titledKeys, typedTitles } from './fields.ts';

const page = 'modules/office/things/web/ListPage.tsx';

test('a column whose title is typed is refused, on one line or several, in a list or beside its key', () => {
  expect(titledKeys(`[{ key: 'name', title: '名称' }, {\n  key: 'sort',\n  title: \`排序\`,\n}]`)).toEqual([
    'name',
    'sort',
  ]);
  expect(titledKeys(`listColumns(Row, { start: {\n  heading: '时间', width: 9 }, end: { heading: '止' } })`)).toEqual([
    'start',
    'end',
  ]);
  expect(typedTitles(page, `{ key: 'name', title: '名称' }`)).toHaveLength(1);
});

test('a column that is called as its field is, a filter and the title of a page are not', () => {
  const text = `title="列表" columns={listColumns(Row, { name: { main: true }, sort: {} })} filters={[{ key: 'name', label: '名称' }]}`;
  expect(typedTitles(page, text)).toEqual([]);
});

test('what shows more than its field has a word of its own where the reason is written down', () => {
  const [file, keys] = Object.entries(ownTitles)[0]!;
  const key = Object.keys(keys)[0]!;
  expect(typedTitles(file, `{ key: '${key}', title: '字' }`)).toEqual([]);
  expect(typedTitles(page, `{ key: '${key}', title: '字' }`)).toHaveLength(1);
});

test('a reason for what is not there any more is refused', () => {
  expect(needless(() => undefined).length).toBeGreaterThan(0);
});

test('a sheet whose columns are typed is refused in a contract; one that is made of the fields, and one that comes in, are not', () => {
  const typed = `exports: {\n  page,\n  title: '台账',\n  columns: [\n    { key: 'name', title: '名称' },\n  ],\n}`;
  expect(typedTitles('modules/office/things/contract/list.ts', typed)).toHaveLength(1);
  const made = `exports: { page, title: '台账', columns: sheetColumns(Row.shape, ['name']) }`;
  expect(typedTitles('modules/office/things/contract.ts', made)).toEqual([]);
  const comes = `export const things = sheetImport({\n  columns: [\n    { key: 'name', title: '名称' },\n  ],\n});`;
  expect(typedTitles('modules/office/things/contract/import.ts', comes)).toEqual([]);
});
