import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Phrases } from './record/Phrases.tsx';

emptyPage();

const open = async (typed = '', phrases?: string[]) => {
  const [saved, onPick] = [vi.fn(), vi.fn()];
  show(<Phrases typed={typed} onPick={onPick} />, { preferences: phrases ? { phrases } : {}, saved });
  fireEvent.click(screen.getByRole('button', { name: '常用语' }));
  await screen.findByRole('dialog', { name: '常用语' });
  return { saved, onPick };
};
const keep = () => screen.queryByRole('button', { name: '把这条意见存为常用语' });

test('a phrase is inserted by a click, and a person’s own phrases replace the usual ones', async () => {
  const { onPick } = await open('', ['已核对，拟同意']);
  expect(screen.queryByRole('button', { name: '填入常用语：同意' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '填入常用语：已核对，拟同意' }));
  expect(onPick).toHaveBeenCalledWith('已核对，拟同意');
});

test('a typed opinion is saved as the person’s first phrase, on every page', async () => {
  const { saved } = await open(' 请按预算执行 ');
  fireEvent.click(keep()!);
  expect(saved).toHaveBeenLastCalledWith('phrases', [
    '请按预算执行',
    '同意',
    '情况属实，同意办理',
    '请补充说明后再提交',
  ]);
  expect(screen.getByRole('button', { name: '填入常用语：请按预算执行' })).toBeDefined();
  expect(keep(), 'it is kept already').toBeNull();
});

test('an empty, already saved or overlong opinion is not offered to be saved as a phrase', async () => {
  for (const typed of ['  ', '同意', '长'.repeat(61)]) {
    await open(typed);
    expect(keep()).toBeNull();
    cleanup();
  }
});

test('a phrase can be deleted, and of more than twenty the oldest is dropped', async () => {
  const many = Array.from({ length: 20 }, (_one, index) => `第 ${index + 1} 条`);
  const { saved } = await open('新的一条', many);
  fireEvent.click(keep()!);
  expect(saved).toHaveBeenLastCalledWith('phrases', ['新的一条', ...many.slice(0, 19)]);
  fireEvent.click(screen.getByRole('button', { name: '删除常用语：第 1 条' }));
  expect(saved).toHaveBeenLastCalledWith('phrases', ['新的一条', ...many.slice(1, 19)]);
});
