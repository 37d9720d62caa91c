import { z } from 'zod';
import { call, everyone, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { done, phone, sixDigits } from '#kernel/contract/shapes.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';

export const noForgotten = refusal(
  codes.refused,
  (way: '手机号' | '邮箱') => `现在不能用${way}找回密码，请联系管理员重置密码`,
);
export const noMail = refusal(codes.refused, () => '还没有设置邮件服务器，验证码无法发出，请联系管理员');
export const mailTaken = refusal(codes.refused, (address: string) => `邮箱 ${address} 已由其他账号验证，请换一个`);

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(100, '最多 100 个字')
  .pipe(z.email('邮箱格式不正确'))
  .meta({ title: '邮箱' });
/** The recipient of a code: a phone number, or a mail address in lower case. */
const target = z
  .string()
  .trim()
  .toLowerCase()
  .max(100, '最多 100 个字')
  .transform((typed) => mobileOf(typed) ?? typed)
  .pipe(z.union([phone, z.email()], '请填写 11 位手机号或邮箱地址'))
  .meta({ title: '手机号或邮箱' });
const code = sixDigits('请输入 6 位数字验证码').meta({ title: '验证码' });
const password = z.string().min(1, unfilled).max(128, '密码最多 128 位');
const challenge = z.string().max(4000).optional();
const sent = z.object({ expire: z.number().int() });

/** Resetting a forgotten password, and the proof it requires. */
export const forgotten = {
  code: call({
    method: 'POST',
    path: '/api/accounts/forgotten/code/',
    access: everyone,
    summary: '发送找回密码的验证码',
    body: z.object({ target, challenge }),
    reply: sent,
    // The reply does not reveal whether such an account exists.
    message: '如果有账号可以这样找回密码，验证码已发送',
  }),
  reset: call({
    method: 'POST',
    path: '/api/accounts/forgotten/',
    access: everyone,
    summary: '找回密码',
    body: z.object({ target, code, new_password: password.meta({ title: '新密码' }), challenge }),
    reply: done,
    message: '密码已修改，请用新密码登录',
    // It writes its own log entry: whose account it was is known only at the end.
    quiet: true,
  }),
  mailCode: call({
    method: 'POST',
    path: '/api/accounts/users/mail_code/',
    access: signedIn,
    summary: '向邮箱发送验证码',
    body: z.object({ email, challenge }),
    reply: sent,
    message: '验证码已发送，请到邮箱查收',
  }),
  confirmMail: call({
    method: 'PUT',
    path: '/api/accounts/users/confirm_mail/',
    access: signedIn,
    summary: '验证我的邮箱',
    body: z.object({ email, code, password: password.meta({ title: '登录密码' }) }),
    reply: done,
    message: '邮箱已验证，可用于找回密码',
  }),
};
