import { z } from 'zod';
import { call, grant, grantOverAll, permissionCodes } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { done, id, idParams, line, name, timestamp, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

export const codeTaken = refusal(codes.refused, (code: string) => `代码“${code}”已有按钮，请直接编辑它`);
export const buttonInUse = refusal(
  codes.refused,
  (count: number) => `有 ${count} 个菜单正在使用该按钮，请先在“菜单按钮”中移除`,
);
export const alreadyOffered = refusal(codes.refused, (button: string) => `该菜单已有按钮“${button}”，无需重复添加`);
export const grantedToRoles = refusal(
  codes.refused,
  (count: number) => `有 ${count} 个角色拥有该菜单按钮，请先在角色中取消`,
);

const order = z
  .number()
  .int()
  .min(0)
  .max(99_999)
  .optional()
  .meta(field('排序', { help: '数值越小越靠前' }));
const icon = line(50).regex(/^\w*$/, '请选择列出的图标').optional().meta({ title: '图标' });
const title = name(20).meta({ title: '名称' });

export const MenuButtonRow = z.object({
  id: z.number().int(),
  menu: z.number().int(),
  button: z.number().int(),
  code: z.enum(permissionCodes).meta(field('代码')),
  name: z.string().meta(field('名称')),
  order_id: z.number().int().meta(field('排序')),
  version: z.number().int(),
});
export type MenuButtonRow = z.output<typeof MenuButtonRow>;

const offeringPages = ['system/menu_button', 'system/menu'] as const;

/** The dictionary of buttons. A button's code never changes: grants given on it would silently mean another right. */
export const buttonCalls = nounCalls({
  prefix: '/api/accounts/button/',
  page: 'system/button',
  whole: true,
  noun: '按钮',
  input: { name: title, icon, order_id: order },
  once: { code: z.enum(permissionCodes, '请选择六个权限代码之一').meta({ title: '代码' }) },
  row: {
    name: z.string(),
    code: z.enum(permissionCodes),
    icon: z.string(),
    order_id: z.number().int(),
    /** Menus that offer it. */
    menus: z.number().int().meta({ title: '使用的菜单' }),
    gmt_modified: timestamp.meta({ title: '修改时间' }),
  },
  sort: ['order_id', 'name', 'code', 'gmt_modified'],
  edit: 'PATCH',
});

/** The menu and the button of a menu button never change, either. */
export const menuButtonCalls = {
  menuButtons: call({
    method: 'GET',
    path: '/api/accounts/menu_button/',
    access: grant('Retrieve', ...offeringPages, 'system/role'),
    summary: '查看菜单按钮',
    query: z.object({ menu: id.optional() }),
    reply: z.array(MenuButtonRow),
  }),
  addMenuButton: call({
    method: 'POST',
    path: '/api/accounts/menu_button/',
    access: grantOverAll('Create', ...offeringPages),
    summary: '新增菜单按钮',
    body: z.object({
      menu: id.meta({ title: '菜单' }),
      button: id.meta({ title: '按钮' }),
      name: title.optional(),
      order_id: order,
    }),
    reply: done,
    message: '菜单按钮已新增',
  }),
  changeMenuButton: call({
    method: 'PATCH',
    path: '/api/accounts/menu_button/{id}/',
    access: grantOverAll('Update', ...offeringPages),
    summary: '编辑菜单按钮',
    params: idParams,
    body: z.object({ name: title.optional(), order_id: order, version }),
    reply: done,
    message: '菜单按钮已保存',
  }),
  removeMenuButton: call({
    method: 'DELETE',
    path: '/api/accounts/menu_button/{id}/',
    access: grantOverAll('Delete', ...offeringPages),
    summary: '删除菜单按钮',
    params: idParams,
    reply: done,
    message: '菜单按钮已删除',
  }),
};
