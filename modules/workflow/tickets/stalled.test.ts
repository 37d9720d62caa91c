import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { actOnSilence } from './automation/silence.ts';
import { addFlow } from './testing/flow.ts';
import { stop } from './testing/stop.ts';
import { actOnTimers } from './automation/timers.ts';

let app: TestOffice;
let [staff, one, keeper, other]: Client[] = [];
let [cooling, calling, vacant, orphan]: number[] = [];
type States = DefinitionInput['states'];
type Links = DefinitionInput['transitions'];
const way = (id: number, source: number, destination: number, more: object = {}) => ({
  id,
  key: `t${id}`,
  name: '同意',
  source,
  destination,
  attribute: 1 as const,
  ...more,
});
const asks = (id: number, participants: States[number]['participants'], more: object = {}): States[number] => ({
  id,
  key: `s${id}`,
  name: `环节${id}`,
  kind: 'approve',
  order: id,
  participants,
  on_empty: 2,
  ...more,
});
const end = (id: number) => ({ id, key: 'end', name: '结束', kind: 'end' as const, order: id });

beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept();
  const hired: Client[] = [];
  for (const alias of ['张三', '李四', '王五', '赵六'])
    hired.push(
      await app.clerk({ 'ticket/new': ['Create'], 'ticket/duty': ['Retrieve'] }, { alias, dept, dataScope: 5 }),
    );
  [staff, one, keeper, other] = hired;
  const flow = async (key: string, prefix: string, states: States, transitions: Links, keepers: Client[]) => {
    const workflow_id = await addFlow(app, key, {
      name: key,
      fields: [{ id: 1, key: 'who', name: '经办人', type: 60 }],
      settings: { title_template: '{workflow}', number_rule: { prefix, digits: 4, period: 'day' } },
      states: [{ id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { who: 3 } }, ...states],
      transitions: [way(1, 1, 2), ...transitions],
    });
    const grants = keepers.map(({ userId }) => ({
      workflow_id,
      permission: 'admin' as const,
      holder_type: 'user' as const,
      holder: String(userId),
    }));
    if (grants.length > 0) await app.services.databases.write((tx) => tx.insert(workflowGrantTable).values(grants));
    return workflow_id;
  };
  const named: States[number]['participants'] = [{ type: 7, field: 'who' }];
  const delay = { id: 2, key: 'wait', name: '公示', kind: 'delay' as const, order: 2 };
  cooling = await flow(
    'cooling',
    'NA',
    [delay, asks(3, named), end(4)],
    [way(2, 2, 3, { timer: 60 }), way(3, 3, 4)],
    [keeper!],
  );
  const hook = { id: 2, key: 'call', name: '登记资产', kind: 'hook' as const, order: 2, waits: true };
  calling = await flow(
    'calling',
    'NB',
    [{ ...hook, participants: [{ type: 10, hook: 999_999 }] }, end(3)],
    [way(2, 2, 3), way(3, 2, 1, { attribute: 2, timer: 86_400 })],
    [keeper!],
  );
  const role: States[number]['participants'] = [{ type: 4, roles: ['nobody_at_all'] }];
  const first = asks(2, [{ type: 1, user: one!.userId }]);
  vacant = await flow('vacant', 'NC', [first, asks(3, role), end(4)], [way(2, 2, 3), way(3, 3, 4)], [keeper!]);
  orphan = await flow('orphan', 'ND', [first, asks(3, role), end(4)], [way(2, 2, 3), way(3, 3, 4)], []);
}, 180_000);
afterAll(() => app.close());

const begin = async (workflow_id: number) =>
  (await staff!.get(tickets.start, { body: { workflow_id, transition_id: 1 } })).id;
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const duties = async (who: Client) =>
  (await who.get(tickets.list, { query: { category: 'duty' } })).value.map((row) => row.id);
const codes = async (who: Client, id: number) => (await detail(who, id)).transitions.map((offer) => offer.code);
async function contentOf(message: number): Promise<string> {
  const { rows } = await app.db.$client.query<{ content: string }>('select content from msg where id = $1', [message]);
  return rows[0]!.content;
}
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
async function run(job: typeof actOnTimers, at: Date): Promise<number> {
  for (let times = 0; ; times++) if (!(await app.services.databases.write((tx) => job(tx, at, stop)))) return times;
}

test('a timer that finds nobody for the next state gives the workflow’s administrator a task with the reason', async () => {
  const id = await begin(cooling!);
  expect(await run(actOnTimers, later(61))).toBe(1);
  expect(await duties(keeper!)).toContain(id);
  const why = '环节“环节3”找不到办理人';
  expect((await detail(keeper!, id)).waits.map((wait) => wait.why)).toEqual([`${why}，等流程管理员处理`]);
  const { value: told } = await keeper!.get(messages.unread, { query: {} });
  const { msg_id } = told.find((message) => message.title === '待办：cooling')!;
  expect(await contentOf(msg_id)).toContain(`请流程管理员处理：${why}`);
  expect(await run(actOnTimers, later(90_000))).toBe(0);
  expect(await codes(keeper!, id)).toEqual(expect.arrayContaining(['deliver', 'state', 'close']));
  const given = { target_username: other!.username, suggestion: '请办理' };
  expect((await keeper!.ask(actions.deliver, { params: { id }, body: given })).code).toBe(0);
  expect([await duties(keeper!), await duties(other!)]).toEqual([[], [id]]);
  const body = { transition_id: 3, suggestion: '好' };
  expect((await other!.ask(tickets.handle, { params: { id }, body })).code).toBe(0);
  expect((await detail(staff!, id)).act_state_id).toBe(4);
});

test('an administrator makes a stuck state look for people again by moving the ticket to it, or closes the ticket', async () => {
  const id = await begin(cooling!);
  await run(actOnTimers, later(61));
  const again = { state_id: 3, suggestion: '重试', target_username: [] };
  expect((await keeper!.ask(actions.state, { params: { id }, body: again })).msg).toContain('找不到办理人');
  expect((await keeper!.ask(actions.close, { params: { id }, body: { suggestion: '不办了' } })).code).toBe(0);
  expect(await duties(keeper!)).toEqual([]);
});

test('a question that cannot be sent to another system becomes one task of the administrator', async () => {
  const id = await begin(calling!);
  expect(await run(actOnSilence, later(1))).toBe(1);
  expect(await run(actOnSilence, later(1))).toBe(0);
  expect(await duties(keeper!)).toContain(id);
  expect((await detail(keeper!, id)).waits[0]!.why).toBe(
    '没有可用的通知方式，问外部系统的话没有发出，等流程管理员处理',
  );
  expect((await keeper!.ask(actions.close, { params: { id }, body: { suggestion: '不办了' } })).code).toBe(0);
});

test('a handler can decide even if nobody is found for the next state', async () => {
  const id = await begin(vacant!);
  const body = { transition_id: 2, suggestion: '好' };
  expect((await one!.ask(tickets.handle, { params: { id }, body })).code).toBe(0);
  expect(await duties(keeper!)).toContain(id);
});

test('a stuck ticket of a workflow without an administrator goes to the super administrators', async () => {
  const id = await begin(orphan!);
  const body = { transition_id: 2, suggestion: '好' };
  expect((await one!.ask(tickets.handle, { params: { id }, body })).code).toBe(0);
  expect(await duties(app.admin)).toContain(id);
});
