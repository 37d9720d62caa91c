import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, id, idParams, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';

/** Names of the ways to open a session. */
export const signInWays = { password: '密码', phone: '手机验证码', sso: '单点登录', wechat: '微信' } as const;
export type SignInWay = keyof typeof signInWays;
const wayNames = Object.keys(signInWays) as [SignInWay, ...SignInWay[]];

export const ownSession = refusal(codes.refused, () => '这是您正在使用的登录，请用“退出登录”');
export const nobodyThere = refusal(codes.refused, (alias: string) => `“${alias}”现在没有登录，请刷新列表`);

const SessionOfSomebody = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  dept_name: z.string().meta(field('部门')),
  way: z.enum(wayNames).meta(coded('登录方式', signInWays)),
  /** Its person has not completed the second step yet. */
  half: z.boolean().meta(field('待二次验证')),
  device: z.string().meta(field('设备')),
  ip: z.string().meta(field('IP 地址')),
  gmt_created: timestamp.meta(field('登录时间')),
  last_seen: timestamp.meta(field('最近使用')),
  /** The session that makes the request. */
  current: z.boolean(),
  actions,
});
export type SessionOfSomebody = z.output<typeof SessionOfSomebody>;

/** Open sessions, for those who administer people. */
export const online = {
  list: call({
    method: 'GET',
    path: '/api/accounts/online/',
    access: grant('Retrieve', 'system/online'),
    summary: '查看在线用户',
    query: listQuery({
      sort: ['last_seen', 'gmt_created'],
      filters: {
        dept: id.optional().meta({ title: '部门' }),
        way: z.enum(wayNames).optional().meta({ title: '登录方式' }),
      },
    }),
    reply: listOf(SessionOfSomebody),
    fresh: true,
    exports: {
      page: 'system/online',
      title: '在线用户',
      columns: sheetColumns(SessionOfSomebody.shape, [
        'alias',
        'username',
        'dept_name',
        'way',
        'half',
        'device',
        'ip',
        'gmt_created',
        'last_seen',
      ]),
    },
  }),
  end: call({
    method: 'DELETE',
    path: '/api/accounts/online/{id}/',
    access: grant('Delete', 'system/online'),
    summary: '退出用户的一处登录',
    params: idParams,
    reply: done,
    message: '该处登录已退出',
  }),
  endPerson: call({
    method: 'DELETE',
    path: '/api/accounts/online/person/{id}/',
    access: grant('Delete', 'system/online'),
    summary: '退出一个用户的所有登录',
    params: idParams,
    reply: z.object({ count: z.number().int() }),
    says: ({ count }: { count: number }) => `已退出 ${count} 处登录`,
  }),
  endAll: call({
    method: 'POST',
    path: '/api/accounts/online/end_all/',
    access: grant('Delete', 'system/online'),
    summary: '退出所有用户的登录',
    /** Somebody who signs in through another server has none. */
    body: z.object({ password: z.string().max(128, '密码最多 128 位').optional().meta({ title: '登录密码' }) }),
    /** `kept`: sessions of people whose rights exceed those of the caller. */
    reply: z.object({ count: z.number().int(), people: z.number().int(), kept: z.number().int() }),
    says: ({ count, people, kept }: { count: number; people: number; kept: number }) =>
      `已退出 ${people} 人的 ${count} 处登录${kept > 0 ? `；另有 ${kept} 人的权限超出您的权限，没有退出` : ''}`,
    logsEach: true,
  }),
};
