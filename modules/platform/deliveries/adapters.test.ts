import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutgoing, NotAllowed, type Outgoing } from '#kernel/server/outside/outgoing.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { hookAdapter } from './adapters/hook.ts';
import { mailAdapter } from './adapters/mail.ts';
import { robotAdapter } from './adapters/robots.ts';
import { Undeliverable } from './service.ts';
import { openPost, openReceiver, type Post, type Receiver } from './testing/receiver.ts';
import { signature } from './signing.ts';

const secretBox = createSecretBox('s'.repeat(48));
const now = () => new Date('2026-03-01T08:00:00Z');
const seconds = String(now().getTime() / 1000);
let receiver: Receiver;
let postOffice: Post;
let outgoing: Outgoing;
beforeAll(async () => {
  receiver = await openReceiver();
  postOffice = await openPost();
  outgoing = createOutgoing({ allow: ['127.0.0.1'] });
});
beforeEach(() => {
  receiver.letters.length = 0;
  receiver.answer = { status: 200, body: '{"errcode":0,"code":0,"errmsg":"ok"}' };
});
afterAll(async () => {
  await outgoing.close();
  receiver.close();
  postOffice.close();
});
const ports = () => ({ outgoing, secretBox, now });
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: Error) => error,
  );
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');

describe('a web hook', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const delivery = () => ({
    key: 'ticket:1:done',
    target: `${receiver.url}in`,
    title: '已办结',
    body: { payload: { type: 'ticket.approved', id: 1 }, secret: secretBox.seal(secret) },
  });

  test('is signed as the Standard Webhooks specification says', async () => {
    const example = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(signature(secret, example)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    await hookAdapter(ports()).send(delivery());
    const [letter] = receiver.letters;
    expect(letter).toMatchObject({ path: '/in', body: '{"type":"ticket.approved","id":1}' });
    expect(letter!.headers).toMatchObject({
      'webhook-id': 'ticket:1:done',
      'idempotency-key': 'ticket:1:done',
      'webhook-timestamp': seconds,
      'webhook-signature': signature(secret, `ticket:1:done.${seconds}.${letter!.body}`),
    });
  });

  test('is retried after a fault, but not when the receiver is gone for good', async () => {
    receiver.answer.status = 500;
    const fault = await failure(hookAdapter(ports()).send(delivery()));
    expect(fault).not.toBeInstanceOf(Undeliverable);
    expect(fault?.message).toMatch(/500/);
    receiver.answer.status = 410;
    expect(await failure(hookAdapter(ports()).send(delivery()))).toBeInstanceOf(Undeliverable);
  });

  test('is not sent to internal addresses', async () => {
    const closed = createOutgoing({ allow: [] });
    const adapter = hookAdapter({ ...ports(), outgoing: closed });
    expect(await failure(adapter.send(delivery()))).toBeInstanceOf(NotAllowed);
    await closed.close();
    expect(receiver.letters).toEqual([]);
  });
});

describe('a group robot', () => {
  let origin: string | null = 'https://oa.example';
  const say = (kind: 'wecom' | 'dingtalk' | 'feishu', body: object) =>
    robotAdapter(kind, { ...ports(), publicUrl: () => origin }).send({
      key: 'k',
      target: `${receiver.url}?key=1`,
      title: '待办',
      body,
    });
  const said = () => JSON.parse(receiver.letters.at(-1)!.body) as Record<string, unknown>;

  test('of WeCom sends text, markdown or a card', async () => {
    await say('wecom', { text: '请办理' });
    expect(said()).toEqual({ msgtype: 'text', text: { content: '待办\n请办理' } });
    await say('wecom', { text: '请办理', markdown: '**请办理**' });
    expect(said()).toEqual({ msgtype: 'markdown', markdown: { content: '**请办理**' } });
    await say('wecom', { text: '请办理', path: '/1' });
    expect(said()).toMatchObject({
      msgtype: 'template_card',
      template_card: {
        main_title: { title: '待办' },
        card_action: { type: 1, url: 'https://oa.example/1' },
        jump_list: [{ type: 1, title: '查看', url: 'https://oa.example/1' }],
      },
    });
    origin = null;
    await say('wecom', { text: '请办理', path: '/1' });
    expect(said()).toEqual({ msgtype: 'text', text: { content: '待办\n请办理' } });
    origin = 'https://oa.example';
  });

  test('of DingTalk has its address signed, and user text stays plain text', async () => {
    const secret = secretBox.seal('SEC1');
    await say('dingtalk', { text: '[点我](http://evil.example)', path: '/1', secret });
    const at = String(now().getTime());
    const { searchParams } = new URL(receiver.letters[0]!.path, receiver.url);
    expect(Object.fromEntries(searchParams)).toEqual({ key: '1', timestamp: at, sign: hmac('SEC1', `${at}\nSEC1`) });
    expect(said()).toMatchObject({ msgtype: 'actionCard', actionCard: { singleURL: 'https://oa.example/1' } });
    expect(JSON.stringify(said())).not.toContain('[点我](');
  });

  test('of Feishu has its message signed', async () => {
    await say('feishu', { text: '请办理', path: '/1', secret: secretBox.seal('S2') });
    expect(said()).toMatchObject({
      timestamp: seconds,
      sign: hmac(`${seconds}\nS2`, ''),
      msg_type: 'interactive',
      card: {
        header: { title: { content: '待办' } },
        elements: [{ tag: 'div' }, { tag: 'action', actions: [{ tag: 'button', url: 'https://oa.example/1' }] }],
      },
    });
    await say('feishu', { text: '请办理' });
    expect(said()).toEqual({ msg_type: 'text', content: { text: '待办\n请办理' } });
  });

  test('that is too busy is retried, and one with an unknown address is not', async () => {
    receiver.answer.body = '{"errcode":45009,"errmsg":"api freq out of limit"}';
    expect(await failure(say('wecom', { text: '' }))).not.toBeInstanceOf(Undeliverable);
    receiver.answer.body = '{"errcode":93000,"errmsg":"invalid webhook url"}';
    expect(await failure(say('wecom', { text: '' }))).toBeInstanceOf(Undeliverable);
    receiver.answer.body = '<html>';
    expect((await failure(say('feishu', { text: '' })))?.message).toMatch(/对方回答 200/);
  });
});

describe('mail', () => {
  const adapter = (mail: Record<string, string>, by: Outgoing = outgoing) => {
    const settings = { get: async () => ({ mail }) } as unknown as Settings;
    return mailAdapter({ settings, secretBox, outgoing: by });
  };
  const server = () => ({ host: '127.0.0.1', port: String(postOffice.port), from: '工单系统 <oa@school.example>' });
  const delivery = (target: string) => ({ key: 'mail:1', target, title: '待办：报修', body: { text: '请办理' } });

  test('has the same Message-ID at every attempt', async () => {
    for (let time = 0; time < 2; time++) await adapter(server()).send(delivery('someone@school.example'));
    const [first] = postOffice.letters;
    expect(first).toMatchObject({ id: expect.stringMatching(/^<[\da-f]{40}@school\.example>$/), key: 'mail:1' });
    expect(postOffice.letters.map(({ id, key }) => [id, key])).toEqual([1, 2].map(() => [first!.id, 'mail:1']));
  });

  test('carries an encrypted code, and none that is empty or expired', async () => {
    const now = Math.floor(Date.now() / 1000);
    const body = (code: string, until = now + 300) => ({ text: '验证码 ******', secret: secretBox.seal(code), until });
    const sent = (kept: unknown) =>
      adapter(server()).send({ ...delivery('code@school.example'), key: 'mail:code', body: kept });
    const before = postOffice.letters.length;
    for (const kept of [body(''), body('730514', now - 1)])
      expect(await failure(sent(kept))).toBeInstanceOf(Undeliverable);
    expect(postOffice.letters.length).toBe(before);
    await sent(body('730514'));
    expect(postOffice.letters.length).toBe(before + 1);
  });

  test('without recipient or server is not retried', async () => {
    expect(await failure(adapter(server()).send(delivery('nobody@school.example')))).toBeInstanceOf(Undeliverable);
    expect(await failure(adapter({}).send(delivery('someone@school.example')))).toBeInstanceOf(Undeliverable);
    const closed = { ...server(), port: '1' };
    const failed = await failure(adapter(closed).send(delivery('someone@school.example')));
    expect(failed).not.toBeInstanceOf(Undeliverable);
  });

  test('reports a failure in Chinese, followed by the mail server’s own words', async () => {
    const said = async (mail: Record<string, string>, target: string) =>
      (await failure(adapter(mail).send(delivery(target))))?.message;
    expect(await said({ ...server(), port: '1' }, 'a@x.example')).toMatch(
      /^无法连接邮件服务器 127\.0\.0\.1:1.*（.*ECONNREFUSED/,
    );
    expect(await said(server(), 'busy@school.example')).toMatch(/^邮件服务器暂时不收.*（.*451 later/);
    const signed = { ...server(), user: 'oa', password: secretBox.seal('x') };
    expect(await said(signed, 'a@x.example')).toMatch(/^邮件服务器不接受.*用户名和密码.*（/);
  });

  test('is sent only to servers allowed by the operator, whatever their spelling', async () => {
    const before = postOffice.letters.length;
    const closed = createOutgoing({ allow: [], lookup: async () => ['10.0.0.7'] });
    for (const host of ['127.0.0.1', '::1', 'mail.inside.example', '169.254.169.254']) {
      const failed = await failure(adapter({ ...server(), host }, closed).send(delivery('a@x.example')));
      expect(failed).toBeInstanceOf(Undeliverable);
      expect(failed!.message).toMatch(/^邮件没有发出：不允许访问 .*OUTGOING_ALLOW/);
    }
    const named = createOutgoing({ allow: ['127.0.0.1'], lookup: async () => ['127.0.0.1'] });
    await adapter({ ...server(), host: 'mail.inside.example' }, named).send(delivery('a@x.example'));
    expect(postOffice.letters.length).toBe(before + 1);
    await Promise.all([closed.close(), named.close()]);
  });

  test('says nothing to a server that offers encryption and then refuses it', async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.write('220 post\r\n');
      socket
        .on('error', () => undefined)
        .on('data', (part) => {
          heard.push(part.toString().trim());
          socket.write(part.toString().startsWith('EHLO') ? '250-post\r\n250 STARTTLS\r\n' : '454 not now\r\n');
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const mail = { host: '127.0.0.1', port: String((server.address() as AddressInfo).port), from: 'oa@school.example' };
    const failed = await failure(adapter(mail).send(delivery('a@x.example')));
    expect(failed!.message).toMatch(/^无法与邮件服务器 .* 建立加密连接/);
    expect(heard.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
    server.close();
  });

  test('goes to one address, and header injection is impossible', async () => {
    const before = postOffice.letters.length;
    for (const target of ['a@x.example, b@y.example', 'a@x.example\r\nBcc: c@z.example', '<a@x.example>'])
      expect(await failure(adapter(server()).send(delivery(target)))).toBeInstanceOf(Undeliverable);
    expect(postOffice.letters.length).toBe(before);
  });
});
