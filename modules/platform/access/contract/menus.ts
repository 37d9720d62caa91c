import { z } from 'zod';
import { call, grant, grantOverAll, permissionCodes, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, flag, idParams, line, name, timestamp, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { moveCall, orderField, parentField } from '#kernel/contract/tree.ts';

export const superOnly = refusal(codes.forbidden, (what: string) => `${what}只能由超级管理员修改，请联系超级管理员`);
export const pathTaken = refusal(codes.refused, (path: string) => `同一上级下已有路径为“${path}”的菜单，请换一个路径`);
export const builtIn = refusal(
  codes.refused,
  (name: string) => `“${name}”是系统自带的菜单，不能删除；不需要时请编辑它，关掉“在侧栏显示”`,
);

/** One entry of the menu. `component` names a page of the registry, empty for a mere heading; missing `roles` means `reception`. */
export const MenuItem = z.object({
  id: z.number().int(),
  parent: z.number().int().nullable(),
  name: z.string(),
  web_path: z.string(),
  component: z.string(),
  icon: z.string(),
  visible: z.boolean(),
  menuPermission: z.array(z.enum(permissionCodes)),
  roles: z.array(z.string()).optional(),
  is_link: z.boolean(),
  affix: z.boolean(),
  /** `show: false` hides the entry from the second level; `noCache` mounts its page anew each time. */
  meta: z.object({ show: z.boolean().optional(), noCache: z.boolean().optional() }).nullable(),
});
export type MenuItem = z.output<typeof MenuItem>;

export const MenuRow = MenuItem.omit({ roles: true }).extend({
  order_id: z.number().int(),
  is_mobile: z.boolean(),
  gmt_modified: timestamp,
  version: z.number().int(),
  actions,
});
export type MenuRow = z.output<typeof MenuRow>;

const MenuBody = z.object({
  parent: parentField('菜单'),
  name: name(30).meta({ title: '名称' }),
  web_path: name(200)
    .regex(/^(\/?\w[\w\-/:]*|https?:\/\/\S+)$/, '请输入字母、数字和 - _ / : 组成的路径，或 http(s):// 开头的网址')
    .meta({ title: '路径' }),
  component: line(100)
    .regex(/^([a-z]\w*(\/\w+)*)?$/, '请输入页面组件名，如 system/user；目录留空')
    .optional()
    .meta({ title: '页面组件' }),
  icon: line(50).regex(/^\w*$/, '请选择列出的图标').optional().meta({ title: '图标' }),
  visible: flag.optional().meta(field('在侧栏显示', { short: '显示' })),
  order_id: orderField,
  is_mobile: flag.optional().meta({ title: '移动端' }),
  is_link: flag.optional().meta({ title: '外部链接' }),
  affix: flag.optional().meta({ title: '固定标签' }),
  meta: MenuItem.shape.meta.optional().meta({ title: '页面行为' }),
});

export const menuCalls = {
  webRouter: call({
    method: 'GET',
    path: '/api/accounts/menu/web_router/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的菜单',
    query: z.object({ is_mobile: flag.optional() }),
    reply: z.array(MenuItem),
    fresh: true,
  }),
  menus: call({
    method: 'GET',
    path: '/api/accounts/menu/',
    access: grant('Retrieve', 'system/menu'),
    summary: '查看菜单',
    reply: z.array(MenuRow),
  }),
  addMenu: call({
    method: 'POST',
    path: '/api/accounts/menu/',
    access: grantOverAll('Create', 'system/menu'),
    summary: '新增菜单',
    body: MenuBody,
    reply: done,
    message: '菜单已新增',
  }),
  changeMenu: call({
    method: 'PATCH',
    path: '/api/accounts/menu/{id}/',
    access: grantOverAll('Update', 'system/menu'),
    summary: '编辑菜单',
    params: idParams,
    body: MenuBody.partial().extend({ version }),
    reply: done,
    message: '菜单已保存',
  }),
  moveMenu: moveCall({ prefix: '/api/accounts/menu/', noun: '菜单', access: grantOverAll('Update', 'system/menu') }),
  removeMenu: call({
    method: 'DELETE',
    path: '/api/accounts/menu/{id}/',
    access: grantOverAll('Delete', 'system/menu'),
    summary: '删除菜单',
    params: idParams,
    reply: done,
    message: '菜单已删除',
  }),
};
