import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  name,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { field, coded } from '#kernel/contract/titles.ts';

export const roleNameTaken = refusal(codes.refused, (taken: string) => `已有名为“${taken}”的角色，请换一个名称`);
export const roleCodeTaken = refusal(codes.refused, (taken: string) => `角色编码“${taken}”已被使用，请换一个编码`);
export const ownRole = refusal(codes.forbidden, () => '不能修改自己拥有的角色，请由其他管理员修改');
export const beyondMine = refusal(codes.forbidden, (what: string) => `${what}超出您自己的权限，不能授予或修改`);
export const systemRoleKept = refusal(codes.refused, (role: string) => `“${role}”是系统角色，不能删除`);
export const hasMembers = refusal(codes.refused, (count: number) => `该角色还有 ${count} 名成员，请先移除成员再删除`);
export const namedByFlows = refusal(
  codes.refused,
  (role: string, flows: readonly string[]) =>
    `流程“${flows.join('、')}”按角色“${role}”确定办理人或权限，请先在流程中改用其他角色再删除`,
);
export const codeNamedByFlows = refusal(
  codes.forbidden,
  (code: string) => `有流程按角色编码“${code}”确定办理人或权限，不能新建该编码的角色，请换一个编码或联系超级管理员`,
);
export const unknownGrant = refusal(codes.refused, () => '所选的菜单或按钮已不存在，请刷新后重新选择');
export const unknownDepts = refusal(codes.refused, () => '指定部门中有不存在的部门，请刷新后重新选择');
export const chooseDepts = refusal(
  codes.invalid,
  () => '指定部门：请至少选择一个部门',
  () => ({ errors: [{ field: 'scope_depts', label: '指定部门', msg: '请至少选择一个部门' }] }),
);

/** The rows on which a role's permissions apply. */
export const dataScope = codeSet({
  all: [1, '全部数据'],
  depts: [2, '指定部门'],
  dept: [3, '本部门'],
  below: [4, '本部门及下级'],
  own: [5, '仅本人'],
});
export type DataScope = CodeOf<typeof dataScope>;

const RoleRow = z.object({
  id: z.number().int(),
  name: z.string().meta(field('名称')),
  code: z.string().meta(field('编码')),
  description: z.string().meta(field('说明')),
  data_scope: z.number().int().meta(coded('数据范围', dataScope.names)),
  is_system: z.boolean().meta(field('类别')),
  order_id: z.number().int(),
  /** The number of its holders. */
  users: z.number().int().meta(field('成员')),
  gmt_modified: timestamp.meta(field('修改时间')),
  version: z.number().int(),
  actions,
});
export type RoleRow = z.output<typeof RoleRow>;

const Grants = z.object({ menus: z.array(z.number().int()), buttons: z.array(z.number().int()) });
const Role = RoleRow.extend({ ...Grants.shape, scope_depts: z.array(z.number().int()) });
export type Role = z.output<typeof Role>;

const RoleBody = z.object({
  name: name(30).meta({ title: '名称' }),
  description: line(200).optional().meta({ title: '说明' }),
  data_scope: z.number().int().min(1).max(5).optional().meta({ title: '数据范围' }),
  scope_depts: z.array(id).max(1000, '最多 1000 个部门').optional().meta({ title: '指定部门' }),
  order_id: z.number().int().min(0).max(99_999).optional().meta({ title: '排序' }),
  menus: z.array(id).max(2000).optional().meta({ title: '菜单' }),
  buttons: z.array(id).max(5000).optional().meta({ title: '按钮' }),
});
const RoleChange = RoleBody.partial().extend({ version });

export const roleCalls = {
  roles: call({
    method: 'GET',
    path: '/api/accounts/roles/',
    access: grant('Retrieve', 'system/role'),
    summary: '查看角色',
    query: listQuery({ sort: ['order_id', 'name', 'code', 'gmt_modified'] }),
    reply: listOf(RoleRow),
  }),
  addRole: call({
    method: 'POST',
    path: '/api/accounts/roles/',
    access: grant('Create', 'system/role'),
    summary: '新增角色',
    body: RoleBody.extend({
      code: name(30)
        .regex(/^[a-z][a-z0-9_]*$/, '请以小写字母开头，只用小写字母、数字和下划线')
        .meta({ title: '编码' }),
    }),
    reply: done,
    message: '角色已新增',
  }),
  role: call({
    method: 'GET',
    path: '/api/accounts/roles/{id}/',
    access: grant('Retrieve', 'system/role'),
    summary: '查看角色详情',
    params: idParams,
    reply: Role,
    fresh: true,
  }),
  changeRole: call({
    method: 'PATCH',
    path: '/api/accounts/roles/{id}/',
    access: grant('Update', 'system/role'),
    summary: '编辑角色',
    params: idParams,
    body: RoleChange,
    reply: done,
    message: '角色已保存',
  }),
  saveRole: call({
    method: 'PUT',
    path: '/api/accounts/roles/{id}/',
    access: grant('Update', 'system/role'),
    summary: '保存角色',
    params: idParams,
    body: RoleChange,
    reply: done,
    message: '角色已保存',
  }),
  removeRole: call({
    method: 'DELETE',
    path: '/api/accounts/roles/{id}/',
    access: grant('Delete', 'system/role'),
    summary: '删除角色',
    params: idParams,
    reply: done,
    message: '角色已删除',
  }),
  /** All of mine together if no role is named; those of another role require the permission to see roles. */
  roleMenus: call({
    method: 'GET',
    path: '/api/accounts/roles/role_id_to_menu/',
    access: signedIn,
    summary: '角色的菜单与按钮',
    query: z.object({ role_id: id.optional() }),
    reply: Grants,
    fresh: true,
  }),
  simpleRoles: call({
    method: 'GET',
    path: '/api/accounts/roles/simple_roles/',
    aliases: ['/api/accounts/simple_roles/'],
    access: signedIn,
    summary: '角色选项',
    reply: z.array(RoleRow.pick({ id: true, name: true, code: true })),
  }),
};
