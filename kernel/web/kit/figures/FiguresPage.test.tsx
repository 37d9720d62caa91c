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
      to={{ dept: (row) => `/dept/${row.key}` }}
    />,
    { at, codes: ['daochu'] },
  );

test('one declaration gives a page of figures with totals, titled tables, links to rows, and one request', async () => {
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

test('a table of figures is exported as filtered, with its own columns', async () => {
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

test('figures of a period have units, link to their rows, and stand beside those of the period before', async () => {
  const asked = figures({
    ...shed,
    path: '/api/shed/lent/',
    filters: {},
    months: 12,
    summary: {
      all: z.number(),
      lost: z.number(),
      fresh: z.number(),
      hours: z.number(),
      share: z.number(),
      keeper: z.string(),
    },
  });
  server.answers(({ query }) => {
    const past = query.get('end') === '2026-03-31';
    const summary = past
      ? { all: 8000, lost: 0, fresh: 1, hours: 2, share: 50, keeper: '甲' }
      : { all: 10_000, lost: 2, fresh: 122, hours: 1.5, share: 60.5, keeper: '乙' };
    const days = past
      ? { start: query.get('start'), end: query.get('end') }
      : { start: '2026-04-01', end: '2026-06-30' };
    return ok({ value: { summary, by_dept: [], by_kind: [], more: {} }, ...days });
  });
  const page = (
    <FiguresPage
      figures={asked}
      summary={({ all, lost, fresh, hours, share, keeper }, { start }) => [
        ['借出', all, '件', `/shed/list?start=${start}`],
        ['遗失', lost],
        ['新购', fresh, '件'],
        ['平均借期', hours, '小时'],
        ['归还率', share, '%'],
        ['保管人', keeper],
      ]}
    />
  );
  const { unmount } = show(page, { at: '/shed/statistics', reads: ['/shed/list'] });
  const said = (name: string) => screen.getByText(name).parentElement!.textContent;
  await waitFor(() => expect(said('借出')).toBe('借出10,000 件上期 8,000 件，+25%'));
  expect(screen.getByRole('link', { name: '10,000 件' }).getAttribute('href')).toBe('/shed/list?start=2026-04-01');
  expect(['遗失', '新购', '平均借期', '归还率', '保管人'].map(said)).toEqual([
    '遗失2上期 0',
    '新购122 件上期 1 件',
    '平均借期1.5 小时上期 2 小时，-25%',
    '归还率60.5%上期 50%，+10.5 个百分点',
    '保管人乙',
  ]);
  expect(server.asked.map(({ query }) => [query.get('start'), query.get('end')])).toEqual([
    [null, null],
    ['2025-12-31', '2026-03-31'],
  ]);
  // A person who may not read the list gets no link to its page.
  unmount();
  show(page, { at: '/shed/statistics' });
  await waitFor(() => expect(said('借出')).toBe('借出10,000 件上期 8,000 件，+25%'));
  expect(screen.queryByRole('link', { name: '10,000 件' })).toBeNull();
});
