import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { FiguresPanel, longestFirst } from './FiguresPanel.tsx';

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

test('a table sorts figures as numbers and shows a dash for a missing one', async () => {
  show(<FiguresPanel<Row> {...common} rows={rows} drawn={['count']} first="table" />);
  expect(names()).toEqual(['教务处', '后勤处']);
  expect(screen.getByText('—')).toBeTruthy();
  fireEvent.click(screen.getByRole('columnheader', { name: /文件/ }));
  fireEvent.click(screen.getByRole('columnheader', { name: /文件/ }));
  expect(names()).toEqual(['后勤处', '教务处']);
});

test('bars are sorted with the longest first, by the sum of a stack', () => {
  const lines = [
    { name: '教务处', sent: 3, got: 0 },
    { name: '后勤处', sent: 1, got: 9 },
    { name: '保卫处', sent: 4, got: 0 },
  ];
  expect(longestFirst(lines, ['sent']).map(({ name }) => name)).toEqual(['保卫处', '教务处', '后勤处']);
  expect(longestFirst(lines, ['sent', 'got']).map(({ name }) => name)).toEqual(['后勤处', '保卫处', '教务处']);
});

test('a line of figures links to its rows', () => {
  show(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} to={(row) => `/dept/${row.key}`} />);
  expect(screen.getByRole('link', { name: '教务处' }).getAttribute('href')).toBe('/dept/a');
});

test('a figures panel says when there are more figures than it lists', () => {
  const one = show(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={2} />);
  expect(screen.queryByText(/这里只列出/)).toBeNull();
  one.unmount();
  const other = show(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={350} />);
  expect(screen.getByText('共 350 项，这里只列出前 2 项，全部请导出')).toBeTruthy();
  other.unmount();
  show(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} total={1000} capped />);
  expect(screen.getByText('共 1000+ 项，这里只列出前 2 项，请缩小范围')).toBeTruthy();
});

test('figures without a chart are only a table, and an empty table says so', () => {
  const some = show(<FiguresPanel<Row> {...common} rows={rows} drawn={[]} />);
  expect(screen.queryByRole('radiogroup')).toBeNull();
  expect(screen.getByRole('button', { name: '导出' })).toBeTruthy();
  some.unmount();
  show(<FiguresPanel<Row> {...common} rows={[]} drawn={[]} />);
  expect(screen.getByText('还没有文件')).toBeTruthy();
});
