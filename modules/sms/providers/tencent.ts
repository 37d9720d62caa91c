import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Outgoing } from '#kernel/server/outgoing.ts';
import { jsonOf, Refused, type Provider, type ProviderAccount } from './provider.ts';

const algorithm = 'TC3-HMAC-SHA256';
const type = 'application/json; charset=utf-8';
const hopeless =
  /^(FailedOperation\.PhoneNumberInBlacklist|InvalidParameterValue\.IncorrectPhoneNumber|UnsupportedOperation\.)/;
const Status = z.object({ Code: z.string(), Message: z.string().default(''), SerialNo: z.string().default('') });
const Reply = z.object({
  Response: z.object({
    Error: z.object({ Code: z.string(), Message: z.string().default('') }).optional(),
    SendStatusSet: z.array(Status).default([]),
  }),
});

/** Tencent Cloud short messages: action SendSms of 2021-01-11, signature V3. */
export function tencent(account: ProviderAccount, outgoing: Outgoing, now = () => new Date()): Provider {
  const { origin, host } = new URL(account.url || 'https://sms.tencentcloudapi.com');
  return {
    async send({ key, mobile, sign, template, params }) {
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${mobile}`],
        SmsSdkAppId: account.app,
        SignName: sign,
        TemplateId: template,
        TemplateParamSet: Object.values(params),
        SessionContext: key,
      });
      const seconds = Math.floor(now().getTime() / 1000);
      const answered = await outgoing.request(`${origin}/`, {
        method: 'POST',
        headers: {
          authorization: signatureOf(account, host, body, seconds),
          'content-type': type,
          'x-tc-action': 'SendSms',
          'x-tc-version': '2021-01-11',
          'x-tc-region': 'ap-guangzhou',
          'x-tc-timestamp': String(seconds),
        },
        body,
      });
      const reply = Reply.safeParse(jsonOf(answered.body));
      if (!reply.success) throw new Refused(`腾讯云短信答复异常（${answered.status}）`, false);
      const { Error: wrong, SendStatusSet } = reply.data.Response;
      const told = wrong ?? SendStatusSet[0] ?? { Code: 'Empty', Message: '没有发送结果' };
      if (told.Code !== 'Ok')
        throw new Refused(`腾讯云短信：${told.Message || told.Code}（${told.Code}）`, hopeless.test(told.Code));
      return { id: SendStatusSet[0]?.SerialNo ?? '', answer: told.Message };
    },
  };
}

function signatureOf({ key, secret }: ProviderAccount, host: string, body: string, seconds: number): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const scope = `${day}/sms/tc3_request`;
  const names = 'content-type;host;x-tc-action';
  const lines = `content-type:${type}\nhost:${host}\nx-tc-action:sendsms\n`;
  const asked = ['POST', '/', '', lines, names, sha256(body)].join('\n');
  const dayKey = hmac(`TC3${secret}`, day);
  const signingKey = hmac(hmac(dayKey, 'sms'), 'tc3_request');
  const signature = hmac(signingKey, `${algorithm}\n${seconds}\n${scope}\n${sha256(asked)}`).toString('hex');
  return `${algorithm} Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
