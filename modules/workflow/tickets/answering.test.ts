import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { signature } from '#modules/platform/deliveries/signing.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import { customNotices } from '#modules/workflow/workflows/contract/notices.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { actOnTimers } from './automation/timers.ts';
import { stop } from './testing/stop.ts';

const secret = 'shared with the asset system';
let app: TestOffice;
let receiver: Receiver;
let [staff, one, admin, stranger]: Client[] = [];
let [done, named] = [0, 0];

beforeAll(async () => {
  [app, receiver] = await Promise.all([openTestApp({ outgoingAllow: ['127.0.0.1'] }), openReceiver()]);
  const dept = await app.dept();
  const clerk = (alias: string) => app.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 });
  [staff, one, admin, stranger] = [await clerk('张三'), await clerk('李四'), await clerk('周九'), await clerk('外人')];
  const body = { name: '资产系统', type_id: 1 as const, hook_url: `${receiver.url}assets`, hook_token: secret };
  const hook = (await app.admin.get(customNotices.add, { body })).id!;
  const way = (id: number, source: number, destination: number, attribute: 1 | 2 | 3, more: object = {}) => ({
    id,
    key: `t${id}`,
    name: attribute === 2 ? '未成功' : '同意',
    source,
    destination,
    attribute,
    ...more,
  });
  const start = { id: 1, key: 'start', name: '填写', kind: 'start' as const, order: 1, access: { title: 3 } as const };
  const approve = {
    id: 3,
    key: 'check',
    name: '验收',
    kind: 'approve' as const,
    order: 3,
    participants: [{ type: 1 as const, user: one!.userId }],
  };
  const end = { id: 4, key: 'end', name: '结束', kind: 'end' as const, order: 4 };
  const fields: DefinitionInput['fields'] = [
    { id: 1, key: 'title', name: '名称', type: 5 },
    { id: 2, key: 'asset_no', name: '资产编号', type: 5 },
    { id: 3, key: 'papers', name: '附件', type: 80 },
  ];
  const flow = (key: string, prefix: string, states: DefinitionInput['states'], more: DefinitionInput['transitions']) =>
    addFlow(app, key, {
      name: key,
      fields,
      settings: { display_form: ['title'], number_rule: { prefix, digits: 4, period: 'day' } },
      states: [start, ...states, end],
      transitions: [way(1, 1, 2, 1), ...more],
    });
  const call = { id: 2, key: 'register', name: '登记资产', kind: 'hook' as const, order: 2, waits: true };
  done = await flow(
    '登记',
    'HA',
    [{ ...call, participants: [{ type: 10, hook }], access: { asset_no: 3, papers: 3, title: 1 } }, approve],
    [way(2, 2, 3, 1), way(3, 2, 1, 2, { timer: 3600 }), way(4, 3, 4, 1)],
  );
  const asked = { ...approve, id: 2, key: 'named', name: '专家评审', order: 2, on_empty: 3 as const };
  named = await flow(
    '评审',
    'HB',
    [{ ...asked, participants: [{ type: 11, hook }], on_empty_users: [admin!.userId] }],
    [way(2, 2, 4, 1)],
  );
  await app.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values(
      [done, named].map((workflow_id) => ({
        workflow_id,
        permission: 'intervene' as const,
        holder_type: 'user' as const,
        holder: String(admin!.userId),
      })),
    ),
  );
}, 180_000);
beforeEach(() => {
  receiver.letters.length = 0;
  receiver.answer = { status: 200, body: '' };
});
afterAll(async () => {
  await app.close();
  receiver.close();
});

interface Question {
  id: number;
  nonce: string;
  path: string;
}
/** Starts a ticket and waits until the other system has received the question. */
async function asked(workflow_id: number, title = randomUUID()): Promise<Question> {
  const { id } = await staff!.get(tickets.start, { body: { workflow_id, transition_id: 1, title } });
  const question = await eventually(() => {
    const signedBody = receiver.letters.map((one) => JSON.parse(one.body).data).find((data) => data.id === id);
    expect(signedBody).toBeDefined();
    return signedBody.answer as Question;
  });
  return { ...question, id };
}
interface Sent {
  key?: string;
  /** Clock difference of the other system in seconds. */
  off?: number;
  headers?: Record<string, string>;
}
/** Sends the other system's answer, signed as our own hooks are. */
async function answers({ nonce, path }: Question, body: object, { key = secret, off = 0, headers }: Sent = {}) {
  const text = JSON.stringify({ nonce, ...body });
  const [id, at] = [randomUUID(), String(Math.floor(Date.now() / 1000) + off)];
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': signature(key, `${id}.${at}.${text}`),
  };
  const response = await app.stranger.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(headers ?? signed) },
    body: text,
  });
  return (await response.json()) as { code: number; msg: string; data: { act_state: number } };
}
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const handler = async (id: number) => (await detail(staff!, id)).participant_info.participant_alias;
const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
async function timers(at: Date): Promise<void> {
  while (await app.services.databases.write((tx) => actOnTimers(tx, at, stop)));
}

describe('a state that waits for another system’s answer', () => {
  test('stays until the signed answer, which may fill in only the permitted fields and counts once', async () => {
    const question = await asked(done);
    // The question may arrive before its delivery is recorded.
    const waiting = await eventually(async () => {
      const seen = await detail(staff!, question.id);
      expect(seen.waits[0]?.why).toBe('等外部系统办完');
      return seen;
    }, 180_000);
    expect([waiting.act_state_id, await handler(question.id)]).toEqual([1, '']);
    expect(waiting.waits).toMatchObject([{ state_name: '登记资产', why: '等外部系统办完', next: '自动“未成功”' }]);
    expect(waiting.waits[0]!.until).toMatch(/^\d{4}-/);
    const wrong = await answers(question, { result: true, field_value: { title: '改名', papers: [1] } });
    expect([wrong.code, wrong.msg]).toEqual([4000, expect.stringContaining('名称')]);
    const yes = { result: true, msg: '已登记', field_value: { asset_no: 'ZC-7' } };
    expect((await answers(question, yes)).code).toBe(0);
    expect(await handler(question.id)).toBe('李四');
    const log = (await staff!.get(tickets.flowlogs, { params: { id: question.id }, query: { ticket_data: true } }))
      .value;
    expect(log.at(-1)).toMatchObject({ intervene_type_id: 9, participant_info: null, suggestion: '已登记' });
    const again = await answers(question, yes);
    expect([again.code, again.msg]).toEqual([4010, expect.stringMatching(/^这次询问已在 .* 回答过，不能重复回答$/)]);
    expect(
      (await one!.ask(tickets.handle, { params: { id: question.id }, body: { transition_id: 4, suggestion: '好' } }))
        .code,
    ).toBe(0);
  });

  test('takes the other transition when the answer reports a failure', async () => {
    const question = await asked(done);
    expect((await answers(question, { result: false, msg: '没有这个型号' })).data.act_state).toBe(2);
    expect(await handler(question.id)).toBe('张三');
  });

  test('refuses an answer without the secret, for another ticket or at a wrong time, with one and the same message', async () => {
    const [question, other] = [await asked(done), await asked(done)];
    const yes = { result: true };
    const tries = [
      await answers(question, yes, { key: 'a guess' }),
      await answers(question, yes, { headers: {} }),
      await answers(question, yes, { off: -301 }),
      await answers(question, yes, { off: 301 }),
      await answers({ ...question, path: other.path }, yes),
      await answers({ ...question, path: '/api/tickets/999999/hook_call_back/' }, yes),
      await answers({ ...question, nonce: 'x'.repeat(32) }, yes),
      await answers(question, yes, { headers: { authorization: `JWT ${app.admin.token}` } }),
    ];
    expect(new Set(tries.map(({ code, msg }) => `${code} ${msg}`))).toEqual(
      new Set(['-1 签名不正确或已过期，或没有这次询问']),
    );
    expect(await handler(question.id)).toBe('');
    expect((await stranger!.ask(tickets.get, { params: { id: question.id } })).code).toBe(4004);
  });

  test('takes its timer’s transition without an answer; an answer that comes after the ticket moved on is refused as late', async () => {
    const [silent, moved] = [await asked(done), await asked(done)];
    await timers(hours(0.9));
    expect(await handler(silent.id)).toBe('');
    const at = { params: { id: moved.id }, body: { state_id: 3, suggestion: '已在别处登记' } };
    expect((await admin!.ask(actions.state, at)).code).toBe(0);
    await timers(hours(1.1));
    expect([await handler(silent.id), await handler(moved.id)]).toEqual(['张三', '李四']);
    for (const question of [silent, moved])
      expect(await answers(question, { result: true })).toMatchObject({
        code: 4010,
        msg: '工单已离开环节“登记资产”，回答来晚了',
      });
  });

  test('when entered a second time accepts only the answer to the second question', async () => {
    const first = await asked(done);
    await answers(first, { result: false });
    receiver.letters.length = 0;
    await staff!.get(tickets.handle, { params: { id: first.id }, body: { transition_id: 1, suggestion: '' } });
    await eventually(() => expect(receiver.letters).toHaveLength(1));
    const second = { ...first, ...(JSON.parse(receiver.letters[0]!.body).data.answer as Question) };
    expect(second.nonce).not.toBe(first.nonce);
    expect((await answers(first, { result: true })).code).toBe(4010);
    expect((await answers(second, { result: true })).code).toBe(0);
  });

  test('does not time out while the ticket is suspended', async () => {
    const question = await asked(done);
    const params = { id: question.id };
    await admin!.get(actions.suspend, { params, body: { suggestion: '等预算' } });
    expect((await answers(question, { result: true })).msg).toBe('工单已挂起，恢复后再回答');
    await admin!.get(actions.resume, { params, body: {} });
    expect((await answers(question, { result: true })).code).toBe(0);
  });

  test('shows undelivered calls on the ticket, and their errors only to people who may intervene', async () => {
    receiver.answer = { status: 500, body: '' };
    const { id } = await staff!.get(tickets.start, { body: { workflow_id: done, transition_id: 1, title: '送不到' } });
    await eventually(async () =>
      expect((await detail(staff!, id)).waits[0]?.why).toBe('等外部系统办完：试了 1 次还没有送达，会再试'),
    );
    expect((await detail(staff!, id)).troubles).toEqual(['登记资产：送不到：试了 1 次还没有送达，会再试']);
    expect((await detail(admin!, id)).troubles).toEqual([
      '登记资产：送不到：试了 1 次还没有送达，会再试（对方回答 500）',
    ]);
  });

  test('moves on exactly once, however many answers and timers arrive', async () => {
    for (const round of Array.from({ length: 12 }, (_one, index) => index)) {
      const question = await asked(done);
      const outcomes = await Promise.all([
        answers(question, { result: true }),
        answers(question, { result: round % 2 === 0 }),
        ...(round % 3 === 0 ? [timers(hours(2)).then(() => null)] : []),
      ]);
      const { rows } = await app.db.$client.query<{ actions: number; open: number }>(
        `select (select count(*)::int from ticket_log where ticket_id = $1 and action in ('answer', 'timer')) as actions,
          (select count(*)::int from ticket_task where ticket_id = $1 and status = 'todo') as open`,
        [question.id],
      );
      expect(rows[0]).toEqual({ actions: 1, open: 1 });
      const good = outcomes.filter((one) => one?.code === 0).length;
      expect(outcomes.filter((one) => one && one.code !== 0 && one.code !== 4010)).toEqual([]);
      expect(good).toBeLessThanOrEqual(1);
    }
  });
});

describe('a state whose people are named by another system', () => {
  test('creates tasks for the people in the answer, and reports a name that is unknown', async () => {
    const question = await asked(named);
    expect((await detail(staff!, question.id)).waits[0]).toMatchObject({
      why: '等外部系统给出办理人',
      next: '改由流程指定的人处理',
    });
    const unknown = await answers(question, { result: true, people: ['nobody.here'] });
    expect(unknown).toMatchObject({ code: 4000, msg: '办理人：用户“nobody.here”不存在或已停用' });
    expect((await answers(question, { result: true, people: [one!.username] })).code).toBe(0);
    expect(await handler(question.id)).toBe('李四');
    await timers(hours(30));
    expect(await handler(question.id)).toBe('李四');
    expect(
      (await one!.ask(tickets.handle, { params: { id: question.id }, body: { transition_id: 2, suggestion: '好' } }))
        .code,
    ).toBe(0);
  });

  test('follows its rule for an empty state when the answer names nobody, reports a failure, or is an hour late', async () => {
    const [none, failed, silent] = [await asked(named), await asked(named), await asked(named)];
    expect((await answers(none, { result: true, people: [] })).code).toBe(0);
    expect((await answers(failed, { result: false, people: [one!.username] })).code).toBe(0);
    await timers(hours(1.1));
    for (const { id } of [none, failed, silent]) expect(await handler(id)).toBe('周九');
    expect((await answers(silent, { result: true, people: [one!.username] })).msg).toMatch(/回答来晚了$/);
  });
});
