import { expect, test } from 'vitest';
import { pinnedWithin, titlesWithin } from './shown.ts';

const columns = [
  { key: 'title', title: '标题', main: true, width: 320 },
  { key: 'state', title: '状态', width: 96 },
];
const widthOf = (rows: { title: string }[], missing: number, width = 320) =>
  titlesWithin([{ ...columns[0]!, width }, columns[1]!], rows, missing)[0]!.width;

test('short titles give up width to columns that would not fit, while long and chosen widths stay', () => {
  const short = [{ title: '办公桌椅采购合同' }];
  expect(widthOf(short, 0)).toBe(320);
  expect(widthOf(short, 60)).toBe(260);
  expect(widthOf(short, 400)).toBe(190);
  expect(widthOf([...short, { title: '三号学生公寓屋面防水及外墙保温工程施工合同' }], 400)).toBe(320);
  expect(widthOf(short, 400, 500)).toBe(500);
});

test('pinned columns leave half of the width to the others, or are unpinned', () => {
  const pinned = [{ ...columns[0]!, pin: 'left' as const }, columns[1]!];
  const pinsIn = (room: number) => pinnedWithin(pinned, room, (one) => one.width ?? 0).map(({ pin }) => pin);
  expect(pinsIn(640)).toEqual(['left', undefined]);
  expect(pinsIn(639)).toEqual([undefined, undefined]);
});
