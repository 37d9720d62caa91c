import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fillGaps, show } from '../../../testing/show.tsx';
import { ListPager, pageSizes } from './ListPager.tsx';

beforeEach(() => fillGaps());

test('a pager that is told no number of rows goes by twenty a page, and ten, twenty, thirty and fifty may be chosen', () => {
  show(<ListPager page={1} total={45} onChange={() => undefined} />);
  expect(screen.getAllByRole('button', { name: /^第 \d+ 页$/ })).toHaveLength(3);
  expect(screen.getByText('20 条/页')).toBeTruthy();
  expect(pageSizes).toEqual([10, 20, 30, 50]);
});
