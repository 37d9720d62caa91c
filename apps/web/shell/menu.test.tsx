import { describe, expect, test } from 'vitest';
import type { MenuItem } from '#modules/platform/access/contract.ts';
import { findInMenu, onePerPlace } from './findInMenu.ts';
import { choose, codesAt, entryFor, menuOf, rootFor, shownChildren } from './menu.ts';

let next = 0;
const item = (part: Partial<MenuItem>): MenuItem => ({
  id: ++next,
  parent: null,
  name: '条目',
  web_path: '/x',
  component: '',
  icon: '',
  visible: true,
  menuPermission: [],
  is_link: false,
  affix: false,
  meta: null,
  ...part,
});
const items = [
  item({ id: 100, name: '印章', web_path: '/stamp' }),
  item({
    id: 101,
    parent: 100,
    name: '印章管理',
    web_path: 'list',
    component: 'stamp/list',
    menuPermission: ['Create'],
  }),
  item({ id: 102, parent: 100, name: '印章详情', web_path: 'list/:id', component: 'stamp/detail', visible: false }),
  item({ id: 103, parent: 101, name: '子级', web_path: 'deep', component: 'stamp/deep' }),
  item({ id: 110, name: '订单', web_path: '/order' }),
  item({
    id: 111,
    parent: 110,
    name: '我的工单',
    web_path: '/myOrder',
    component: 'order/mine',
    menuPermission: ['Retrieve'],
  }),
  item({ id: 120, name: '审计', web_path: '/audit', roles: ['audit'] }),
  item({ id: 121, parent: 120, name: '日志', web_path: 'log', component: 'system/log' }),
];
const menu = menuOf(items, ['staff']);

describe('the menu', () => {
  test('joins the parent’s path and an entry’s own, unless that is absolute', () => {
    expect(menu.all.map((node) => node.path)).toEqual([
      '/stamp',
      '/stamp/list',
      '/stamp/list/deep',
      '/stamp/list/:id',
      '/order',
      '/myOrder',
    ]);
  });
  test('leaves out entries of other roles with all below them, and an entry without roles is for everybody', () => {
    expect(menu.roots.map((node) => node.name)).toEqual(['印章', '订单']);
    expect(menuOf(items, ['audit']).roots.map((node) => node.name)).toContain('审计');
    expect(menuOf(items, ['staff'], 'guests').roots).toEqual([]);
  });
  test('matches a path with a parameter by the text before the colon', () => {
    expect(entryFor(menu, '/stamp/list/5')?.component).toBe('stamp/detail');
    expect(rootFor(menu, '/stamp/list/5')?.name).toBe('印章');
    expect(rootFor(menu, '/myOrder')?.name).toBe('订单');
    expect(entryFor(menu, '/nowhere')).toBeUndefined();
  });
  test('gives the permissions of the current path, and those of the parent for a page with only a parameter', () => {
    expect(codesAt(menu, '/stamp/list')).toEqual(['Create']);
    expect(codesAt(menu, '/myOrder')).toEqual(['Retrieve']);
    expect(codesAt(menu, '/stamp')).toEqual([]);
    const nested = menuOf(
      [item({ id: 1, web_path: '/a', menuPermission: ['Update'] }), item({ id: 2, parent: 1, web_path: ':id' })],
      [],
    );
    expect(codesAt(nested, '/a/9')).toEqual(['Update']);
  });
  test('is searched by name, parent and path, without headings and hidden pages', () => {
    expect(findInMenu(menu, '印章').map((found) => found.to)).toEqual(['/stamp/list', '/stamp/list/deep']);
    expect(findInMenu(menu, 'MYORDER').map((found) => found.title)).toEqual(['我的工单']);
  });
});

describe('choosing a first-level menu entry', () => {
  const only = (part: Partial<MenuItem>, ...children: Partial<MenuItem>[]) => {
    const root = item(part);
    return choose(menuOf([root, ...children.map((child) => item({ parent: root.id, ...child }))], []).roots[0]!);
  };
  test('with an external link opens a new tab', () => {
    expect(only({ web_path: 'https://example.com/' })).toEqual({ kind: 'leave', url: 'https://example.com/' });
  });
  test('with the redirect prefix goes to the path without it', () => {
    expect(only({ web_path: '/redirect/index' })).toEqual({ kind: 'go', to: '/index' });
  });
  test('without visible children goes to its page', () => {
    expect(only({ web_path: '/address', component: 'address' })).toEqual({ kind: 'go', to: '/address' });
    expect(only({ web_path: '/address', component: 'address' }, { visible: false })).toEqual({
      kind: 'go',
      to: '/address',
    });
  });
  test('with only one child hidden by its meta goes to that child', () => {
    const child = { web_path: 'one', component: 'one', meta: { show: false } };
    expect(only({ web_path: '/a', component: 'a' }, child)).toEqual({ kind: 'go', to: '/a' });
    expect(only({ web_path: '/a' }, child)).toEqual({ kind: 'go', to: '/a/one' });
  });
  test('opens no second sidebar if its only child is hidden by its meta or not visible', () => {
    const [child] = [{ web_path: 'one', component: 'one' }];
    const shown = (part: Partial<MenuItem>) => {
      const root = item({ web_path: '/a' });
      return shownChildren(menuOf([root, item({ parent: root.id, ...child, ...part })], []).roots[0]!).length;
    };
    expect([shown({}), shown({ meta: { show: false } }), shown({ visible: false })]).toEqual([1, 0, 0]);
  });
  test('with children only shows them', () => {
    expect(only({ web_path: '/a' }, { web_path: 'one' })).toEqual({ kind: 'show' });
  });
});

test('the palette lists a document once instead of also its ticket, whichever is found first', () => {
  const letter = { key: 'document-7', title: '通知', to: '/document/detail/7' };
  const ticket = { key: 'ticket-9', title: '通知', to: '/document/detail/7', behind: true };
  const other = { key: 'ticket-3', title: '报修', to: '/ticket/detail/3', behind: false };
  expect(onePerPlace([letter, ticket, other])).toEqual([letter, other]);
  expect(onePerPlace([ticket, other, letter])).toEqual([letter, other]);
  expect(onePerPlace([ticket, other])).toEqual([ticket, other]);
});
