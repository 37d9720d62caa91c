import { expect, test } from 'vitest';
import { needless, typedOf, typedTitles } from './fields.ts';
import { ownTitles } from './own-titles.ts';

const page = 'modules/office/things/web/ListPage.tsx';
const contract = 'modules/office/things/contract/list.ts';
const found = (text: string, file = page) => typedOf(file, text).map(({ kind, key }) => `${kind} ${key}`);

test('a typed column title is refused, whatever precedes it, on one line or several', () => {
  expect(
    found(`const columns = [{ key: 'name', title: '名称' }, {\n  title: \`排序\`,\n  width: 9,\n  key: 'sort',\n}]`),
  ).toEqual(['column name', 'column sort']);
  expect(found(`<Table columns={[{ title: '状态', dataIndex: 'state' }]} />`)).toEqual(['column state']);
});

test('a title that comes from a variable is refused beside a key, whatever the variable is called', () => {
  expect(found(`const columns = [{ key: 'name', title }, { key: 'sort', title: heading }]`)).toEqual([
    'column name',
    'column sort',
  ]);
});

test('a column’s own heading is found wherever it stands in the page’s declaration', () => {
  const text = `listColumns(Row, { start: { width: 9, heading: '时间' }, end: { heading: late ? '逾期' : '止' }, name: { main: true } })`;
  expect(found(text)).toEqual(['column start', 'column end']);
});

test('a table column with a title and without a key is found by its title, also if it is conditional', () => {
  const text = `<Table columns={[{ title: '说明', render }, ...(narrow ? [] : [{ title: '时间', render }])]} />`;
  expect(found(text)).toEqual(['column 说明', 'column 时间']);
});

test('action columns, titles of confirmations and labels of options do not count as fields', () => {
  const text = `<Table columns={[{ key: 'act', title: '操作', render: () => <CallButton confirm={{ title: '删除', content: '不可恢复' }} /> }]} />;
    <Select options={[{ value: 1, label: '是' }]} />; <Tabs items={[{ key: 'one', label: '概况', children: null }]} />;
    const acts = { back: { label: '销假', call: calls.back } };`;
  expect(found(text)).toEqual([]);
});

test('a typed fact name is refused as an object, as pairs and as object keys', () => {
  expect(found(`<Descriptions items={[{ key: 'dept', label: '部门', children: row.dept }]} />`)).toEqual(['fact dept']);
  const pairs = `const facts = [['部门', row.dept]];
    const shown = <Descriptions items={facts.map(([label, children]) => ({ key: label, label, children }))} />;`;
  expect(found(pairs)).toEqual(['fact ‹label›']);
  const apart = `const itemsOf = (said: object) => Object.entries(said).map(([label, children]) => ({ key: label, label, children }));
    const shown = <Descriptions items={itemsOf({ 部门: row.dept })} />;`;
  expect(found(apart)).toEqual(['fact ‹label›']);
});

test('a fact with a heading of its own is found by its field, and one named by the schema is not', () => {
  const text = `<Descriptions items={factsOf(Row, { dept: row.dept, start: { heading: '时间', shown: row.start } })} />`;
  expect(found(text)).toEqual(['fact start']);
});

test('a typed form label is refused in the field list, as a replacement or from a helper', () => {
  expect(found(`const fields = [{ name: 'title', label: '标题' }, { name: 'note', kind: 'textarea' }]`)).toEqual([
    'input title',
  ]);
  expect(found(`fieldsOf(shape, { note: { help: '不超过 200 字', label: '备注' } })`)).toEqual(['input note']);
  expect(found(`const money = (name: string, label: string) => ({ name, label, kind: 'money' })`)).toEqual([
    'input ‹name›',
  ]);
});

test('a typed filter label is refused in a page’s file or a shared one', () => {
  const text = `const filters = [{ key: 'state', label: '状态', kind: 'select' }, { key: 'dept', kind: 'own' }]`;
  expect(found(text)).toEqual(['filter state']);
  expect(found(text, 'modules/office/things/web/filters.ts')).toEqual(['filter state']);
});

test('a title of its own is accepted where its reason is listed', () => {
  const [file, keys] = Object.entries(ownTitles)[0]!;
  const key = Object.keys(keys)[0]!;
  expect(typedTitles(file, `[{ key: '${key}', title: '字' }]`)).toEqual([]);
  expect(typedTitles(page, `[{ key: '${key}', title: '字' }]`)).toHaveLength(1);
  // In each place of the file anew.
  expect(typedTitles(file, `[{ key: '${key}', title: '字' }, { key: '${key}', title: '词' }]`)).toHaveLength(1);
});

test('a listed reason that no longer applies is refused', () => {
  expect(needless(() => undefined).length).toBeGreaterThan(0);
});

test('a title that is not a literal is identified by its expression, and one reason does not cover another', () => {
  const [file, keys] = Object.entries(ownTitles).find(([, all]) => '‹label›' in all)!;
  expect(keys['‹label›']).toBeDefined();
  const shown = (label: string) =>
    `<Descriptions items={said.map((${label}) => ({ key: ${label}, label: ${label}, children }))} />`;
  expect(typedTitles(file, shown('label'))).toEqual([]);
  expect(typedTitles(file, shown('other'))).toHaveLength(1);
});

test('typed export columns in a contract are refused, also if a function chooses them', () => {
  const typed = `exports: { page, title: '台账', columns: [{ title: '名称', key: 'name' }] }`;
  expect(found(`const list = call({ ${typed} })`, contract)).toEqual(['sheet name']);
  const chosen = `const used = [{ key: 'seal', title: '印章' }];
    const list = call({ exports: { page, title: '台账', columns: ({ of }) => (of === 'used' ? used : [{ key: 'loan', title: '外借' }]) } });`;
  expect(found(chosen, contract)).toEqual(['sheet seal', 'sheet loan']);
});

test('exports made from fields, imports and rows of settings are not refused', () => {
  const made = `const list = call({ exports: { page, title: '台账', columns: sheetColumns(Row.shape, ['name']) } })`;
  const comes = `export const things = sheetImport({ columns: [{ key: 'name', title: '名称' }] });`;
  const rules = `export const rules = { key: 'things', title: '规则', shape };`;
  expect(found(`${made};${comes}${rules}`, contract)).toEqual([]);
});
