import { expect, test } from 'vitest';
import { hiddenLine, lostDigits, shownCell, unreadCell } from './sheet-bounds.ts';
import { columnsIn, ignoredIn, linesOf, plainSheet, titlesHidden } from './sheet-lines.ts';

const columns = [
  { key: 'name', title: '姓名', needed: true, aka: ['名字'] },
  { key: 'mobile', title: '手机', aka: ['手机号', '联系电话'] },
] as const;

test('a spreadsheet column is found by its own title first, then by its alternative titles', () => {
  expect(
    linesOf(
      [
        ['名字 *', '手机号'],
        ['李若兰', '13800000000'],
      ],
      columns,
      '校友',
    ),
  ).toEqual([{ line: 2, cells: { name: '李若兰', mobile: '13800000000' }, altered: [], unread: [], hidden: false }]);
  expect(
    linesOf(
      [
        ['联系电话', '手机', '姓名'],
        ['0571-1', '13800000000', '李若兰'],
      ],
      columns,
      '校友',
    )[0]!.cells,
  ).toEqual({
    name: '李若兰',
    mobile: '13800000000',
  });
});

test('a heading with a unit in brackets matches the column without it, unless another matches exactly', () => {
  const money = [{ key: 'amount', title: '合同金额' }] as const;
  const amountOf = (header: string[]) => linesOf([header, ['1', '2']], money, '合同')[0]!.cells.amount;
  expect(amountOf(['合同编号', '合同金额（元）'])).toBe('2');
  expect(amountOf(['合同金额 (万元) *', '备注'])).toBe('1');
  expect(amountOf(['合同金额（元）', '合同金额'])).toBe('2');
  expect(ignoredIn([['合同金额（元）', '备注（元）']], money, [])).toEqual(['备注（元）']);
});

test('a cell that lost its last digits is reported where it is used, and otherwise read as shown', () => {
  const sheet = [
    ['姓名', '手机', '证件号'],
    ['李若兰', `${lostDigits}1380000000000000`, `${lostDigits}2`],
  ];
  expect(linesOf(sheet, columns, '校友')).toEqual([
    {
      line: 2,
      cells: { name: '李若兰', mobile: '1380000000000000' },
      altered: ['手机'],
      unread: [],
      hidden: false,
    },
  ]);
});

test('unused columns are named, and missing required ones are refused', () => {
  const sheet = [
    ['姓名', '籍贯', '', '联系电话', '手机'],
    ['李若兰', '绍兴', '', '0571-1', '13800000000'],
  ];
  expect(ignoredIn(sheet, columns, [])).toEqual(['籍贯', '联系电话']);
  expect(ignoredIn(sheet, columns, [0])).toEqual(['籍贯', '联系电话']);
  expect(ignoredIn(sheet, columns, [1, 4])).toEqual(['籍贯（已隐藏）', '联系电话']);
  expect(columnsIn(sheet, columns)).toEqual(new Set(['name', 'mobile']));
  expect(columnsIn([['姓名']], columns)).toEqual(new Set(['name']));
  expect(() => linesOf([['手机'], ['13800000000']], columns, '校友')).toThrow('缺少“姓名”列');
});

test('a column that holds something without a heading is named by its letter, also right of the last heading', () => {
  const sheet = [
    ['姓名', ' ', '手机'],
    ['李若兰', '', '13800000000'],
    ['沈砚秋', '绍兴', '', '二班'],
  ];
  expect(ignoredIn(sheet, columns, [])).toEqual(['B 列（没有列名）', 'D 列（没有列名）']);
  expect(ignoredIn(sheet, columns, [3])).toEqual(['B 列（没有列名）', 'D 列（没有列名）（已隐藏）']);
});

test('headings are read without their marks, and one that cannot be read is named by its cell instead of losing its column', () => {
  const below = ['李若兰', '13800000000'];
  expect(linesOf([[`${hiddenLine}姓名`, '手机'], below], columns, '校友')[0]!.cells).toEqual({
    name: '李若兰',
    mobile: '13800000000',
  });
  expect(columnsIn([[`${hiddenLine}姓名`, '手机']], columns)).toEqual(new Set(['name', 'mobile']));
  const years = [{ key: 'year', title: '2024年' }] as const;
  expect(linesOf([[`${shownCell}2024年${shownCell}2024`], ['1']], years, '年')[0]!.cells.year).toBe('1');
  for (const read of [
    (sheet: string[][]) => linesOf(sheet, columns, '校友'),
    (sheet: string[][]) => ignoredIn(sheet, columns, []),
    (sheet: string[][]) => columnsIn(sheet, columns),
  ]) {
    expect(() => read([['姓名', `${unreadCell}#REF!`], below])).toThrow(
      '表格第一行的列名读不出来：单元格 B1 是错误值 #REF!，请改正后重新上传',
    );
    expect(() => read([[hiddenLine + unreadCell, '手机'], below])).toThrow('单元格 A1 的公式没有保存计算结果');
  }
});

test('a number that a format shows in another way is taken by the kind of its column, and both are told where no column is declared', () => {
  const cell = `${shownCell}00042${shownCell}42`;
  const kinds = [
    { key: 'code', title: '工号', kind: 'code' },
    { key: 'note', title: '备注' },
    { key: 'count', title: '数量', kind: 'number' },
  ] as const;
  const sheet = [
    ['工号', '备注', '数量'],
    [hiddenLine + cell, cell, cell],
  ];
  expect(linesOf(sheet, kinds, '物品')).toMatchObject([
    { cells: { code: '00042', note: '00042', count: '42' }, hidden: true },
  ]);
  expect(plainSheet(sheet)).toEqual({
    lines: [
      ['工号', '备注', '数量'],
      ['00042', '00042', '00042'],
    ],
    values: [0, 1, 2].map((column) => ({ line: 2, column, value: '42' })),
    faults: [],
    hidden: [2],
  });
});

test('a hidden column is told of if it holds something', () => {
  const sheet = [
    ['姓名', '手机', '籍贯'],
    [`${hiddenLine}李若兰`, '', '绍兴'],
    [hiddenLine, '', ''],
  ];
  expect(titlesHidden(sheet, columns, [0, 1, 2])).toEqual(['姓名']);
  expect(titlesHidden(sheet, columns, [1, 2])).toEqual([]);
});

test('a cell with hidden digits of a number is a fault where no column is declared', () => {
  expect(plainSheet([['电话'], ['135****5678']])).toMatchObject({
    lines: [['电话'], ['']],
    faults: [{ line: 2, column: 0, msg: expect.stringContaining('“135****5678”隐去了部分数字') as string }],
  });
});
