import { z } from 'zod';
import { call, everyone, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { done, phone, sixDigits, timestamp } from '#kernel/contract/shapes.ts';
import { LoginReply } from '#modules/platform/accounts/contract.ts';

export const notOpen = refusal(codes.refused, (way: string) => `${way}尚未开放，请使用用户名和密码登录`);
export const noAddress = refusal(
  codes.refused,
  (way: string) => `${way}需要系统的对外地址，请联系管理员设置 PUBLIC_URL 后再试`,
);
export const notThisBrowser = refusal(
  codes.refused,
  () => '本次登录已过期、已使用过，或不是从此浏览器发起，请重新登录',
);
export const providerAway = refusal(
  codes.refused,
  (way: string) => `${way}服务暂时无法访问，请稍后再试，或使用其他方式登录`,
);
export const notVouched = refusal(
  codes.refused,
  (way: string) => `${way}服务没有确认您的身份，请重新登录；多次出现请联系管理员`,
);
export const clocksApart = refusal(
  codes.refused,
  (way: string) => `${way}服务器与本系统的时钟相差超过一分钟，不能登录，请联系管理员为两边的服务器对时`,
);
export const notByName = refusal(codes.refused, () => '内置管理员账号不能通过单点登录进入，请使用用户名和密码登录');
export const boundToOther = refusal(
  codes.refused,
  (number: string) =>
    `工号“${number}”的账号已由单点登录服务中的另一个身份使用，请联系管理员核对；确为本人的，管理员可在用户管理中解除单点登录绑定`,
);
export const boundToClosed = refusal(
  codes.refused,
  () =>
    '您的单点登录身份对应的账号已停用，不能登录，请联系管理员；账号另有其人的，管理员可在用户管理中解除该停用账号的单点登录绑定',
);
export const givenUp = refusal(codes.refused, (way: string) => `${way}已取消，可重新登录或使用其他方式`);
export const unknownNumber = refusal(
  codes.refused,
  (number: string) => `工号“${number}”在本系统中没有账号，请联系管理员开通`,
);
export const severalOfNumber = refusal(
  codes.refused,
  (number: string) => `工号“${number}”对应多个账号，请联系管理员核对`,
);
export const noOneOfPhone = refusal(
  codes.refused,
  (number: string) => `手机号 ${number} 没有对应的在用账号，请联系管理员核对后再绑定`,
);
export const notBound = refusal(codes.refused, () => '没有绑定微信，无需解除');
export const boundElsewhere = refusal(codes.refused, () => '该微信已绑定其他账号，请先用原账号登录');

const wayBack = z.string().max(2000).optional();
const given = (most: number) => z.string().max(most).optional();
const start = z.object({ url: z.string(), state: z.string() });

/** A sign-in replies with the return path requested at its beginning; `/` if that left this site. */
const redirect = z.string();

export const signOn = {
  /** The address for the browser; a cookie binds it to the trip. */
  start: call({
    method: 'GET',
    path: '/api/oauth/login_url/',
    access: everyone,
    summary: '单点登录地址',
    query: z.object({ redirect: wayBack }),
    reply: start,
    writes: true,
    quiet: true,
  }),
  /** Called with everything the provider gave the browser: `code`, `state` and `iss`, or CAS's `ticket` and our `state`, or `error`. */
  finish: call({
    method: 'GET',
    path: '/api/oauth/login/',
    access: everyone,
    summary: '单点登录',
    query: z.object({
      code: given(4000),
      state: given(200),
      ticket: given(300),
      iss: given(500),
      error: given(200),
    }),
    reply: LoginReply.extend({ redirect }),
    writes: true,
    quiet: true,
  }),
  /** Without `code` returns the address for the browser; with it the person, or a token for binding one. */
  wechat: call({
    method: 'GET',
    path: '/api/oauth/wechatlogin/web/',
    access: everyone,
    summary: '微信登录',
    query: z.object({ code: given(500), state: given(200), redirect: wayBack }),
    reply: z.union([
      z.object({
        userinfo: LoginReply.pick({
          alias: true,
          phone: true,
          company: true,
          department: true,
          email: true,
          username: true,
          user_id: true,
        }).extend({ access_token: z.string() }),
        redirect,
      }),
      z.object({ need_bind: z.literal(true), bind_token: z.string() }),
      start,
    ]),
    writes: true,
    quiet: true,
  }),
  bindPhone: call({
    method: 'POST',
    path: '/api/oauth/bind/phone/',
    access: everyone,
    summary: '微信绑定手机号',
    body: z.object({
      bind_token: z.string().max(200),
      phone,
      code: sixDigits('请输入 6 位数字验证码').meta({ title: '验证码' }),
    }),
    reply: LoginReply.extend({ redirect }),
    message: '微信已绑定',
    quiet: true,
    shownOnce: true,
  }),
  /** `open`: true if people may sign in by WeChat here. */
  bound: call({
    method: 'GET',
    path: '/api/oauth/bind/',
    access: signedIn,
    summary: '我绑定的微信',
    reply: z.object({ open: z.boolean(), bound: z.boolean(), gmt_created: timestamp.nullable() }),
    fresh: true,
  }),
  unbind: call({
    method: 'POST',
    path: '/api/oauth/unbind/',
    access: signedIn,
    summary: '解除微信绑定',
    body: z.object({ password: z.string().min(1, unfilled).max(128, '密码最多 128 位').meta({ title: '登录密码' }) }),
    reply: done,
    message: '微信绑定已解除，其他设备上的微信登录已退出',
  }),
};
