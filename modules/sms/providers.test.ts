import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/settings/contract.ts';
import { sms } from './contract.ts';
import { smsLogTable } from './tables.ts';

interface Heard {
  provider: 'aliyun' | 'tencent';
  signed: boolean;
  mobile: string;
  sign: string;
  template: string;
  params: unknown;
  key: string;
}
interface Reply {
  status?: number;
  body: unknown;
}

const key = 'AKIDtest';
const secret = 'a-secret-of-the-provider';
const heard: Heard[] = [];
/** What the providers answer next; success when empty. */
const answers: Reply[] = [];
let provider: Server;
let url: string;
let office: TestOffice;
let sender: Client;

beforeAll(async () => {
  provider = createServer((request, response) => {
    void answer(request).then(({ status = 200, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  office = await openTestOffice({ outgoingAllow: ['127.0.0.1'] });
  sender = await office.signIn('admin');
});
afterAll(async () => {
  await office.close();
  provider.close();
});

const account = (name: string, values: object = {}) => ({
  provider: name,
  url,
  key,
  secret,
  sign: '中枢',
  app: '1400006666',
  template: 'GENERAL_1',
  ...values,
});
const use = (main: object, backup: object = { provider: '' }) =>
  office.admin.get(settings.saveInterfaces, {
    body: { sms: main, sms_backup: backup, sms_rules: { quiet: '00:00-00:00' } } as never,
  });
const soon = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 8000, interval: 30 });
const rowOf = async (batch: number) =>
  (await office.db.select().from(smsLogTable).where(eq(smsLogTable.batchId, batch)))[0]!;

test('Aliyun gets the message signed as it documents, with the key of the delivery', async () => {
  await use(account('aliyun'));
  await soon(async () => {
    heard.length = 0;
    const sent = await sender.get(sms.send, { body: { mobiles: '13800000001', content: '开会 (9 点)!*' } });
    await soon(async () =>
      expect(await rowOf(sent.batch_id)).toMatchObject({ state: 1, providerCode: 'biz-1', providerMessage: 'OK' }),
    );
    const row = await rowOf(sent.batch_id);
    expect(heard).toEqual([
      {
        provider: 'aliyun',
        signed: true,
        mobile: '13800000001',
        sign: '中枢',
        template: 'GENERAL_1',
        params: { content: '开会 (9 点)!*' },
        key: `sms:${row.id}:0`,
      },
    ]);
  });
});

test('Tencent gets the places of its own template in their order, signed as it documents', async () => {
  const template = await sender.get(sms.addTemplate, {
    body: { code: 'exam', name: '考试', content: '{course}在{room}考试', type: 2, provider_template_id: '7788' },
  });
  await use(account('tencent'));
  await soon(async () => {
    heard.length = 0;
    const sent = await sender.get(sms.send, {
      body: { mobiles: '13800000002', template_id: template.id!, params: { room: '3-101', course: '高数' } },
    });
    await soon(async () => expect(await rowOf(sent.batch_id)).toMatchObject({ state: 1, providerCode: 'serial-1' }));
    expect(heard[0]).toMatchObject({
      provider: 'tencent',
      signed: true,
      mobile: '+8613800000002',
      sign: '中枢',
      template: '7788',
      params: ['高数', '3-101'],
    });
  });
});

test('a number the provider never serves fails at once, and the record says why', async () => {
  await use(account('aliyun'));
  await soon(async () => {
    answers.length = 0;
    answers.push({ status: 400, body: { Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '号码不合法' } });
    const sent = await sender.get(sms.send, { body: { mobiles: '13800000003', content: '一' } });
    await soon(async () =>
      expect(await rowOf(sent.batch_id)).toMatchObject({
        state: 3,
        retry: 0,
        providerMessage: expect.stringContaining('号码不合法') as string,
      }),
    );
  });
});

test('what fails is tried twice more by the channels in their order, with the same key', async () => {
  await use(account('aliyun'), account('tencent', { sign: '备用' }));
  const busy = { status: 503, body: { Code: 'ServiceUnavailable', Message: '繁忙' } };
  await soon(async () => {
    heard.length = 0;
    answers.length = 0;
    answers.push(busy);
    const sent = await sender.get(sms.send, { body: { mobiles: '13800000004', content: '二' } });
    await soon(async () =>
      expect(await rowOf(sent.batch_id)).toMatchObject({
        state: 0,
        providerMessage: expect.stringContaining('繁忙') as string,
      }),
    );
    for (const [outcome, state] of [
      [{ body: { Response: { Error: { Code: 'InternalError', Message: '内部错误' } } } }, 0],
      [busy, 3],
    ] as const) {
      answers.push(outcome);
      await office.services.databases.pool.query(
        `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = 'delivery:' || $1), now())`,
        [(await rowOf(sent.batch_id)).deliveryId],
      );
      await soon(async () => {
        expect(answers).toEqual([]);
        expect(await rowOf(sent.batch_id)).toMatchObject({ state });
      });
      await soon(async () =>
        expect((await rowOf(sent.batch_id)).providerMessage).toContain(state === 3 ? '繁忙' : '内部错误'),
      );
    }
    expect(heard.map((one) => one.provider)).toEqual(['aliyun', 'tencent', 'aliyun']);
    expect(new Set(heard.map((one) => one.key)).size).toBe(1);
    expect(heard.every((one) => one.signed)).toBe(true);
    expect((await rowOf(sent.batch_id)).retry).toBe(2);
  });
});

test('the keys of a provider are sealed and never shown', async () => {
  const { value } = await office.admin.get(settings.interfaces);
  expect(value['sms']).toMatchObject({ key: '******', secret: '******' });
  const { rows } = await office.services.databases.pool.query<{ text: string }>(
    'select value::text as text from setting',
  );
  for (const row of rows) expect(row.text).not.toContain(secret);
});

async function answer(request: IncomingMessage): Promise<Reply> {
  const body = await text(request);
  const asked = request.headers['x-tc-action'] ? fromTencent(request, body) : fromAliyun(request);
  heard.push(asked);
  const next = answers.shift();
  if (next) return next;
  if (!asked.signed) return { status: 403, body: { Code: 'SignatureDoesNotMatch', Message: '签名不符' } };
  return asked.provider === 'aliyun'
    ? { body: { Code: 'OK', Message: 'OK', BizId: 'biz-1', RequestId: 'r' } }
    : {
        body: {
          Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success', SerialNo: 'serial-1' }], RequestId: 'r' },
        },
      };
}

const hex = (value: string) => createHash('sha256').update(value).digest('hex');
const hmac = (by: string | Buffer, value: string) => createHmac('sha256', by).update(value).digest();
const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '');

/** The check of the documentation "V3 request structure and signature": rebuilt from what arrived. */
function fromAliyun(request: IncomingMessage): Heard {
  const asked = new URL(request.url ?? '', url);
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
      header(request, 'x-acs-action') === 'SendSms' &&
      header(request, 'x-acs-content-sha256') === hex('') &&
      fresh,
    mobile: get('PhoneNumbers'),
    sign: get('SignName'),
    template: get('TemplateCode'),
    params: JSON.parse(get('TemplateParam')) as unknown,
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

/** The check of the documentation "Signature method v3": keys derived by day, service and request. */
function fromTencent(request: IncomingMessage, body: string): Heard {
  const seconds = Number(header(request, 'x-tc-timestamp'));
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const headers = `content-type:${header(request, 'content-type')}\nhost:${header(request, 'host')}\nx-tc-action:sendsms\n`;
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
    mobile: asked['PhoneNumberSet']![0],
    sign: asked['SignName'] as unknown as string,
    template: asked['TemplateId'] as unknown as string,
    params: asked['TemplateParamSet'],
    key: asked['SessionContext'] as unknown as string,
  };
}
