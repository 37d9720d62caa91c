import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { rememberedIn, rememberFile } from './remembered.ts';

emptyPage();

test('the names of a draft’s files go along with it, also of those in an opinion or in the rows of a table', () => {
  for (const id of [3, 4, 5, 6]) rememberFile({ id, name: `${id}.pdf`, mime: 'application/pdf' });
  const rows = [{ what: '发票', papers: [4] }];
  const values = { papers: [3], beside: { files: [5], mentions: ['song'] }, edited: { rows }, version: 6 };
  expect(rememberedIn(values).map(({ id }) => id)).toEqual([3, 4, 5]);
});
