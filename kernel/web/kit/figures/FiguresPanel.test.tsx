import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { FiguresPanel } from './FiguresPanel.tsx';

emptyPage();

interface Row {
  key: string;
  name: string;
  count: number;
  day: string | null;
}
const rows: Row[] = [
  { key: 'a', name: '教务处', count: 9, day: null },
  { key: 'b', name: '后勤处', count: 12, day: '2026-11-20' },
];
const common = {
  title: '各部门文件',
  heading: '部门',
  none: '还没有文件',
  columns: [
    { key: 'count', title: '文件' },
    { key: 'day', title: '最近一天' },
  ] as const,
  unit: '份',
  chart: 'bars' as const,
  exporting: <button type="button">导出</button>,
};
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);

test('a table sorts figures as numbers and says a dash where there is none', async () => {
  render(<FiguresPanel<Row> {...common} rows={rows} drawn={['count']} first="table" />);
  expect(names()).toEqual(['教务处', '后勤处']);
  expect(screen.getByText('—')).toBeTruthy();
  fireEvent.click(screen.getByRole('columnheader', { name: /文件/ }));
  fireEvent.click(screen.getByRole('columnheader', { name: /文件/ }));
  expect(names()).toEqual(['后勤处', '教务处']);
});

test('it is said where there are more figures than are listed', () => {
  const { rerender } = render(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={2} />);
  expect(screen.queryByText(/这里只列出/)).toBeNull();
  rerender(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={350} />);
  expect(screen.getByText('共 350 项，这里只列出前 2 项，全部请导出')).toBeTruthy();
  rerender(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={1000} capped />);
  expect(screen.getByText('共 1000+ 项，这里只列出前 2 项，请缩小范围')).toBeTruthy();
});

test('what has nothing to draw is a table alone, and no rows are said in words', () => {
  const { rerender } = render(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} />);
  expect(screen.queryByRole('radiogroup')).toBeNull();
  expect(screen.getByRole('button', { name: '导出' })).toBeTruthy();
  rerender(<FiguresPanel<Row> {...common} rows={[]} drawn={[]} />);
  expect(screen.getByText('还没有文件')).toBeTruthy();
});
