import { expect, test } from 'vitest';
import { lostDigits } from './sheet-bounds.ts';
import { columnsIn, ignoredIn, linesOf } from './sheet-lines.ts';

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
  expect(ignoredIn([['合同金额（元）', '备注（元）']], money)).toEqual(['备注（元）']);
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
  expect(ignoredIn(sheet, columns)).toEqual(['籍贯', '联系电话']);
  expect(columnsIn(sheet, columns)).toEqual(new Set(['name', 'mobile']));
  expect(columnsIn([['姓名']], columns)).toEqual(new Set(['name']));
  expect(() => linesOf([['手机'], ['13800000000']], columns, '校友')).toThrow('缺少“姓名”列');
});
