import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { addFlow } from './testing/flow.ts';
import { agrees, staysCast, submit } from './testing/stays.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';

let app: TestOffice;
let stays: Awaited<ReturnType<typeof staysCast>>;
let creator: Client;
let first: Client;
let second: Client;
let both: number;
/** The same, but tickets below go on when it is closed or withdrawn. */
let keeping: number;
const [sends, saves, agree, refuse] = [1, 2, 3, 4];
const kept = '提交过的工单不能删除，经办的人还要查阅；不再需要的，退回或撤回后请关闭';

beforeAll(async () => {
  app = await openTestApp();
  stays = await staysCast(app);
  const dept = await app.dept();
  const hire = () => app.clerk({ 'ticket/new': ['Create'] }, { dept });
  [creator, first, second] = [await hire(), await hire(), await hire()];
  const way = { attribute: 1, field_require_check: false } as const;
  const definition = {
    name: '会签',
    fields: [],
    settings: { title_template: '{workflow}' },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      {
        id: 2,
        key: 'both',
        name: '会签',
        kind: 'approve',
        order: 2,
        participants: [{ type: 2, users: [first.userId, second.userId] }],
        distribution: { type: 4, reject_rule: 1 },
        actions: ['retreat'],
        label: { retreat: 'always' },
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { ...way, id: sends, key: 'send', name: '提交', source: 1, destination: 2 },
      { ...way, id: saves, key: 'save', name: '保存', source: 1, destination: 1, attribute: 3 },
      { ...way, id: agree, key: 'agree', name: '同意', source: 2, destination: 3 },
      { ...way, id: refuse, key: 'refuse', name: '拒绝', source: 2, destination: 1, attribute: 2 },
    ],
  };
  both = await addFlow(app, 'countersign', definition as never);
  const settings = { ...definition.settings, children_on_close: 'keep' };
  keeping = await addFlow(app, 'countersign-keeps', { ...definition, name: '会签，下级继续', settings } as never);
}, 180_000);
afterAll(() => app.close());

const begin = async (transition_id = sends) =>
  (await creator.get(tickets.start, { body: { workflow_id: both, transition_id } })).id;
const press = (who: Client, id: number, transition_id: number) =>
  who.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '意见' } });
const said = (id: number, more: object = {}) => ({ params: { id }, body: { suggestion: '说明', ...more } });
const remove = (id: number) => creator.ask(tickets.remove, { params: { id } });
const actState = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value.act_state_id;

describe('a submitted ticket is not deleted and stays readable to those who decided it', () => {
  const ways: Record<string, (id: number) => Promise<unknown>> = {
    'after a countersign that one agreed to and one refused': async (id) => {
      await press(first, id, agree);
      return press(second, id, refuse);
    },
    'after an administrator set its state back to the start': async (id) => {
      await press(first, id, agree);
      return app.admin.get(ticketActions.state, said(id, { state_id: 1 }) as never);
    },
    'after its creator took it back': async (id) => {
      await press(first, id, agree);
      return creator.get(ticketActions.retreat, said(id));
    },
    'and submitted anew': async (id) => {
      await press(first, id, refuse);
      return press(creator, id, sends);
    },
  };
  test.each(Object.entries(ways))('%s', async (_way, comesBack) => {
    const id = await begin();
    await comesBack(id);
    const { actions } = (await creator.get(tickets.get, { params: { id } })).value;
    expect(actions).not.toContain('delete');
    expect(await remove(id)).toMatchObject({ code: 4010, msg: kept });
    expect((await first.get(tickets.get, { params: { id } })).value.act_state_id).toBeGreaterThan(0);
    expect((await first.get(tickets.list, { query: { category: 'worked' } })).value.map((row) => row.id)).toContain(id);
  });

  test('also when its creator closed it', async () => {
    const id = await begin();
    await press(first, id, refuse);
    await creator.get(ticketActions.close, { params: { id }, body: {} as never });
    expect([await actState(first, id), (await remove(id)).code]).toEqual([5, 4010]);
  });

  test('which the database refuses as well', async () => {
    const id = await begin();
    const erased = app.services.databases.write((tx) =>
      tx.execute(sql`update ticket set is_deleted = true where id = ${id}`),
    );
    await expect(erased).rejects.toMatchObject({ cause: { constraint: 'ticket_deleted_unsent' } });
  });

  test('while a draft that was never submitted is deleted', async () => {
    expect((await remove(await begin(saves))).code).toBe(0);
  });
});

test('a person who tries to close an approved ticket by intervention is told to revoke it', async () => {
  const id = await begin();
  await press(first, id, agree);
  await press(second, id, agree);
  expect(await app.admin.ask(ticketActions.close, said(id))).toMatchObject({
    code: 4010,
    msg: '工单已通过，不能关闭；通过的结果不再有效的，请由有权的人作废',
  });
  const { value } = await app.admin.get(tickets.get, { params: { id } });
  expect([value.act_state_id, value.actions.includes('close'), value.actions.includes('revoke')]).toEqual([
    4,
    false,
    true,
  ]);
});

describe('child tickets of a withdrawn or deleted ticket', () => {
  /** A ticket in the state that waits for the tickets below it. */
  const waiting = async (flow: number) => {
    const id = await stays.begin(flow);
    expect((await stays.press(stays.one, id, agrees)).code).toBe(0);
    return id;
  };

  test('are closed when its creator withdraws it', async () => {
    const id = await waiting(stays.closes);
    const child = await stays.below(id);
    expect((await stays.retreat(stays.staff, id)).code).toBe(0);
    expect(await actState(stays.two, child)).toBe(5);
  });

  test('go on after the withdrawal if its workflow allows that', async () => {
    const id = await waiting(stays.keeps);
    const child = await stays.below(id);
    expect((await stays.retreat(stays.staff, id)).code).toBe(0);
    expect(await actState(stays.two, child)).toBe(1);
  });

  test('are closed when the parent is deleted as a draft, whatever its workflow allows', async () => {
    for (const workflow_id of [both, keeping]) {
      const { id } = await creator.get(tickets.start, { body: { workflow_id, transition_id: saves } });
      const { id: child } = await creator.get(tickets.start, {
        body: { workflow_id: both, transition_id: submit, parent_ticket_id: id, parent_ticket_state_id: 1 },
      });
      expect((await remove(id)).code).toBe(0);
      expect(await actState(first, child)).toBe(5);
    }
  });
});
