import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import type { ListColumn } from '../columns/columns.ts';
import { countLetters, measureIn } from './measure.ts';
import { pinnedWithin, widthsWithin } from './shown.ts';

interface Row {
  title: string;
  place?: string;
}
const title: ListColumn<Row> = { key: 'title', title: '标题', main: true, width: 320 };
const place: ListColumn<Row> = { key: 'place', title: '地点', width: 112 };
/** Its text is not known before it is drawn. */
const state: ListColumn<Row> = {
  key: 'state',
  title: '状态',
  width: 96,
  whole: true,
  render: () => new Map() as never,
};
const widthsOf = (rows: Row[], room: number, columns = [title, place, state], scale = 1) =>
  widthsWithin(columns, rows, room, { scale }).map(({ width }) => width);
const all = 320 + 112 + 96;
const short = [{ title: '办公桌椅采购合同', place: '东区宿舍 3 号' }];
const long = [{ title: '三号学生公寓屋面防水及外墙保温工程施工合同', place: '东区宿舍 3 号' }];

test('if columns do not fit, a title gives up width so far that it wraps and all fit, or else what it does not need', () => {
  const fits = [title, { ...place, width: 130 }, state];
  expect(widthsOf(short, all + 18, fits)).toEqual([320, 130, 96]);
  expect(widthsOf(short, all - 60 + 18, fits)).toEqual([260, 130, 96]);
  expect(widthsOf(long, all - 60 + 18, fits)).toEqual([260, 130, 96]);
  const [needed] = widthsOf(short, all - 400, fits);
  expect(needed).toBe(148);
  expect(widthsOf(long, all - 400, fits)).toEqual([320, 130, 96]);
});

test('if a title cannot give enough, the other columns give up what their texts do not need', () => {
  const wide = [title, { ...place, width: 300 }, state];
  const room = 148 + 200 + 96;
  expect(widthsOf(short, room, wide)).toEqual([148, 200, 96]);
  expect(widthsOf(short, 100, wide)).toEqual([148, 130, 96]);
  expect(widthsOf([], 100, wide)).toEqual([64, 64, 64]);
});

test('a column whose text would be cut gets the spare room, or what a short title does not need, up to a limit', () => {
  const cut = [{ title: '办公桌椅采购合同', place: '东区宿舍 3 号楼 412 室' }];
  const wide = 112 + 87;
  expect(widthsOf(cut, all + 300)).toEqual([320, wide, 96]);
  expect(widthsOf(cut, all)).toEqual([320 - 87, wide, 96]);
  expect(widthsOf([{ ...cut[0]!, place: '东区'.repeat(60) }], all + 900)).toEqual([320, 260, 96]);
  expect(widthsOf([{ ...long[0]!, place: cut[0]!.place }], all)).toEqual([320, 112, 96]);
});

test('a title keeps the width that the line below it needs, and all its width while that line is not known', () => {
  const titleOver = (note: ReactNode) => {
    const noted = { ...title, note: () => note };
    return widthsOf(short, all - 400, [noted, place, state])[0];
  };
  expect(titleOver('院发〔2026〕3 号')).toBe(148);
  expect(titleOver('关于做好年度设备采购工作的通知')).toBe(Math.ceil((15 * 14.2 * 12) / 14) + 34);
  expect(titleOver(new Map() as never)).toBe(320);
});

test('larger text gets as many characters into a column', () => {
  const cut = [{ title: '办公桌椅采购合同', place: '东区宿舍 3 号楼 412 室' }];
  const [, usual] = widthsOf(cut, all + 300);
  const [, larger] = widthsOf(cut, all * 1.25 + 300, undefined, 1.25);
  // The padding of a cell does not grow.
  expect(larger! - 34).toBeGreaterThanOrEqual(Math.floor((usual! - 34) * 1.25));
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

test('where the browser draws, columns are as wide as their texts are drawn, each measured once; elsewhere letters are counted', () => {
  expect(measureIn('serif')).toBe(countLetters);
  const drawn: string[] = [];
  const pen = {
    font: '',
    measureText(text: string) {
      drawn.push(`${this.font}: ${text}`);
      return { width: text.length * 20 };
    },
  };
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => pen;
    },
  );
  const rows = [{ title: '合同', place: '东区 3 号楼 412' }];
  const widths = () => widthsWithin([title, place], rows, 900, { measure: measureIn('serif') });
  expect(widths().map(({ width }) => width)).toEqual([320, rows[0]!.place.length * 20 + 34]);
  expect(widths()[1]!.width).toBe(254);
  expect(drawn.toSorted()).toEqual(
    [
      '400 14px serif: 东区 0 号楼 000',
      '400 14px serif: 合同',
      '600 14px serif: 地点',
      '600 14px serif: 标题',
    ].toSorted(),
  );
  vi.unstubAllGlobals();
});
