import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { actions, day, done, id, idParams, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { PersonCard } from './cards.ts';

export const members = {
  list: call({
    method: 'GET',
    path: '/api/accounts/roles/{id}/users/',
    access: grant('Retrieve', 'system/role'),
    summary: '查看角色成员',
    params: idParams,
    query: listQuery({ sort: ['sort', 'username', 'alias'] }),
    /** `until`: the last day on which they hold the role, if it is temporary. */
    reply: listOf(PersonCard.extend({ is_active: z.boolean(), until: z.string().nullable(), actions })),
  }),
  add: call({
    method: 'POST',
    path: '/api/accounts/roles/{id}/users/',
    access: grant('Update', 'system/role'),
    summary: '添加角色成员',
    params: idParams,
    body: z.object({
      user_ids: z.array(id).min(1, '请选择用户').max(100, '一次最多 100 人').meta({ title: '用户' }),
      until: day.optional().meta({ title: '到期日期' }),
    }),
    reply: z.object({ added: z.number().int() }),
    message: '成员已添加，该用户须重新登录',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/accounts/roles/{id}/users/{userId}/',
    access: grant('Update', 'system/role'),
    summary: '移除角色成员',
    params: z.object({ id, userId: id }),
    reply: done,
    message: '成员已移除，该用户须重新登录',
  }),
  leaders: call({
    method: 'GET',
    path: '/api/accounts/roles/xld/',
    aliases: ['/api/accounts/depts/roles/xld/'],
    access: signedIn,
    summary: '领导角色的用户',
    reply: z.array(PersonCard),
  }),
};
