import { createHash, createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { jsonOf, Refused, type Provider, type ProviderAccount } from './provider.ts';

const algorithm = 'ACS3-HMAC-SHA256';
const hopeless = /^isv\.(MOBILE_NUMBER_ILLEGAL|BLACK_KEY_CONTROL_LIMIT|INVALID_PARAMETERS|PARAM_LENGTH_LIMIT)$/;
const Reply = z.object({ Code: z.string(), Message: z.string().default(''), BizId: z.string().default('') });
const Detail = z.object({
  SendStatus: z.number(),
  ErrCode: z.string().default(''),
  ReceiveDate: z.string().default(''),
});
const Details = z.object({
  Code: z.string(),
  SmsSendDetailDTOs: z.object({ SmsSendDetailDTO: z.array(Detail).default([]) }).default({ SmsSendDetailDTO: [] }),
});

/** Alibaba Cloud short messages: actions SendSms and QuerySendDetails of 2017-05-25, signature V3. */
export function aliyun(account: ProviderAccount, outgoing: Outgoing, now = () => new Date()): Provider {
  const { origin, host } = new URL(account.url || 'https://dysmsapi.aliyuncs.com');
  const ask = async (action: string, asked: Record<string, string>) => {
    const query = canonicalQuery(asked);
    const headers: Record<string, string> = {
      host,
      'x-acs-action': action,
      'x-acs-content-sha256': sha256(''),
      'x-acs-date': now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
      'x-acs-signature-nonce': randomUUID(),
      'x-acs-version': '2017-05-25',
    };
    const authorization = signatureOf(account, query, headers);
    const { host: _host, ...sent } = headers;
    const { status, body } = await outgoing.request(`${origin}/?${query}`, {
      method: 'POST',
      headers: { ...sent, authorization, accept: 'application/json' },
    });
    return { status, answered: jsonOf(body) };
  };
  return {
    async send({ key, mobile, sign, template, params }) {
      const { status, answered } = await ask('SendSms', {
        OutId: key,
        PhoneNumbers: mobile,
        SignName: sign,
        TemplateCode: template,
        TemplateParam: JSON.stringify(params),
      });
      const reply = Reply.safeParse(answered);
      if (!reply.success) throw new Refused(`阿里云短信答复异常（${status}）`, false);
      const { Code, Message, BizId } = reply.data;
      if (Code !== 'OK') throw new Refused(`阿里云短信：${Message || Code}（${Code}）`, hopeless.test(Code));
      return { id: BizId, answer: Message };
    },
    async receipt({ id, mobile, sent }) {
      const { status, answered } = await ask('QuerySendDetails', {
        BizId: id,
        CurrentPage: '1',
        PageSize: '10',
        PhoneNumber: mobile,
        SendDate: sent.slice(0, 10).replaceAll('-', ''),
      });
      const reply = Details.safeParse(answered);
      if (!reply.success || reply.data.Code !== 'OK') throw new Refused(`阿里云短信回执查询失败（${status}）`, false);
      const [told] = reply.data.SmsSendDetailDTOs.SmsSendDetailDTO;
      if (!told || told.SendStatus === 1) return null;
      return { delivered: told.SendStatus === 3, at: told.ReceiveDate, answer: told.ErrCode };
    },
  };
}

function signatureOf({ key, secret }: ProviderAccount, query: string, headers: Record<string, string>): string {
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]!.trim()}\n`).join('');
  const asked = ['POST', '/', query, lines, names.join(';'), headers['x-acs-content-sha256']].join('\n');
  const signature = createHmac('sha256', secret)
    .update(`${algorithm}\n${sha256(asked)}`)
    .digest('hex');
  return `${algorithm} Credential=${key},SignedHeaders=${names.join(';')},Signature=${signature}`;
}

function canonicalQuery(query: Record<string, string>): string {
  return Object.keys(query)
    .toSorted()
    .map((name) => `${encoded(name)}=${encoded(query[name]!)}`)
    .join('&');
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
