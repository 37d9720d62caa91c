import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { signature } from '#modules/platform/deliveries/signing.ts';
import { deliveries } from '#modules/platform/deliveries/contract.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { customNotices, noticeTypes } from '#modules/workflow/workflows/contract/notices.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { tickets } from './contract.ts';

const form = { category: 'network', place: '一号楼 301', urgency: 'urgent', description: '洗手池', amount: 300 };
const [submit, headAgrees] = [2, 3];
const secret = 'shared with the receiver';

let app: TestOffice;
let receiver: Receiver;
let repair: number;
let staff: Client;
let head: Client;
beforeAll(async () => {
  receiver = await openReceiver();
  const school = await openSchool({ outgoingAllow: ['127.0.0.1'] });
  ({ office: app, staff, head } = school);
  repair = await school.flowOf('it_service');
});
beforeEach(() => void (receiver.letters.length = 0));
afterAll(async () => {
  await app.close();
  receiver.close();
});

const notice = async (name: string, type_id: 1 | 2, path: string) => {
  const body = { name, type_id, hook_url: receiver.url + path, hook_token: secret };
  return (await app.admin.get(customNotices.add, { body })).id!;
};
/** A new version of the repair workflow with exactly these notices. */
async function publishWith(notices: number[]): Promise<void> {
  const params = { id: repair };
  const { definition } = await app.admin.get(designCalls.get, { params });
  const settings = { ...definition.settings, notices };
  await app.admin.get(designCalls.change, { params, body: { definition: { ...definition, settings } } });
  await app.admin.get(releaseCalls.publish, { params, body: {} });
}
const begin = async (title: string) =>
  (await staff.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, title, ...form } })).id;

test('a workflow’s webhook receives, signed, what people are told, and so does its group robot', async () => {
  const [hook, robot, off] = [
    await notice('值班系统', noticeTypes.hook, 'hook'),
    await notice('值班群', noticeTypes.wecom, 'robot'),
    await notice('停用的', noticeTypes.hook, 'off'),
  ];
  await app.admin.get(customNotices.change, { params: { id: off }, body: { status: 0 } });
  await publishWith([hook, robot, off]);
  const id = await begin('教学楼漏水');
  await eventually(() => expect(receiver.letters).toHaveLength(2));
  const heard = receiver.letters.find((signedBody) => signedBody.path === '/hook')!;
  expect(JSON.parse(heard.body)).toMatchObject({
    type: 'ticket.todo',
    data: { id, title: '教学楼漏水', state: expect.any(String), people: [expect.stringMatching(/^user/)] },
  });
  const { 'webhook-id': key, 'webhook-timestamp': at, 'webhook-signature': sign } = heard.headers;
  expect(sign).toBe(signature(secret, `${String(key)}.${String(at)}.${heard.body}`));
  const said = receiver.letters.find((signedBody) => signedBody.path === '/robot')!;
  expect(JSON.parse(said.body)).toMatchObject({
    template_card: {
      main_title: { title: '待办：教学楼漏水' },
      card_action: { type: 1, url: `${app.url}/ticket/detail/${id}` },
    },
  });

  await head.get(tickets.handle, { params: { id }, body: { transition_id: headAgrees, suggestion: '同意' } });
  await eventually(() => expect(receiver.letters).toHaveLength(4));
  // The result is recorded a moment after the receiver has it.
  await eventually(async () => {
    const { value } = await app.admin.get(deliveries.list, { query: { channel: 'hook' } });
    expect(value.map(({ module, object_id, state }) => [module, object_id, state])).toEqual([
      ['tickets', id, 'sent'],
      ['tickets', id, 'sent'],
    ]);
  });
});

test('a refused action calls no webhook', async () => {
  const id = await begin('门锁坏了');
  await eventually(() => expect(receiver.letters).toHaveLength(2));
  const asked = { params: { id }, body: { transition_id: headAgrees, suggestion: '同意' } };
  const answers = await Promise.all(Array.from({ length: 4 }, () => head.ask(tickets.handle, asked)));
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
  await eventually(() => expect(receiver.letters).toHaveLength(4));
  const { total } = await app.admin.get(deliveries.list, { query: { search_value: '门锁坏了' } });
  expect(total).toBe(4);
});

test('a calling state posts the form to another system, signed and once, and moves on without an answer', async () => {
  const called = await notice('资产系统', noticeTypes.hook, 'assets');
  const params = { id: repair };
  const { definition } = await app.admin.get(designCalls.get, { params });
  const way = definition.transitions.find((one) => one.id === submit)!;
  const call = (hook: number): typeof definition => ({
    ...definition,
    settings: { ...definition.settings, notices: [] },
    states: [
      ...definition.states,
      {
        ...definition.states.at(-1)!,
        id: 90,
        key: 'assets',
        name: '登记资产',
        kind: 'hook',
        access: {},
        participants: [{ type: 10, hook }],
      },
    ],
    transitions: [
      ...definition.transitions.map((one) => (one === way ? { ...one, destination: 90 } : one)),
      { ...way, id: 90, key: 'on', name: '继续', source: 90, conditions: [] },
    ],
  });
  const publish = async (hook: number) => {
    await app.admin.get(designCalls.change, { params, body: { definition: call(hook) } });
    return app.admin.ask(releaseCalls.publish, { params, body: {} });
  };
  expect(JSON.stringify(await publish(999_999))).toContain(
    '调用的通知方式 999999 不存在、已停用或不是网络钩子，请重新选择',
  );
  expect((await publish(called)).code).toBe(0);
  expect((await app.admin.ask(customNotices.remove, { params: { id: called } })).code).not.toBe(0);
  const id = await begin('投影仪坏了');
  await eventually(() => expect(receiver.letters).toHaveLength(1));
  const [signedBody] = receiver.letters;
  const { 'webhook-id': key, 'webhook-timestamp': at, 'webhook-signature': sign } = signedBody!.headers;
  expect(sign).toBe(signature(secret, `${String(key)}.${String(at)}.${signedBody!.body}`));
  expect(JSON.parse(signedBody!.body)).toMatchObject({
    type: 'ticket.state',
    data: { id, state: '登记资产', title: '投影仪坏了', form: { place: '一号楼 301', amount: 300 } },
  });
  const asked = { params: { id }, body: { transition_id: headAgrees, suggestion: '同意' } };
  expect((await head.ask(tickets.handle, asked)).code).toBe(0);
  const { total } = await app.admin.get(deliveries.list, { query: { search_value: '登记资产' } });
  expect(total).toBe(1);
});
