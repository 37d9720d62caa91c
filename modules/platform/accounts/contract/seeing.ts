import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, id } from '#kernel/contract/shapes.ts';

export const onlySuperSees = refusal(codes.forbidden, () => '以他人权限查看只能由超级管理员使用');
export const seesNobody = refusal(codes.absent, () => '该角色或用户不存在或已停用，请重新选择');
export const keptApart = refusal(
  codes.forbidden,
  (whose: string) => `已启用三员分立，${whose}有系统管理、组织管理或审计的权限，不能以其权限查看`,
);

/** An administrator sees the product with the rights of a role or a person, and can change nothing meanwhile. */
export const seeingCalls = {
  see: call({
    method: 'POST',
    path: '/api/accounts/seeing/',
    access: grant('Retrieve', 'system/role'),
    summary: '以他人权限查看',
    body: z
      .object({ role: id.optional().meta({ title: '角色' }), user: id.optional().meta({ title: '用户' }) })
      .refine(({ role, user }) => (role === undefined) !== (user === undefined), '请选择一个角色或一名用户'),
    reply: done,
    message: '已切换，现在只能查看',
  }),
  endSeeing: call({
    method: 'DELETE',
    path: '/api/accounts/seeing/',
    access: signedIn,
    whileSeeing: true,
    summary: '结束以他人权限查看',
    reply: done,
    message: '已结束查看',
  }),
};
