import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { favouriteKey } from '#modules/workflow/workflows/contract.ts';
import StartPage from './start/StartPage.tsx';

const server = servedPage();

const flow = (id: number, name: string, category: string, more: object = {}) => ({
  id,
  name,
  category,
  description: `${name}的说明`,
  module: null,
  module_name: '',
  can_start: true,
  why_not: '',
  ...more,
});
const letters = { module: 'documents', module_name: '公文', can_start: false, why_not: '请到“公文”页面发起' };
const flows = [
  flow(5, '发文', '公文', letters),
  flow(1, '报修', '后勤'),
  flow(2, '请假', '人事'),
  flow(3, '加班', '人事', { can_start: false, why_not: '您不在这个流程的发起范围内' }),
  flow(4, '用印', ''),
];
const start = (favourites?: number[], saved = vi.fn()) => {
  server.answers(({ path }) =>
    ok(path === '/api/workflows/' ? { value: flows, total: 4, page: 1, per_page: 100 } : null),
  );
  const preferences = favourites ? { [favouriteKey]: favourites } : {};
  return { saved, ...show(<StartPage />, { at: '/ticket/new', preferences, saved }) };
};
const groups = async () => {
  await screen.findByRole('button', { name: /^报修/ });
  return screen.getAllByRole('heading', { level: 2 }).map((heading) => [
    heading.textContent,
    within(heading.parentElement!)
      .getAllByRole('listitem')
      .map((one) => one.querySelector('strong')!.textContent),
  ]);
};

test('workflows stand by category, those without one last, and what cannot be started says why', async () => {
  start();
  expect(await groups()).toEqual([
    ['后勤', ['报修']],
    ['人事', ['请假', '加班']],
    ['其他', ['用印']],
  ]);
  const closed = screen.getByRole('button', { name: /^加班/ });
  expect([closed.hasAttribute('disabled'), closed.textContent]).toEqual([true, '加班您不在这个流程的发起范围内']);
  expect(server.asked[0]?.path).toBe('/api/workflows/');
});

test('a favourite stands in front as well, is kept for the person, and goes again', async () => {
  const { saved } = start([4]);
  expect((await groups())[0]).toEqual(['收藏', ['用印']]);
  fireEvent.click(screen.getByRole('button', { name: '收藏 请假' }));
  expect(saved).toHaveBeenLastCalledWith(favouriteKey, [4, 2]);
  expect((await groups())[0]).toEqual(['收藏', ['请假', '用印']]);
  const star = screen.getAllByRole('button', { name: '取消收藏 用印' })[0]!;
  expect(star.getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(star);
  expect(saved).toHaveBeenLastCalledWith(favouriteKey, [2]);
  expect((await groups())[0]).toEqual(['收藏', ['请假']]);
});

test('words leave the workflows that hold them in name, description or category, and none are said', async () => {
  start();
  await groups();
  const search = screen.getByRole('searchbox', { name: '查找流程' });
  fireEvent.change(search, { target: { value: '人事' } });
  expect(screen.getAllByRole('listitem').map((one) => one.querySelector('strong')!.textContent)).toEqual([
    '请假',
    '加班',
  ]);
  fireEvent.change(search, { target: { value: '差旅' } });
  expect(screen.getByText('没有名称包含“差旅”的流程')).toBeDefined();
});

test('what a business module decides is not offered here, only where it is begun', async () => {
  start();
  await groups();
  expect(screen.queryByText('发文')).toBeNull();
  expect(screen.getByText('公文请到各自的页面发起')).toBeDefined();
});

test('the chosen workflow stands in the address', async () => {
  const { address } = start();
  await groups();
  fireEvent.click(screen.getByRole('button', { name: /^请假/ }));
  expect(address()).toBe('/ticket/new?workflow=2');
});
