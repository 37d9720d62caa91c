import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldType } from '#modules/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';
import { missing, sendable } from './required.ts';
import { FieldEdit } from '#modules/workflows/web/fields/FieldEdit.tsx';

emptyPage();

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
    { ...bare, field_key: 'what', field_name: '用途', field_type_id: fieldType.string, required: true },
    { ...bare, field_key: 'sum', field_name: '金额', field_type_id: fieldType.float, required: false },
  ],
};
let value: unknown;

function Form({ item = table }: { item?: FieldItem }) {
  const [rows, setRows] = useState<unknown>(undefined);
  value = rows;
  return <FieldEdit item={item} control={{ id: 'field-costs', value: rows, onChange: setRows }} />;
}
const cell = (row: number, name: string) => screen.getByLabelText(`第 ${row} 行 ${name}`);
const type = (row: number, name: string, text: string) =>
  fireEvent.change(cell(row, name), { target: { value: text } });

test('rows are added, filled, copied and deleted, up to the most there may be', () => {
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

test('Enter goes to the cell below and adds a row after the last', async () => {
  show(<Form />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  fireEvent.keyDown(cell(1, '金额'), { key: 'Enter' });
  await waitFor(() => expect(document.activeElement).toBe(cell(2, '金额')));
});

test('a block of a spreadsheet fills cells and rows; what a column cannot take is left out', () => {
  show(<Form />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  fireEvent.paste(cell(1, '用途'), {
    clipboardData: { getData: () => '车票\t1,030.50\n住宿\t不详\n餐费\t20\n多余\t1\n' },
  });
  expect(value).toEqual([{ what: '车票', sum: 1030.5 }, { what: '住宿' }, { what: '餐费', sum: 20 }]);
});

test('blank rows are not sent, and a required cell that is empty is named', () => {
  const rows = [{ what: '车票' }, { what: ' ' }, { sum: 3 }];
  expect(sendable([table], { costs: rows, other: 1 })).toEqual({ costs: [rows[0], rows[2]], other: 1 });
  expect(missing([table], { costs: rows })).toEqual([
    { field: 'costs', label: '费用明细', msg: '请填写第 2 行“用途”' },
  ]);
  expect(missing([table], { costs: [{}] })[0]?.msg).toBe('至少填写一行');
});

test('dates of a row are held to each other, and its days follow them unless another number was written', () => {
  const date = { ...bare, field_type_id: fieldType.date, required: false };
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
        days_between: { from: 'out', to: 'back' },
      },
    ],
  };
  show(<Form item={trips} />);
  fireEvent.click(screen.getByRole('button', { name: /添加一行/ }));
  type(1, '出发', '2026-11-24');
  type(1, '返回', '2026-11-27');
  const row = { out: '2026-11-24', back: '2026-11-27', days: 4 };
  expect([value, cell(1, '返回').getAttribute('min')]).toEqual([[row], '2026-11-24']);
  type(1, '天数', '2');
  type(1, '返回', '2026-11-26');
  expect(value).toEqual([{ ...row, back: '2026-11-26', days: 2 }]);
  const told = (wrong: object) => missing([trips], { costs: [row, { ...row, ...wrong }] })[0]?.msg;
  expect(told({ back: '2026-11-23' })).toBe('第 2 行“返回”不能早于“出发”');
  expect(told({ days: 5 })).toBe('第 2 行“天数”“出发”到“返回”共 4 天，不能填 5 天');
});
