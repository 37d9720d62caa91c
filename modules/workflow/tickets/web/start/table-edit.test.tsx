import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflow/workflows/contract/shapes.ts';
import { readLines, withoutMarked } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { missing, sendable } from './required.ts';
import { FieldEdit } from '#modules/workflow/workflows/web/fields/FieldEdit.tsx';

const server = servedPage();

const bare = {
  description: '',
  placeholder: '',
  field_template: '',
  default_value: null,
  field_choice: {},
  choices: [],
  boolean_field_display: { '1': '是', '0': '否' },
  max_length: null,
  min: null,
  max: null,
  decimals: 2,
  label: {},
  not_before: null,
  days_between: null,
  formula: null,
  shown_when: null,
  required_when: null,
};
const table: FieldItem = {
  ...bare,
  field_key: 'costs',
  field_name: '费用明细',
  field_type_id: fieldType.table,
  field_value: null,
  field_display: '',
  field_files: [],
  field_people: {},
  field_attribute: 2,
  order_id: 1,
  max_rows: 3,
  columns: [
    { ...bare, field_key: 'what', field_name: '用途', field_type_id: fieldType.string, field_attribute: 2 },
    { ...bare, field_key: 'sum', field_name: '金额', field_type_id: fieldType.float, field_attribute: 3 },
  ],
};
let value: unknown;

function Form({ item = table }: { item?: FieldItem }) {
  const [rows, setRows] = useState<unknown>(undefined);
  value = rows;
  return <FieldEdit item={item} workflow={9} control={{ id: 'field-costs', value: rows, onChange: setRows }} />;
}
const cell = (row: number, name: string) => screen.getByLabelText(`第 ${row} 行 ${name}`);
const type = (row: number, name: string, text: string) =>
  fireEvent.change(cell(row, name), { target: { value: text } });

test('table rows are added, filled, copied and deleted, up to the maximum number', () => {
  show(<Form />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  type(1, '用途', '车票');
  type(1, '金额', '30.5');
  fireEvent.click(screen.getByRole('button', { name: '复制第 1 行' }));
  type(2, '用途', '住宿');
  expect(value).toEqual([
    { what: '车票', sum: 30.5 },
    { what: '住宿', sum: 30.5 },
  ]);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  expect(screen.getByRole('button', { name: '最多 3 行' })).toHaveProperty('disabled', true);
  fireEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  expect(value).toEqual([{ what: '住宿', sum: 30.5 }, {}]);
});

test('Enter moves to the cell below and adds a row after the last one', async () => {
  show(<Form />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  fireEvent.keyDown(cell(1, '金额'), { key: 'Enter' });
  await waitFor(() => expect(document.activeElement).toBe(cell(2, '金额')));
});

test('a pasted spreadsheet block fills cells and rows; values that a column rejects are left out', () => {
  show(<Form />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  fireEvent.paste(cell(1, '用途'), {
    clipboardData: { getData: () => '车票\t1,030.50\n住宿\t不详\n餐费\t20\n多余\t1\n' },
  });
  expect(value).toEqual([{ what: '车票', sum: 1030.5 }, { what: '住宿' }, { what: '餐费', sum: 20 }]);
});

test('with a read-only or hidden column, existing rows keep their marks, and new or copied rows are sent as new', () => {
  const marked: FieldItem = {
    ...table,
    field_value: [
      { what: '车票', sum: 30, _row: 1 },
      { what: '住宿', sum: 20, _row: 2 },
    ],
    columns: [{ ...table.columns[0]!, field_attribute: 1 }, table.columns[1]!],
  };
  function Marked() {
    const [rows, setRows] = useState<unknown>(marked.field_value);
    value = rows;
    return <FieldEdit item={marked} control={{ id: 'field-costs', value: rows, onChange: setRows }} />;
  }
  show(<Marked />);
  expect(screen.queryByRole('textbox', { name: /第 1 行 用途/ })).toBeNull();
  expect(screen.getByText('车票')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '复制第 1 行' }));
  type(3, '金额', '25');
  fireEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  expect(value).toEqual([
    { sum: 30, _row: 0 },
    { what: '住宿', sum: 25, _row: 2 },
  ]);
  expect(sendable([marked], { costs: [{ _row: 0 }, { _row: 2 }] })).toEqual({ costs: [{ _row: 2 }] });
  const other = { why: '出差', lines: [{ what: '纸' }], fresh: [{ _row: 0 }] };
  expect(withoutMarked({ ...other, costs: value }), 'once the rows have changed').toEqual(other);
});

test('blank rows are not sent, and an empty required cell is reported by its place', () => {
  const rows = [{ what: '车票' }, { what: ' ' }, { sum: 3 }];
  expect(sendable([table], { costs: rows, other: 1 })).toEqual({ costs: [rows[0], rows[2]], other: 1 });
  expect(missing([table], { costs: rows })).toEqual([
    { field: 'costs', label: '费用明细', msg: '请填写第 2 行“用途”' },
  ]);
  expect(missing([table], { costs: [{}] })[0]?.msg).toBe('至少填写一行');
});

test('the dates of a row are checked against each other, and its days are calculated and cannot be typed', async () => {
  const date = { ...bare, field_type_id: fieldType.date, field_attribute: 3 as const };
  const trips: FieldItem = {
    ...table,
    columns: [
      { ...date, field_key: 'out', field_name: '出发' },
      { ...date, field_key: 'back', field_name: '返回', not_before: 'out' },
      {
        ...date,
        field_key: 'days',
        field_name: '天数',
        field_type_id: fieldType.int,
        field_attribute: 1,
        days_between: { from: 'out', to: 'back' },
      },
    ],
  };
  show(<Form item={trips} />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  type(1, '出发', '2026-11-24');
  type(1, '返回', '2026-11-27');
  const row = { out: '2026-11-24', back: '2026-11-27', days: 4 };
  expect(value).toEqual([row]);
  fireEvent.keyDown(cell(1, '返回'), { key: 'ArrowDown', altKey: true });
  const day = (title: string) => document.querySelector(`td[title="${title}"]`)?.className ?? '';
  await waitFor(() => expect(day('2026-11-23')).toContain('disabled'));
  expect(day('2026-11-24')).not.toContain('disabled');
  type(1, '返回', '2026-11-26');
  expect(value).toEqual([{ ...row, back: '2026-11-26', days: 3 }]);
  const told = (wrong: object) => missing([trips], { costs: [row, { ...row, ...wrong }] })[0]?.msg;
  expect(told({ back: '2026-11-23' })).toBe('第 2 行“返回”不能早于“出发”');
});

test('of a thousand table rows only those in view are rendered, and typing changes only its own row', () => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(450);
  const size = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(45);
  const rows = Array.from({ length: 1000 }, (_none, at) => ({ what: `第 ${at + 1} 笔`, sum: at }));
  function Long() {
    const [now, setNow] = useState<unknown>(rows);
    value = now;
    return (
      <FieldEdit item={{ ...table, max_rows: 2000 }} control={{ id: 'field-costs', value: now, onChange: setNow }} />
    );
  }
  show(<Long />);
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
  expect(screen.queryByLabelText('第 900 行 用途')).toBeNull();
  type(2, '用途', '车票');
  const after = value as typeof rows;
  expect(after[1]).toEqual({ what: '车票', sum: 1 });
  expect(after.filter((row, at) => row !== rows[at])).toHaveLength(1);
  height.mockRestore();
  size.mockRestore();
});

const lines = [
  ['报销明细'],
  ['金额', '用途 *', '备注'],
  ['1,030.50', '车票', '不收'],
  ['', '', ''],
  ['不详', '住宿', ''],
  ['20', '餐费', ''],
];

const plain = (all: string[][]) => ({ lines: all, values: [], faults: [], hidden: [], hidden_columns: [], beside: [] });

test('an uploaded sheet is matched by its column names, and rejected values are reported by line', () => {
  expect(readLines(plain(lines), table.columns, 3)).toEqual({
    rows: [{ sum: 1030.5, what: '车票' }, { what: '住宿' }, { sum: 20, what: '餐费' }],
    troubles: ['第 5 行“金额”不能填“不详”，已留空'],
  });
  expect(readLines(plain(lines), table.columns, 2).troubles.at(-1)).toBe('最多 2 行，第 6 行起没有读入');
  expect(readLines(plain([['a', 'b']]), table.columns, 3)).toEqual({
    rows: [],
    troubles: ['没有找到表头：请在第一行写列名，如“用途”“金额”'],
  });
});

test('cells without a readable value are reported by place, hidden lines are skipped, and further sheets are named', () => {
  const sheet = {
    lines: [
      ['用途', '金额', '备注'],
      ['车票', '', ''],
      ['住宿', '20', ''],
      ['餐费', '5', ''],
    ],
    faults: [
      { line: 2, column: 1, msg: '单元格 B2 是错误值 #REF!，请改正后重新上传' },
      { line: 2, column: 2, msg: '不收的一列' },
    ],
    values: [],
    hidden: [3],
    hidden_columns: [],
    beside: ['附表（已隐藏）'],
  };
  expect(readLines(sheet, table.columns, 3)).toEqual({
    rows: [{ what: '车票' }, { what: '餐费', sum: 5 }],
    troubles: [
      '工作表“附表（已隐藏）”没有读入，只读第一张',
      '第 2 行“金额”已留空：单元格 B2 是错误值 #REF!，请改正后重新上传',
      '第 3 行被隐藏或筛选掉了，没有读入',
    ],
  });
});

test('a heading that cannot be read and a hidden column are reported with what is not read', () => {
  const sheet = {
    ...plain([
      ['用途', '', '备注'],
      ['车票', '20', ''],
    ]),
    faults: [{ line: 1, column: 1, msg: '单元格 B1 是错误值 #REF!，请改正后重新上传' }],
  };
  expect(readLines(sheet, table.columns, 3)).toEqual({
    rows: [{ what: '车票' }],
    troubles: ['第 1 行的列名读不出来，这一列没有读入：单元格 B1 是错误值 #REF!，请改正后重新上传'],
  });
  expect(readLines({ ...sheet, lines: [['', '']] }, table.columns, 3).troubles).toEqual([
    '第 1 行的列名读不出来，这一列没有读入：单元格 B1 是错误值 #REF!，请改正后重新上传',
    '没有找到表头：请在第一行写列名，如“用途”“金额”',
  ]);
  const whole = [
    ['用途', '金额', '备注'],
    ['车票', '20', ''],
  ];
  expect(readLines({ ...plain(whole), hidden_columns: [1, 2] }, table.columns, 3)).toEqual({
    rows: [{ what: '车票' }],
    troubles: ['“金额”这一列被隐藏了，没有读入'],
  });
});

test('texts take what a spreadsheet shows of a number, amounts the number', () => {
  const sheet = plain([
    ['用途', '金额'],
    ['00042', '1.5%'],
  ]);
  const values = [
    { line: 2, column: 0, value: '42' },
    { line: 2, column: 1, value: '0.015' },
  ];
  expect(readLines({ ...sheet, values }, table.columns, 3)).toEqual({
    rows: [{ what: '00042', sum: 0.015 }],
    troubles: [],
  });
});

test('a spreadsheet for a table is parsed by the server for the form’s workflow, and a refusal shows its reason', async () => {
  const chosen = new File(['x'], '明细.xlsx');
  const choose = () =>
    fireEvent.change(screen.getByLabelText('选择费用明细的表格文件'), { target: { files: [chosen] } });
  server.answers(() => ok(plain(lines)));
  show(<Form />);
  choose();
  await screen.findByText('读入 3 行，1 处须核对');
  expect(server.asked.map(({ path, query }) => [path, query.get('workflow_id')])).toEqual([
    ['/api/tickets/sheet/', '9'],
  ]);
  expect(value).toEqual([{ sum: 1030.5, what: '车票' }, { what: '住宿' }, { sum: 20, what: '餐费' }]);
  fireEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  server.answers(() => refuse(codes.refused, '表格设有打开密码，请取消密码后再上传'));
  choose();
  await screen.findByText('“明细.xlsx”没有读入：表格设有打开密码，请取消密码后再上传');
});

test('pasted cells may have dates with slashes, several choices, both days of a range, or a path', () => {
  const column = (field_name: string, field_type_id: number, more: object = {}) => ({
    ...table.columns[0]!,
    field_key: field_name,
    field_name,
    field_type_id,
    ...more,
  });
  const choices = [
    { value: 'pc', label: '电脑' },
    { value: 'lap', label: '笔记本', parent: 'pc' },
  ];
  const columns = [
    column('日期', fieldType.date),
    column('时间', fieldType.datetime),
    column('期间', fieldType.dateRange),
    column('多选', fieldType.checkbox, { choices }),
    column('设备', fieldType.cascade, { choices }),
    column('是否', fieldType.bool),
  ];
  const cells = ['2026/3/1', '2026年3月1日 9:30', '2026-03-01 至 2026-03-05', '电脑、笔记本', '电脑/笔记本', '是'];
  expect(readLines(plain([columns.map((one) => one.field_name), cells]), columns, 5).rows).toEqual([
    {
      日期: '2026-03-01',
      时间: '2026-03-01 09:30:00',
      期间: ['2026-03-01', '2026-03-05'],
      多选: ['pc', 'lap'],
      设备: ['pc', 'lap'],
      是否: true,
    },
  ]);
});

test('table cells accept what every other sheet accepts: undelimited dates, full-width digits, units of money', () => {
  const types = {
    日期: fieldType.date,
    期间: fieldType.dateRange,
    金额: fieldType.money,
    数量: fieldType.int,
    电话: fieldType.phone,
  };
  const columns = Object.entries(types).map(([name, field_type_id]) => ({
    ...table.columns[0]!,
    field_key: name,
    field_name: name,
    field_type_id,
  }));
  const heads = Object.keys(types);
  const read = (...cells: string[]) => readLines(plain([heads, cells]), columns, 5);
  expect(read('20260301', '2026.3.1-2026.3.5', '￥1,030.50元', '１２', '+86 139-0000-1101')).toEqual({
    rows: [{ 日期: '2026-03-01', 期间: ['2026-03-01', '2026-03-05'], 金额: 1030.5, 数量: 12, 电话: '13900001101' }],
    troubles: [],
  });
  expect(read('２０２６年３月１日', '20260301—20260305', '3 600', '-4', '').rows).toEqual([
    { 日期: '2026-03-01', 期间: ['2026-03-01', '2026-03-05'], 金额: 3600, 数量: -4 },
  ]);
  expect(read('26/3/1', '2026-02-30 至 2026-03-05', '约三千', '', '').troubles).toEqual([
    '第 2 行“日期”“26/3/1”的年份只有两位，请写成四位，如 2026-03-05，已留空',
    '第 2 行“期间”不能填“2026-02-30 至 2026-03-05”，已留空',
    '第 2 行“金额”不能填“约三千”，已留空',
  ]);
  expect(read('', '', '1,00', '1,00', '').troubles).toEqual(
    ['金额', '数量'].map(
      (name) =>
        `第 2 行“${name}”“1,00”中的逗号或空格没有按三位一节，看不出是多少，请去掉后重新填写，如 1234.50，已留空`,
    ),
  );
  expect(read('0001-01-01', '', '', '', '').rows).toEqual([{}]);
});
