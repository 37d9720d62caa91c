import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codeSet } from '#kernel/contract/codes.ts';
import { coded, field, sheetColumns, titledAs } from '#kernel/contract/titles.ts';
import { cellText } from '../rows/cell.tsx';
import { listColumns } from './listColumns.ts';
import { tableColumns } from './tableColumns.ts';

const door = codeSet({ shut: [0, '关'], open: [1, '开'] });
const form = { name: z.string().meta(field('房间名称', { short: '名称', help: '门牌上的' })) };
const Room = z.object(
  titledAs(form, {
    id: z.int(),
    name: z.string(),
    rent: z
      .number()
      .nullable()
      .meta(field('租金', { unit: '元', kind: 'money' })),
    seats: z.int().meta(field('座位')),
    door: z.int().meta(coded('门', door.names)),
    way: z.string().meta(coded('去路', { stairs: '楼梯', lift: '电梯' })),
    quiet: z.boolean().meta(field('安静')),
    keeper: z.object({ alias: z.string() }).nullable().meta(field('保管人')),
    people: z.array(z.object({ alias: z.string() })).meta(field('人员')),
    since: z.string().meta(field('启用时间')),
  }),
);
const room: z.output<typeof Room> = {
  id: 1,
  name: '东厅',
  rent: 1234.5,
  seats: 40,
  door: door.open,
  way: 'lift',
  quiet: false,
  keeper: { alias: '林晓' },
  people: [{ alias: '甲' }, { alias: '乙' }],
  since: '2020-03-01 09:30:00',
};
const keys = ['name', 'rent', 'seats', 'door', 'way', 'quiet', 'keeper', 'people', 'since'] as const;
const columns = listColumns(Room, {
  name: { main: true },
  rent: {},
  seats: { sort: true },
  door: {},
  way: {},
  quiet: {},
  keeper: {},
  people: {},
  since: {},
});
const shown = (row: typeof room) =>
  columns.map((column) => render(<>{cellText(column, row)}</>).container.textContent ?? '');

describe('a column of a list', () => {
  test('is titled by the schema of its row, with the short title and the unit', () => {
    expect(columns.map(({ title }) => title)).toEqual([
      '名称',
      '租金（元）',
      '座位',
      '门',
      '去路',
      '安静',
      '保管人',
      '人员',
      '启用时间',
    ]);
  });

  test('shows code names, grouped amounts, people’s names, and a dash for empty values', () => {
    expect(shown(room)).toEqual(['东厅', '1,234.50', '40', '开', '电梯', '否', '林晓', '甲、乙', '2020-03-01 09:30']);
    expect(shown({ ...room, name: '', rent: null, keeper: null, people: [] })).toEqual([
      '—',
      '—',
      '40',
      '开',
      '电梯',
      '否',
      '—',
      '—',
      '2020-03-01 09:30',
    ]);
  });

  test('is right-aligned for plain numbers, and not for codes', () => {
    expect(columns.filter(({ number }) => number).map(({ key }) => key)).toEqual(['rent', 'seats']);
    expect(listColumns(Room, { seats: { render: (row) => `${row.seats} 座` } })[0]?.number).toBeUndefined();
  });

  test('that shows more than its field declares its own heading', () => {
    const own = listColumns(Room, { since: { heading: '起止', render: (row) => row.since } });
    expect(own.map(({ key, title }) => [key, title])).toEqual([['since', '起止']]);
  });
});

test('within a page’s table is titled and shown like a list’s column', () => {
  const table = tableColumns(Room, { name: {}, rent: {}, keeper: { render: (row) => row.keeper?.alias } });
  expect(table.map(({ title, align }) => [title, align])).toEqual([
    ['名称', undefined],
    ['租金（元）', 'right'],
    ['保管人', undefined],
  ]);
  const said = table.map(
    ({ render: shows }) => render(<>{shows!(undefined, room, 0) as string}</>).container.textContent,
  );
  expect(said).toEqual(['东厅', '1,234.50', '林晓']);
});

test('of an export is titled as in the list, and shows codes, people and yes or no alike', () => {
  const sheet = sheetColumns(Room.shape, keys);
  expect(sheet.map(({ title }) => title)).toEqual(columns.map(({ title }) => title));
  expect(sheet.map(({ key, show }) => show(room[key as 'name'] as never))).toEqual([
    '东厅',
    1234.5,
    40,
    '开',
    '电梯',
    '否',
    '林晓',
    '甲、乙',
    '2020-03-01 09:30:00',
  ]);
});
