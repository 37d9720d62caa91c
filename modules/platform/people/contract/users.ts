import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  flag,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  personName,
  phone,
  telephone,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';
import { userType } from './codes.ts';

export const usernameTaken = refusal(codes.refused, (name: string) => `用户名“${name}”已被使用过，请换一个`);
export const phoneInUse = refusal(codes.refused, (phone: string) => `手机号 ${phone} 已属于其他用户，请核对`);
export const unknownDept = refusal(codes.refused, () => '所选部门不存在、已停用或不在您的管理范围内，请重新选择');
export const unknownRole = refusal(codes.refused, () => '所选角色不存在，请刷新后重新选择');
export const superAdminOnly = refusal(codes.forbidden, (what: string) => `${what}只能由超级管理员操作`);
export const phoneHidden = refusal(codes.forbidden, (alias: string) => `“${alias}”未公开手机号`);
export const noSso = refusal(codes.refused, (alias: string) => `“${alias}”没有绑定单点登录，无需解除`);
export const noWechat = refusal(codes.refused, (alias: string) => `“${alias}”没有绑定微信，无需解除`);
export const noSecond = refusal(codes.refused, (who: string) => `“${who}”没有开启二次验证`);
export const noPhone = refusal(codes.refused, (alias: string) => `“${alias}”没有登记手机号`);

export const phoneVisibility = [
  { value: 1, label: '全员可见' },
  { value: 2, label: '本部门可见' },
  { value: 3, label: '不公开' },
] as const;

const roleIds = z.array(id).max(50, '最多 50 个');
const fields = {
  alias: personName(30).meta({ title: '姓名' }),
  phone: z.union([z.literal(''), phone]).meta({ title: '手机号' }),
  email: z.union([z.literal(''), z.email('邮箱格式不正确').max(100, '最多 100 个字')]).meta({ title: '邮箱' }),
  company: line(50).meta({ title: '单位' }),
  dept: id.nullable().meta({ title: '主部门' }),
  depts: z.array(id).max(20, '最多 20 个').meta({ title: '兼职部门' }),
  post: line(30).meta({ title: '职务' }),
  gender: z.enum(['', '男', '女'], '请填写“男”或“女”').meta({ title: '性别' }),
  office_phone: telephone(30).meta({ title: '办公电话' }),
  office_room: line(50).meta({ title: '办公室' }),
  employ_no: line(50).meta({ title: '工号' }),
  type_id: z.coerce
    .number()
    .refine(
      (type) => userType.is(type, userType.usual, userType.superAdmin),
      '请填 0（普通）或 2（超级管理员）；流程管理员请授予角色“流程管理员”',
    )
    .meta({ title: '用户类型' }),
  is_active: flag.meta({ title: '启用' }),
  is_yg: flag.meta({ title: '是否员工' }),
  roles: roleIds.meta({ title: '角色' }),
  sort: z.coerce.number().int().min(0).max(1_000_000).meta({ title: '排序' }),
  phone_visible: z.coerce.number().int().min(1).max(3).meta({ title: '手机号可见范围' }),
  /** User names of the leaders a secretary works for. */
  leader_of: z.array(z.string().max(50)).max(20, '最多 20 人').meta({ title: '服务的领导' }),
};
/** Missing fields stay as they are. */
export const UserUpdate = z.object(fields).partial().extend({ version });
export type UserUpdate = z.output<typeof UserUpdate>;
export const UserInput = z
  .object(fields)
  .partial()
  .extend({
    alias: fields.alias,
    username: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_.-]{2,50}$/, '请用 2–50 个字母、数字、下划线、点或横线')
      .meta({ title: '用户名' }),
  });
export type UserInput = z.output<typeof UserInput>;

export const RoleTag = z.object({ id: z.number().int(), name: z.string(), code: z.string() });

export const UserRow = z.object({
  id: z.number().int(),
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  /** Masked; empty if there is none or it may not be seen. */
  phone: z.string().meta(field('手机')),
  email: z.string().meta(field('邮箱')),
  company: z.string(),
  dept: z.number().int().nullable(),
  dept_name: z.string().meta(field('部门')),
  depts: z.array(z.number().int()),
  post: z.string().meta(field('职务')),
  gender: z.string().meta(field('性别')),
  office_phone: z.string().meta(field('办公电话')),
  office_room: z.string().meta(field('办公室')),
  employ_no: z.string().meta(field('工号')),
  avatar: z.number().int().nullable(),
  type_id: z.number().int(),
  is_active: z.boolean().meta(coded('状态', { true: '启用', false: '停用' })),
  is_yg: z.boolean(),
  /** `until`: the last day, if they are temporary. */
  roles: z.array(RoleTag.extend({ until: z.string().nullable() })).meta(field('角色')),
  sort: z.number().int(),
  phone_visible: z.number().int(),
  leader_of: z.array(z.string()),
  last_login: timestamp.nullable().meta(field('最近登录')),
  must_change_pwd: z.boolean(),
  gmt_created: timestamp,
  gmt_modified: timestamp,
  version: z.number().int(),
  actions,
});
export type UserRow = z.output<typeof UserRow>;
/** A role in words, with its last day. */
export const roleText = ({ name, until }: UserRow['roles'][number]) => (until ? `${name}（至 ${until}）` : name);

export const users = {
  list: call({
    method: 'GET',
    path: '/api/accounts/users/',
    access: grant('Retrieve', 'system/user'),
    summary: '查看用户',
    query: listQuery({
      sort: ['sort', 'username', 'alias', 'last_login', 'gmt_created'],
      filters: {
        dept: id.optional().meta({ title: '部门' }),
        is_active: flag.optional(),
        role: id.optional().meta({ title: '角色' }),
        /** True for people who hold a role with a last day. */
        temporary: flag.optional().meta({ title: '角色期限' }),
      },
    }),
    reply: listOf(UserRow),
    exports: {
      page: 'system/user',
      title: '用户',
      columns: sheetColumns(UserRow.shape, [
        'alias',
        'username',
        'phone',
        'dept_name',
        'post',
        { key: 'roles', show: (roles: UserRow['roles']) => roles.map(roleText).join('、') },
        'gender',
        'email',
        'office_phone',
        'office_room',
        'employ_no',
        'is_active',
        'last_login',
      ]),
    },
  }),
  create: call({
    method: 'POST',
    path: '/api/accounts/users/',
    access: grant('Create', 'system/user'),
    summary: '新增用户',
    body: UserInput,
    reply: z.object({ id: z.number().int(), username: z.string(), password: z.string() }),
    message: '用户已新增',
    shownOnce: true,
  }),
  update: call({
    method: 'PUT',
    path: '/api/accounts/users/{id}/',
    access: grant('Update', 'system/user'),
    summary: '编辑用户',
    params: idParams,
    body: UserUpdate,
    reply: UserRow,
    message: '用户已保存',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/accounts/users/{id}/',
    access: grant('Delete', 'system/user'),
    summary: '删除用户',
    params: idParams,
    reply: done,
    message: '用户已删除',
  }),
  resetPassword: call({
    method: 'POST',
    path: '/api/accounts/users/{id}/reset_password/',
    access: grant('Update', 'system/user'),
    summary: '重置密码',
    params: idParams,
    reply: z.object({ password: z.string() }),
    message: '密码已重置，原有登录已退出',
    shownOnce: true,
  }),
  forgetSecond: call({
    method: 'POST',
    path: '/api/accounts/users/{id}/forget_second/',
    access: grant('Update', 'system/user'),
    summary: '关闭用户的二次验证',
    params: idParams,
    reply: done,
    message: '二次验证已关闭，原有登录已退出',
  }),
  releaseSso: call({
    method: 'POST',
    path: '/api/accounts/users/{id}/release_sso/',
    access: grant('Update', 'system/user'),
    summary: '解除用户的单点登录绑定',
    params: idParams,
    reply: done,
    message: '单点登录绑定已解除，原有登录已退出',
  }),
  unbindWechat: call({
    method: 'POST',
    path: '/api/accounts/users/{id}/unbind_wechat/',
    access: grant('Update', 'system/user'),
    summary: '解除用户的微信绑定',
    params: idParams,
    reply: done,
    message: '微信绑定已解除，原有登录已退出',
  }),
  roles: call({
    method: 'GET',
    path: '/api/accounts/users/{id}/roles/',
    access: grant('Retrieve', 'system/user', 'system/role'),
    summary: '查看用户的角色',
    params: idParams,
    reply: z.array(RoleTag),
    fresh: true,
  }),
  grantable: call({
    method: 'GET',
    path: '/api/accounts/users/grantable_roles/',
    access: grant('Retrieve', 'system/user'),
    summary: '我可以授予的角色',
    reply: z.array(RoleTag),
  }),
  phone: call({
    method: 'POST',
    path: '/api/accounts/users/{id}/phone/',
    access: signedIn,
    summary: '查看手机号',
    params: idParams,
    reply: z.object({ phone: z.string() }),
    shownOnce: true,
  }),
};
