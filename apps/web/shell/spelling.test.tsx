import { expect, test } from 'vitest';
import { spelt } from '#kernel/web/kit/find/spelling.ts';
import { findInMenu } from './findInMenu.ts';
import { menuOf } from './menu.ts';

const entry = (id: number, name: string, web_path: string) => ({
  id,
  parent: null,
  name,
  web_path,
  component: web_path.slice(1),
  icon: '',
  visible: true,
  menuPermission: [],
  is_link: false,
  affix: false,
  meta: null,
});
const menu = menuOf([entry(1, '用户管理', '/a'), entry(2, '角色管理', '/b'), entry(3, '通讯录', '/c')], []);
const found = (text: string) => findInMenu(menu, text, spelt).map((one) => one.title);

test('a page is found by its syllables, their beginnings, or its initials', () => {
  expect(found('yonghu')).toEqual(['用户管理']);
  expect(found('jsgl')).toEqual(['角色管理']);
  expect(found('tongxl')).toEqual(['通讯录']);
  expect(found('guanli')).toEqual(['用户管理', '角色管理']);
  expect(found('xyz')).toEqual([]);
});
