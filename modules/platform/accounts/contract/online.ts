import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, id, idParams, line, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
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

/** The filters by which sessions are found: the same in the list, in the preview and when those that were found are ended. */
const sessionFilter = {
  dept: id.optional().meta({ title: '部门' }),
  way: z.enum(wayNames).optional().meta({ title: '登录方式' }),
  ip: line(45).optional().meta({ title: 'IP 地址' }),
};
/** Strict, because a misspelt filter would otherwise end everybody's sessions. */
export const SessionSearch = z.strictObject({
  ...sessionFilter,
  search_value: line(100).default('').meta({ title: '搜索内容' }),
});
export type SessionSearch = z.output<typeof SessionSearch>;

/** The number of people whom a preview names; further ones are counted. */
export const mostNamed = 10;

/** Open sessions, for those who administer people. */
export const online = {
  list: call({
    method: 'GET',
    path: '/api/accounts/online/',
    access: grant('Retrieve', 'system/online'),
    summary: '查看在线用户',
    query: listQuery({
      sort: ['last_seen', 'gmt_created'],
      filters: sessionFilter,
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
  /** Says what `endAll` would do with the same search. */
  previewEnd: call({
    method: 'GET',
    path: '/api/accounts/online/end_all/',
    access: grant('Delete', 'system/online'),
    summary: '预览批量退出登录',
    query: SessionSearch,
    reply: z.object({
      count: z.number().int(),
      people: z.number().int(),
      /** At most `mostNamed` of the people. */
      names: z.array(z.string()),
      kept: z.number().int(),
      /** At most `mostNamed` of those who stay signed in. */
      kept_names: z.array(z.string()),
    }),
    fresh: true,
  }),
  endAll: call({
    method: 'POST',
    path: '/api/accounts/online/end_all/',
    access: grant('Delete', 'system/online'),
    summary: '批量退出登录',
    body: SessionSearch.extend({
      /** Somebody who signs in through another server has none. */
      password: z.string().max(128, '密码最多 128 位').optional().meta({ title: '登录密码' }),
    }),
    /** `kept`: sessions of people whose rights exceed those of the caller. */
    reply: z.object({ count: z.number().int(), people: z.number().int(), kept: z.number().int() }),
    says: ({ count, people, kept }: { count: number; people: number; kept: number }) =>
      `已退出 ${people} 人的 ${count} 处登录${kept > 0 ? `；另有 ${kept} 人的权限超出您的权限，没有退出` : ''}`,
    logsEach: true,
  }),
};
