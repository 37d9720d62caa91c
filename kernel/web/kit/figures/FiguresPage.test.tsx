import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { servedPage } from '../../testing/page.ts';
import { ok } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { choiceFilter, FiguresPage } from './FiguresPage.tsx';

const server = servedPage();
const shed = figures({
  path: '/api/shed/statistics/',
  page: 'shed/statistics',
  title: '库房统计',
  filters: { kind: z.enum(['a', 'b']).optional() },
  months: 0,
  columns: { total: { title: '件数' }, last: { title: '最近', kind: 'day' }, note: { title: '说明', kind: 'words' } },
  panels: {
    dept: {
      title: '各部门',
      heading: '部门',
      columns: ['total', 'last'],
      titles: { total: '领用' },
      drawn: [],
      unit: '件',
      chart: 'bars',
      none: '还没有领用',
    },
    kind: { title: '各类', heading: '类', columns: ['note'], drawn: [], unit: '', chart: 'bars', none: '还没有东西' },
  },
  summary: { all: z.number() },
});
const line = (key: string, name: string, total: number) => ({ key, name, total, last: null, note: '' });

const page = (at = '/shed/statistics') =>
  show(
    <FiguresPage
      figures={shed}
      filters={{ kind: choiceFilter('类型', [{ value: 'a', label: '甲' }]) }}
      summary={({ all }) => [['全部', all]]}
      nameOf={{ dept: (row) => <a href={`/dept/${row.key}`}>{row.name}</a> }}
    />,
    { at, codes: ['daochu'] },
  );

test('one declaration makes the page: figures altogether, tables with their own titles, names that lead on, one question', async () => {
  server.answers(() =>
    ok({
      value: {
        summary: { all: 9 },
        by_dept: [line('1', '教务处', 9)],
        by_kind: [],
        more: { dept: { total: 300, capped: false } },
      },
      start: '',
      end: '',
    }),
  );
  page('/shed/statistics?kind=a');
  expect((await screen.findByText('全部')).parentElement!.textContent).toBe('全部9');
  expect(screen.getByRole('columnheader', { name: /领用/ })).toBeDefined();
  expect(screen.getByRole('link', { name: '教务处' }).getAttribute('href')).toBe('/dept/1');
  expect(screen.getByText('还没有东西')).toBeDefined();
  expect(screen.getByText('共 300 项，这里只列出前 1 项，全部请导出')).toBeDefined();
  expect(screen.queryByLabelText(/从/)).toBeNull();
  expect(server.asked.map(({ query }) => query.get('kind'))).toEqual(['a']);
});

test('a table is exported as it is filtered, with its own columns', async () => {
  server.answers(() => ok({ value: { summary: { all: 0 }, by_dept: [], by_kind: [], more: {} }, start: '', end: '' }));
  page('/shed/statistics?kind=a');
  const [, second] = await screen.findAllByRole('button', { name: '导出' });
  fireEvent.click(second!);
  await waitFor(() => expect(server.asked.some(({ query }) => query.get('export') === 'xlsx')).toBe(true));
  const { query } = server.asked.find((one) => one.query.has('export'))!;
  expect([query.get('dim'), query.get('kind')]).toEqual(['kind', 'a']);
  const { columns } = shed.call.exports!;
  expect(typeof columns === 'function' && columns({ dim: 'dept' })).toEqual([
    { key: 'name', title: '部门' },
    { key: 'total', title: '领用' },
    { key: 'last', title: '最近' },
  ]);
});
