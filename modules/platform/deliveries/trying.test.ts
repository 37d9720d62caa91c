import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { noticeCalls, customNotices, noticeTypes } from '#modules/workflow/workflows/contract/notices.ts';
import { deliveries } from './contract.ts';
import { openPost, openReceiver, type Post, type Receiver } from './testing/receiver.ts';

let app: TestOffice;
let receiver: Receiver;
let post: Post;
let manager: Client;
beforeAll(async () => {
  [app, receiver, post] = await Promise.all([
    openTestApp({ outgoingAllow: ['127.0.0.1'] }),
    openReceiver(),
    openPost(),
  ]);
  manager = await app.clerk({ 'system/interface': ['Update'], 'workflow/notice': ['Update', 'Create', 'Retrieve'] });
});
afterAll(async () => {
  await app.close();
  receiver.close();
  post.close();
});

const sends = (channel: 'sms' | 'mail', target: string, who = app.admin) =>
  who.ask(deliveries.test, { body: { channel, target } });
const becomes = (id: number, state: string) =>
  eventually(async () => {
    const { value } = await app.admin.get(deliveries.list, {});
    expect(value.find((row) => row.id === id)).toMatchObject({ state });
  });

test('a super administrator sends a test mail and text message, and the log shows the outcome', async () => {
  const early = await sends('mail', 'someone@school.example');
  await becomes(early.data.id!, 'given_up');
  await app.admin.get(settings.saveInterfaces, {
    body: { mail: { host: '127.0.0.1', port: String(post.port), from: 'oa@school.example' } } as never,
  });
  await eventually(async () => expect((await app.services.settings.get('interface'))['mail']?.['host']).toBeTruthy());
  const mail = await sends('mail', 'someone@school.example');
  expect(mail.msg).toBe('已提交，结果请在“投递日志”中查看');
  await becomes(mail.data.id!, 'sent');
  expect(post.letters.at(-1)!.text).toContain('To: someone@school.example');
  // No provider is configured, and the log says so.
  await becomes((await sends('sms', '13800000001')).data.id!, 'given_up');
});

test('a test send is refused for a malformed address and to everybody but super administrators', async () => {
  expect((await sends('mail', '13800000001')).msg).toBe('“13800000001”不是邮箱地址，请检查后重新填写');
  expect((await sends('sms', 'a@b.example')).msg).toBe('“a@b.example”不是手机号，请检查后重新填写');
  expect((await sends('mail', 'a@b.example', manager)).msg).toBe('只有超级管理员可以发送测试');
});

test('a group robot is tested with a card that links here, and a disabled one is not tested', async () => {
  const body = { name: '值班群', type_id: noticeTypes.feishu, hook_url: `${receiver.url}robot`, hook_token: 'S1' };
  const id = (await app.admin.get(customNotices.add, { body })).id!;
  const [reader, keeper] = [
    await app.clerk({ 'workflow/notice': ['Retrieve'] }),
    await app.clerk({ 'workflow/notice': ['Retrieve', 'Update'] }),
  ];
  expect((await reader.ask(noticeCalls.testNotice, { params: { id } })).code).toBe(4003);
  const offered = async (who: typeof reader) =>
    (await who.get(customNotices.list)).value.find((row) => row.id === id)?.actions;
  expect([await offered(reader), await offered(keeper)]).toEqual([[], ['update', 'test']]);
  expect((await keeper.ask(noticeCalls.testNotice, { params: { id } })).code).toBe(0);
  await eventually(() => expect(receiver.letters).toHaveLength(1));
  expect(JSON.parse(receiver.letters[0]!.body)).toMatchObject({
    sign: expect.any(String),
    msg_type: 'interactive',
    card: { elements: [{}, { actions: [{ url: `${app.url}/` }] }] },
  });
  await app.admin.get(customNotices.change, { params: { id }, body: { status: 0 } });
  expect((await app.admin.ask(noticeCalls.testNotice, { params: { id } })).msg).toContain('“值班群”已停用');
});
