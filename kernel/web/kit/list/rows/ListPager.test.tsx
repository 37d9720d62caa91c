import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fillGaps, show } from '../../../testing/show.tsx';
import { ListPager, pageSizes } from './ListPager.tsx';

beforeEach(() => fillGaps());

test('a pager without a page size uses twenty, and offers ten, twenty, thirty and fifty', () => {
  show(<ListPager page={1} total={45} onChange={() => undefined} />);
  expect(screen.getAllByRole('button', { name: /^第 \d+ 页$/ })).toHaveLength(3);
  expect(screen.getByText('20 条/页')).toBeTruthy();
  expect(pageSizes).toEqual([10, 20, 30, 50]);
});
