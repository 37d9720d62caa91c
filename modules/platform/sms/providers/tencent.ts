import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { jsonOf, Refused, type Provider, type ProviderAccount } from './provider.ts';

const algorithm = 'TC3-HMAC-SHA256';
const type = 'application/json; charset=utf-8';
const hopeless =
  /^(FailedOperation\.PhoneNumberInBlacklist|InvalidParameterValue\.(IncorrectPhoneNumber|ContentLengthLimit|TemplateParameterLengthLimit)|UnsupportedOperation\.)/;
const Failure = z.object({ Code: z.string(), Message: z.string().default('') }).optional();
const Status = z.object({ Code: z.string(), Message: z.string().default(''), SerialNo: z.string().default('') });
const Reply = z.object({ Response: z.object({ Error: Failure, SendStatusSet: z.array(Status).default([]) }) });
const Pulled = z.object({
  SerialNo: z.string(),
  /** Seconds since 1970. */
  UserReceiveTime: z.number(),
  ReportStatus: z.string(),
  Description: z.string().default(''),
});
const Receipts = z.object({
  Response: z.object({ Error: Failure, PullSmsSendStatusSet: z.array(Pulled).default([]) }),
});

/** Tencent Cloud short messages: actions SendSms and PullSmsSendStatusByPhoneNumber of 2021-01-11, signature V3. */
export function tencent(account: ProviderAccount, outgoing: Outgoing, now = () => new Date()): Provider {
  const { origin, host } = new URL(account.url || 'https://sms.tencentcloudapi.com');
  const ask = async (action: string, asked: object) => {
    const body = JSON.stringify({ ...asked, SmsSdkAppId: account.app });
    const seconds = Math.floor(now().getTime() / 1000);
    const answered = await outgoing.request(`${origin}/`, {
      method: 'POST',
      headers: {
        authorization: signatureOf(account, { host, action, body, seconds }),
        'content-type': type,
        'x-tc-action': action,
        'x-tc-version': '2021-01-11',
        'x-tc-region': 'ap-guangzhou',
        'x-tc-timestamp': String(seconds),
      },
      body,
    });
    return { status: answered.status, answered: jsonOf(answered.body) };
  };
  return {
    async send({ key, mobile, sign, template, params }) {
      const { status, answered } = await ask('SendSms', {
        PhoneNumberSet: [`+86${mobile}`],
        SignName: sign,
        TemplateId: template,
        TemplateParamSet: Object.values(params),
        SessionContext: key,
      });
      const reply = Reply.safeParse(answered);
      if (!reply.success) throw new Refused(`腾讯云短信答复异常（${status}）`, false);
      const { Error: wrong, SendStatusSet } = reply.data.Response;
      const sending = wrong ?? SendStatusSet[0] ?? { Code: 'Empty', Message: '没有发送结果' };
      if (sending.Code !== 'Ok')
        throw new Refused(
          `腾讯云短信：${sending.Message || sending.Code}（${sending.Code}）`,
          hopeless.test(sending.Code),
        );
      return { id: SendStatusSet[0]?.SerialNo ?? '', answer: sending.Message };
    },
    // Queried by number: status reports pulled without one are delivered only once, and would be lost if we failed.
    async receipt({ id, mobile, sent }) {
      const { status, answered } = await ask('PullSmsSendStatusByPhoneNumber', {
        BeginTime: Math.floor(momentOf(sent).getTime() / 1000) - 60,
        EndTime: Math.floor(now().getTime() / 1000),
        Offset: 0,
        Limit: 100,
        PhoneNumber: `+86${mobile}`,
      });
      const reply = Receipts.safeParse(answered);
      if (!reply.success || reply.data.Response.Error) throw new Refused(`腾讯云短信回执查询失败（${status}）`, false);
      const sending = reply.data.Response.PullSmsSendStatusSet.find(({ SerialNo }) => SerialNo === id);
      if (!sending) return null;
      return {
        delivered: sending.ReportStatus === 'SUCCESS',
        at: momentText(new Date(sending.UserReceiveTime * 1000)),
        answer: sending.Description,
      };
    },
  };
}

interface Asked {
  host: string;
  action: string;
  body: string;
  seconds: number;
}

function signatureOf({ key, secret }: ProviderAccount, { host, action, body, seconds }: Asked): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const scope = `${day}/sms/tc3_request`;
  const names = 'content-type;host;x-tc-action';
  const lines = `content-type:${type}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  const asked = ['POST', '/', '', lines, names, sha256(body)].join('\n');
  const dayKey = hmac(`TC3${secret}`, day);
  const signingKey = hmac(hmac(dayKey, 'sms'), 'tc3_request');
  const signature = hmac(signingKey, `${algorithm}\n${seconds}\n${scope}\n${sha256(asked)}`).toString('hex');
  return `${algorithm} Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
