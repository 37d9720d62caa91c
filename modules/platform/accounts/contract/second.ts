import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { done, sixDigits, typedCode } from '#kernel/contract/shapes.ts';

/** The step that a session still needs: a code, or first the setup of an authenticator app. */
export const secondSteps = ['code', 'enrol'] as const;
export type SecondStep = (typeof secondSteps)[number];

export const recoveryCodes = 10;

export const wrongSecondCode = refusal(
  codes.refused,
  () => '动态码不正确或已使用过，请等验证器显示下一个再填写，并核对手机时间',
);
export const wrongRecoveryCode = refusal(codes.refused, () => '恢复码不正确或已使用过，请换一个未使用的');
export const enrolledAlready = refusal(codes.notNow, () => '已开启二次验证，需要更换验证器时请先关闭');
export const notEnrolled = refusal(codes.notNow, () => '还没有绑定验证器，请先扫描二维码');
export const secondNeeded = refusal(codes.refused, () => '单位要求您的账号使用二次验证，不能关闭');
export const nothingOwed = refusal(codes.notNow, () => '本次登录已完成验证，无需再次验证');
export const passwordAsked = refusal(codes.refused, () => '请填写登录密码，以确认是本人操作');

const code = typedCode.min(1, unfilled).max(30).meta({ title: '动态码或恢复码' });
const app = sixDigits('请输入验证器显示的 6 位数字').meta({ title: '动态码' });
const codesReply = z.object({ codes: z.array(z.string()) });

export const secondCalls = {
  second: call({
    method: 'GET',
    path: '/api/accounts/second/',
    access: signedIn,
    beforeSecondStep: true,
    beforeNewPassword: true,
    summary: '我的二次验证',
    /** `owed`: the step that this session still needs; `left`: unused recovery codes. */
    reply: z.object({
      owed: z.enum(secondSteps).nullable(),
      enrolled: z.boolean(),
      required: z.boolean(),
      left: z.number().int(),
    }),
    fresh: true,
  }),
  beginSecond: call({
    method: 'POST',
    path: '/api/accounts/second/begin/',
    access: signedIn,
    settles: 'second',
    summary: '开始绑定验证器',
    body: z.object({ password: z.string().max(128).optional().meta({ title: '登录密码' }) }),
    /** `qr`: a picture as a data address. */
    reply: z.object({ secret: z.string(), qr: z.string() }),
    shownOnce: true,
  }),
  confirmSecond: call({
    method: 'POST',
    path: '/api/accounts/second/confirm/',
    access: signedIn,
    settles: 'second',
    summary: '开启二次验证',
    body: z.object({ code: app }),
    reply: codesReply,
    message: '二次验证已开启，其他设备上的登录已退出',
    shownOnce: true,
  }),
  proveSecond: call({
    method: 'POST',
    path: '/api/accounts/second/prove/',
    access: signedIn,
    settles: 'second',
    summary: '二次验证',
    body: z.object({ code }),
    reply: done,
    message: '验证通过',
  }),
  renewCodes: call({
    method: 'POST',
    path: '/api/accounts/second/codes/',
    access: signedIn,
    summary: '重新生成恢复码',
    body: z.object({ code: app }),
    reply: codesReply,
    message: '恢复码已重新生成，原有的已失效',
    shownOnce: true,
  }),
  endSecond: call({
    method: 'POST',
    path: '/api/accounts/second/end/',
    access: signedIn,
    summary: '关闭二次验证',
    body: z.object({ code: app }),
    reply: done,
    message: '二次验证已关闭',
  }),
  protection: call({
    method: 'GET',
    path: '/api/accounts/protection/',
    access: grant('Retrieve', 'system/login'),
    summary: '等保自查',
    reply: z.object({
      on: z.boolean(),
      value: z.array(z.object({ title: z.string(), demand: z.string(), now: z.string(), met: z.boolean() })),
    }),
    fresh: true,
  }),
};
