import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { day, line, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';

/** The means of a sign-in or an attempt. */
export const signInHow = ['密码', '手机验证码', '邮箱验证码', '单点登录', '微信', '动态码', '恢复码'] as const;
export type SignInHow = (typeof signInHow)[number];
/** Log actions that concern signing in; each also exists as a failure. */
export const signInActs = ['登录', '二次验证', '找回密码'] as const;
export type SignInAct = (typeof signInActs)[number];
export const failedAct = (act: SignInAct) => `${act}失败`;
/** Field names in an entry for the means, and the reason of a refusal. */
export const signInFields = { how: '方式', reason: '原因' } as const;

const SignInRow = z.object({
  id: z.number().int(),
  gmt_created: timestamp.meta(field('时间')),
  /** Empty for an unknown name. */
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  action: z.string().meta(field('事项')),
  title: z.string().meta(field('内容')),
  how: z.string().meta(field('方式')),
  /** Code of the reply, 0 for success. */
  result: z.number().int().meta(field('结果')),
  reason: z.string().meta(field('原因')),
  ip: z.string().meta(field('IP 地址')),
  device: z.string().meta(field('设备')),
});
export type SignInRow = z.output<typeof SignInRow>;

export const signIns = {
  list: call({
    method: 'GET',
    path: '/api/accounts/log/sign_in/',
    access: grant('Retrieve', 'system/sign_in'),
    summary: '查看登录日志',
    query: listQuery({
      sort: ['id', 'gmt_created'],
      filters: {
        user: line(50).optional().meta({ title: '用户名' }),
        act: z.enum(signInActs).optional().meta({ title: '事项' }),
        how: z.enum(signInHow).optional().meta({ title: '方式' }),
        created_from: day.optional().meta({ title: '开始日期' }),
        created_to: day.optional().meta({ title: '结束日期' }),
        ip: line(45).optional().meta({ title: 'IP 地址' }),
        result: z.enum(['ok', 'denied']).optional().meta({ title: '结果' }),
      },
    }),
    reply: listOf(SignInRow),
    exports: {
      page: 'system/sign_in',
      title: '登录日志',
      columns: sheetColumns(SignInRow.shape, [
        'gmt_created',
        'username',
        'alias',
        'action',
        'how',
        { key: 'result', show: (code: number) => (code === 0 ? '成功' : '被拒绝') },
        'reason',
        'title',
        'ip',
        'device',
      ]),
    },
  }),
};
