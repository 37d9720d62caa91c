import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  flag,
  idParams,
  line,
  listOf,
  listQuery,
  name,
  telephone,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { moveCall, orderField, parentField } from '#kernel/contract/tree.ts';
import { field } from '#kernel/contract/titles.ts';
import { PersonCard } from './cards.ts';

export const parentOutside = refusal(codes.forbidden, () => '上级部门不在您的管理范围内，请选择范围内的部门');
export const reachWidened = refusal(
  codes.forbidden,
  (name: string) => `移动“${name}”会扩大您自己的管理范围，请由其他管理员操作`,
);

export const placeGives = refusal(
  codes.forbidden,
  (name: string, alias: string) => `移动“${name}”会给“${alias}”您不能给予的权限，请由可管理全部部门的管理员操作`,
);

const username = z.string().max(50);

export const DeptInput = z.object({
  name: name(50).meta({ title: '部门名称' }),
  parent: parentField('部门'),
  code: line(30)
    .optional()
    .meta(field('部门编码', { short: '编码' })),
  type: z.coerce.number().int().min(1).max(4).optional().meta({ title: '类型' }),
  leader: username.optional().meta({ title: '负责人' }),
  approver: z.array(username).max(20, '最多 20 人').optional().meta({ title: '审批人' }),
  dept_ld: username.optional().meta({ title: '分管领导' }),
  secretary: z.array(username).max(20, '最多 20 人').optional().meta({ title: '秘书' }),
  phone: telephone(30).optional().meta({ title: '电话' }),
  order_id: orderField,
  status: flag.optional().meta(field('启用', { short: '状态' })),
  label: line(200).optional().meta({ title: '标签' }),
});
export type DeptInput = z.output<typeof DeptInput>;

export const DeptRow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** 0 at the top. */
  parent: z.number().int(),
  parent_name: z.string(),
  code: z.string(),
  type: z.number().int(),
  leader: z.string(),
  approver: z.array(z.string()),
  dept_ld: z.string(),
  secretary: z.array(z.string()),
  leader_info: PersonCard.nullable(),
  approver_info: z.array(PersonCard),
  dept_ld_info: PersonCard.nullable(),
  secretary_info: z.array(PersonCard),
  phone: z.string(),
  order_id: z.number().int(),
  status: z.boolean(),
  label: z.string(),
  child_count: z.number().int(),
  user_count: z.number().int().meta(field('人数')),
  gmt_created: timestamp,
  gmt_modified: timestamp,
  version: z.number().int(),
  actions,
});
export type DeptRow = z.output<typeof DeptRow>;
const saved = { reply: DeptRow, message: '部门已保存' };
const path = '/api/accounts/depts/{id}/';

export const depts = {
  list: call({
    method: 'GET',
    path: '/api/accounts/depts/',
    access: grant('Retrieve', 'system/dept'),
    summary: '查看部门',
    query: listQuery({
      sort: ['order_id', 'name', 'gmt_created'],
      filters: {
        /** 0: those at the top. */
        parent: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
        type: z.coerce.number().int().min(1).max(4).optional(),
        status: flag.optional(),
      },
    }),
    reply: listOf(DeptRow),
  }),
  create: call({
    method: 'POST',
    path: '/api/accounts/depts/',
    access: grant('Create', 'system/dept'),
    summary: '新增部门',
    body: DeptInput,
    ...saved,
    message: '部门已新增',
  }),
  get: call({
    method: 'GET',
    path,
    access: grant('Retrieve', 'system/dept'),
    summary: '查看部门详情',
    params: idParams,
    reply: DeptRow,
    fresh: true,
  }),
  replace: call({
    method: 'PUT',
    path,
    access: grant('Update', 'system/dept'),
    summary: '编辑部门',
    params: idParams,
    body: DeptInput.extend({ version }),
    ...saved,
  }),
  update: call({
    method: 'PATCH',
    path,
    access: grant('Update', 'system/dept'),
    summary: '修改部门',
    params: idParams,
    body: DeptInput.partial().extend({ version }),
    ...saved,
  }),
  move: moveCall({ prefix: '/api/accounts/depts/', noun: '部门', access: grant('Update', 'system/dept') }),
  remove: call({
    method: 'DELETE',
    path,
    access: grant('Delete', 'system/dept'),
    summary: '删除部门',
    params: idParams,
    reply: done,
    message: '部门已删除',
  }),
};
