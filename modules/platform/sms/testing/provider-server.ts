import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answering } from '#modules/platform/deliveries/testing/receiver.ts';

export interface Heard {
  provider: 'aliyun' | 'tencent';
  signed: boolean;
  mobile: string;
  sign: string;
  template: string;
  params: unknown;
  key: string;
}
export interface Reply {
  status?: number;
  body: unknown;
}

export interface Query {
  action: string;
  mobile: string;
  signed: boolean;
}

export interface ProviderServer extends Answering<Heard> {
  heard: Heard[];
  queries: Query[];
  /** Results by the providers' id of a message; unknown if missing. */
  fates: Map<string, 'delivered' | 'failed'>;
  /** The providers' next replies; success if empty. */
  answers: Reply[];
  /** The settings of a channel that uses this server. */
  account(provider: string, values?: object): { provider: string } & Record<string, string>;
  close(): void;
}

const key = 'AKIDtest';
export const secret = 'a-secret-of-the-provider';

/** A server that replies as the documentation of the two providers says, checking every signature. */
export async function openProviderServer(): Promise<ProviderServer> {
  const heard: Heard[] = [];
  const queries: Query[] = [];
  const fates: ProviderServer['fates'] = new Map();
  const answers: Reply[] = [];
  let serial = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    // The client left before the whole request arrived.
    if (body === null) return;
    const asked = request.headers['x-tc-action'] ? fromTencent(request, body) : fromAliyun(request);
    const { status = 200, body: said } = answer(request, body, asked);
    await provider.hold();
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(said), () => !request.socket.destroyed && provider.answered.add(asked));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answer(request: IncomingMessage, body: string, asked: Heard): Reply {
    const action = header(request, 'x-tc-action') || header(request, 'x-acs-action');
    if (action !== 'SendSms')
      return asked.signed
        ? fate(request, action, body, asked)
        : { status: 403, body: { Code: 'SignatureDoesNotMatch' } };
    heard.push(asked);
    const next = answers.shift();
    if (next) return next;
    if (!asked.signed) return { status: 403, body: { Code: 'SignatureDoesNotMatch', Message: '签名不符' } };
    serial += 1;
    return asked.provider === 'aliyun'
      ? { body: { Code: 'OK', Message: 'OK', BizId: `biz-${serial}`, RequestId: 'r' } }
      : {
          body: {
            Response: {
              SendStatusSet: [{ Code: 'Ok', Message: 'send success', SerialNo: `serial-${serial}` }],
              RequestId: 'r',
            },
          },
        };
  }

  /** The replies of QuerySendDetails and PullSmsSendStatusByPhoneNumber by their documentation. */
  function fate(request: IncomingMessage, action: string, body: string, { signed }: Heard): Reply {
    if (action === 'QuerySendDetails') {
      const asked = new URL(request.url ?? '', 'http://provider').searchParams;
      const mobile = asked.get('PhoneNumber') ?? '';
      queries.push({ action, mobile, signed });
      if (!/^\d{8}$/.test(asked.get('SendDate') ?? '') || !asked.get('PageSize') || !asked.get('CurrentPage'))
        return { status: 400, body: { Code: 'isv.INVALID_PARAMETERS', Message: '参数错误' } };
      const known = fates.get(asked.get('BizId') ?? '');
      const detail = {
        ErrCode: known === 'failed' ? 'MK:0001' : known ? 'DELIVERED' : '',
        ReceiveDate: known ? '2026-11-21 09:30:00' : '',
        SendStatus: known === 'failed' ? 2 : known ? 3 : 1,
        PhoneNum: mobile,
      };
      return { body: { Code: 'OK', Message: 'OK', TotalCount: 1, SmsSendDetailDTOs: { SmsSendDetailDTO: [detail] } } };
    }
    const asked = JSON.parse(body) as { PhoneNumber: string; BeginTime: number; EndTime: number };
    queries.push({ action, mobile: asked.PhoneNumber, signed });
    const now = Date.now() / 1000;
    if (!(asked.BeginTime < now && asked.BeginTime > now - 7 * 86_400 && asked.EndTime <= now + 60))
      return {
        body: { Response: { Error: { Code: 'InvalidParameterValue.BeginTimeVerifyFail', Message: '时间错误' } } },
      };
    const known = [...fates].filter(([id]) => id.startsWith('serial-'));
    const set = known.map(([SerialNo, how]) => ({
      UserReceiveTime: 1_795_224_600,
      CountryCode: '86',
      SubscriberNumber: asked.PhoneNumber.slice(3),
      PhoneNumber: asked.PhoneNumber,
      SerialNo,
      ReportStatus: how === 'failed' ? 'FAIL' : 'SUCCESS',
      Description: how === 'failed' ? 'UNDELIV' : 'DELIVRD',
    }));
    return { body: { Response: { PullSmsSendStatusSet: set, RequestId: 'r' } } };
  }

  const provider: ProviderServer = {
    heard,
    queries,
    fates,
    answers,
    hold: async () => undefined,
    answered: new Set(),
    account: (name, values = {}) => ({
      provider: name,
      url,
      key,
      secret,
      sign: '中枢',
      app: '1400006666',
      template: 'GENERAL_1',
      ...values,
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

const hex = (value: string) => createHash('sha256').update(value).digest('hex');
const hmac = (by: string | Buffer, value: string) => createHmac('sha256', by).update(value).digest();
const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '');

/** The check from the documentation "V3 request structure and signature": rebuilt from the received request. */
function fromAliyun(request: IncomingMessage): Heard {
  const asked = new URL(request.url ?? '', 'http://provider');
  const names = /SignedHeaders=([^,]+)/.exec(header(request, 'authorization'))?.[1]?.split(';') ?? [];
  const query = [...asked.searchParams]
    .map(([name, value]) => [name, value].map(encoded).join('='))
    .toSorted()
    .join('&');
  const headers = names.map((name) => `${name}:${header(request, name)}\n`).join('');
  const canonical = ['POST', '/', query, headers, names.join(';'), header(request, 'x-acs-content-sha256')].join('\n');
  const signature = hmac(secret, `ACS3-HMAC-SHA256\n${hex(canonical)}`).toString('hex');
  const wanted = `ACS3-HMAC-SHA256 Credential=${key},SignedHeaders=${names.join(';')},Signature=${signature}`;
  const needed = [
    'host',
    'x-acs-action',
    'x-acs-content-sha256',
    'x-acs-date',
    'x-acs-signature-nonce',
    'x-acs-version',
  ];
  const fresh = Math.abs(Date.parse(header(request, 'x-acs-date')) - Date.now()) < 900_000;
  const get = (name: string) => asked.searchParams.get(name) ?? '';
  return {
    provider: 'aliyun',
    signed:
      header(request, 'authorization') === wanted &&
      needed.every((name) => names.includes(name)) &&
      /^(SendSms|QuerySendDetails)$/.test(header(request, 'x-acs-action')) &&
      header(request, 'x-acs-content-sha256') === hex('') &&
      fresh,
    mobile: get('PhoneNumbers'),
    sign: get('SignName'),
    template: get('TemplateCode'),
    params: JSON.parse(get('TemplateParam') || '{}') as unknown,
    key: get('OutId'),
  };
}
const encoded = (value: string) =>
  [...Buffer.from(value)]
    .map((byte) =>
      /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

/** The check from the documentation "Signature method v3": keys derived by day, service and request. */
function fromTencent(request: IncomingMessage, body: string): Heard {
  const seconds = Number(header(request, 'x-tc-timestamp'));
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const headers = `content-type:${header(request, 'content-type')}\nhost:${header(request, 'host')}\nx-tc-action:${header(request, 'x-tc-action').toLowerCase()}\n`;
  const names = 'content-type;host;x-tc-action';
  const canonical = `POST\n/\n\n${headers}\n${names}\n${hex(body)}`;
  const stringToSign = `TC3-HMAC-SHA256\n${seconds}\n${day}/sms/tc3_request\n${hex(canonical)}`;
  const signature = hmac(hmac(hmac(hmac(`TC3${secret}`, day), 'sms'), 'tc3_request'), stringToSign).toString('hex');
  const wanted = `TC3-HMAC-SHA256 Credential=${key}/${day}/sms/tc3_request, SignedHeaders=${names}, Signature=${signature}`;
  const asked = JSON.parse(body) as Record<string, never>;
  return {
    provider: 'tencent',
    signed:
      header(request, 'authorization') === wanted &&
      header(request, 'x-tc-version') === '2021-01-11' &&
      asked['SmsSdkAppId'] === '1400006666' &&
      Math.abs(seconds * 1000 - Date.now()) < 300_000,
    mobile: asked['PhoneNumberSet']?.[0] ?? '',
    sign: asked['SignName'] as unknown as string,
    template: asked['TemplateId'] as unknown as string,
    params: asked['TemplateParamSet'],
    key: asked['SessionContext'] as unknown as string,
  };
}
