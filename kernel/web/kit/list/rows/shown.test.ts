import { expect, test } from 'vitest';
import type { ListColumn } from '../columns/columns.ts';
import { pinnedWithin, widthsWithin } from './shown.ts';

interface Row {
  title: string;
  place?: string;
}
const title: ListColumn<Row> = { key: 'title', title: '标题', main: true, width: 320 };
const place: ListColumn<Row> = { key: 'place', title: '地点', width: 112 };
const state: ListColumn<Row> = { key: 'state', title: '状态', width: 96, whole: true };
const widthsOf = (rows: Row[], room: number, columns = [title, place, state]) =>
  widthsWithin(columns, rows, room).map(({ width }) => width);
const all = 320 + 112 + 96;

test('a title gives up width to columns that would not fit: down to what it needs, or so far that it wraps and all fit', () => {
  const short = [{ title: '办公桌椅采购合同' }];
  const long = [{ title: '三号学生公寓屋面防水及外墙保温工程施工合同' }];
  expect(widthsOf(short, all)).toEqual([320, 112, 96]);
  expect(widthsOf(short, all - 60)).toEqual([260, 112, 96]);
  expect(widthsOf(short, all - 400)).toEqual([190, 112, 96]);
  expect(widthsOf(long, all - 60)).toEqual([260, 112, 96]);
  expect(widthsOf(long, all - 400)).toEqual([320, 112, 96]);
});

test('a column whose text would be cut gets the spare room, or what a short title does not need, up to a limit', () => {
  const cut = [{ title: '办公桌椅采购合同', place: '东区宿舍 3 号楼 412 室' }];
  const [wide] = widthsOf(cut, all + 300).slice(1);
  expect(wide).toBeGreaterThan(160);
  expect(widthsOf(cut, all + 300)).toEqual([320, wide, 96]);
  expect(widthsOf(cut, all)).toEqual([320 - (wide! - 112), wide, 96]);
  expect(widthsOf([{ ...cut[0]!, place: '东区'.repeat(60) }], all + 900)[1]).toBe(260);
  const long = [{ title: '三号学生公寓屋面防水及外墙保温工程施工合同', place: '东区宿舍 3 号楼 412 室' }];
  expect(widthsOf(long, all)).toEqual([320, 112, 96]);
});

test('widths that a person chose stay, and so do all while the room is not known', () => {
  const cut = [{ title: '合同', place: '东区宿舍 3 号楼 412 室' }];
  const sized = [{ ...title, width: 500, sized: true }, { ...place, sized: true }, state];
  expect(widthsOf(cut, 300, sized)).toEqual([500, 112, 96]);
  expect(widthsOf(cut, Infinity)).toEqual([320, 112, 96]);
});

test('pinned columns leave half of the width to the others, or are unpinned', () => {
  const pinned = [{ ...title, pin: 'left' as const }, state];
  const pinsIn = (room: number) => pinnedWithin(pinned, room, (one) => one.width ?? 0).map(({ pin }) => pin);
  expect(pinsIn(640)).toEqual(['left', undefined]);
  expect(pinsIn(639)).toEqual([undefined, undefined]);
});
