import { expect, test } from 'vitest';
import type { MenuItem } from '#modules/platform/access/contract.ts';
import { grantTree, menuChecked, rowChecked, withButton, withMenus, withRow } from './grants.ts';

const item = (
  id: number,
  parent: number | null,
  component: string,
  menuPermission: MenuItem['menuPermission'] = [],
) => ({
  id,
  parent,
  name: `菜单${id}`,
  web_path: `/${id}`,
  component,
  icon: '',
  visible: true,
  menuPermission,
  is_link: false,
  affix: false,
  meta: null,
});
const offered = (id: number, menu: number, code: MenuItem['menuPermission'][number]) => {
  return { id, menu, button: id, code, name: code, order_id: 0, version: 0 };
};
const tree = grantTree(
  [item(1, null, ''), item(2, 1, 'a/x', ['Create', 'Retrieve']), item(3, 1, 'a/y', ['Retrieve'])],
  [offered(20, 2, 'Create'), offered(21, 2, 'Retrieve'), offered(22, 2, 'Delete'), offered(30, 3, 'Retrieve')],
);
const [heading] = tree;
const [x, y] = heading!.children!;
const none = { menus: new Set<number>(), buttons: new Set<number>() };

test('only codes the granting person holds are offered', () => {
  expect(x!.buttons.map((button) => button.id)).toEqual([20, 21]);
});

test('granting a code grants its menu, and withdrawing a menu withdraws its codes', () => {
  const one = withButton(none, x!, 20, true);
  expect(one).toEqual({ menus: new Set([2]), buttons: new Set([20]) });
  expect(withMenus(one, x!, false)).toEqual(none);
});

test('a heading is half checked while only a part below it is, and is never granted itself', () => {
  const part = withRow(none, y!, true);
  expect([menuChecked(heading!, part), rowChecked(heading!, part), rowChecked(y!, part)]).toEqual([
    'some',
    'some',
    'all',
  ]);
  const all = withRow(part, heading!, true);
  expect(all).toEqual({ menus: new Set([2, 3]), buttons: new Set([20, 21, 30]) });
  expect(rowChecked(heading!, all)).toBe('all');
  expect(withRow(all, heading!, false)).toEqual(none);
});

test('menus without all their codes leave the row half checked', () => {
  expect(rowChecked(x!, withMenus(none, x!, true))).toBe('some');
});
