import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { designCalls, type Design } from './contract/design.ts';
import { releaseCalls } from './contract/release.ts';
import { State, Transition } from './engine/definition.ts';

type Definition = Design['definition'];
let app: TestOffice;
let [keeper, staff, law, money, chief]: Client[] = [];
let serial = 0;

beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept();
  keeper = await app.clerk({ 'workflow/list': ['Create', 'Retrieve', 'Update'] }, { alias: '流程员', dept });
  const clerk = (alias: string) => app.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 });
  [staff, law, money, chief] = [await clerk('张三'), await clerk('李四'), await clerk('王五'), await clerk('赵六')];
}, 60_000);
afterAll(() => app.close());

type Part = z.input<typeof State>;
const state = (id: number, kind: Part['kind'], who?: Client, more: Partial<Part> = {}) =>
  State.parse({
    id,
    key: `s${id}`,
    name: `环节${id}`,
    kind,
    order: id,
    participants: who ? [{ type: 1, user: who.userId }] : [],
    actions: who ? ['return', 'retreat'] : [],
    ...more,
  });
const way = (id: number, source: number, destination: number, more: Partial<z.input<typeof Transition>> = {}) =>
  Transition.parse({ id, key: `w${id}`, name: `流转${id}`, source, destination, attribute: 1, ...more });
/** A flow with these states in the middle; it starts in 1 and ends in 9. */
const between =
  (states: ReturnType<typeof state>[], ways: ReturnType<typeof way>[]) =>
  (definition: Definition): Definition => ({
    ...definition,
    states: [definition.states[0]!, ...states, state(9, 'end')],
    transitions: [definition.transitions[0]!, ...ways],
  });
/** Three states in turn: 3 by one person, 4 by the next, 7 by the last. */
const inTurn = () =>
  between(
    [state(3, 'approve', law), state(4, 'approve', money), state(7, 'approve', chief)],
    [way(2, 1, 3), way(5, 3, 4), way(6, 4, 7), way(8, 7, 9)],
  );

async function published(first: (definition: Definition) => Definition) {
  const { id } = await keeper!.get(designCalls.add, { body: { name: `改版 ${++serial}` } });
  const next = async (change: (definition: Definition) => Definition) => {
    const { definition } = await keeper!.get(designCalls.get, { params: { id } });
    await keeper!.get(designCalls.change, { params: { id }, body: { definition: change(definition) } });
    expect((await keeper!.ask(releaseCalls.publish, { params: { id }, body: {} })).data).toMatchObject({
      problems: [],
    });
  };
  await next(first);
  const begin = async (more: object = {}) =>
    (await staff!.get(tickets.start, { body: { workflow_id: id, transition_id: 2, title: '申请', ...more } })).id;
  const migrate = async (body: object = {}) =>
    (await keeper!.get(releaseCalls.migrate, { params: { id }, body: { dry_run: false, ...body } })).value;
  return { id, next, begin, migrate };
}
const does = async (who: Client, id: number, transition_id: number) => {
  const answer = await who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
  expect(answer.code, answer.msg).toBe(0);
  return answer.data;
};
const detail = async (id: number) => (await staff!.get(tickets.get, { params: { id } })).value;
const handlers = async (id: number) => (await detail(id)).participant_info.participant_alias;

describe('migrating a ticket whose state was removed', () => {
  /** 4 is gone; 5, by the chief, is in its place. */
  const replaced = () =>
    between(
      [state(3, 'approve', law), state(5, 'approve', chief), state(7, 'handle', money)],
      [way(2, 1, 3), way(5, 3, 5), way(7, 5, 7), way(8, 7, 9)],
    );

  test('names the old state, continues in the chosen new state once, and the ticket can be finished there', async () => {
    const flow = await published(inTurn());
    const [id, first] = [await flow.begin(), await flow.begin()];
    await does(law!, id, 5);
    await flow.next(replaced());
    const [row, other] = await flow.migrate({ dry_run: true });
    expect([row!.can_move, row!.needs, row!.msgs]).toEqual([
      false,
      [{ state_id: 4, state_name: '环节4' }],
      ['当前环节“环节4”在新版本里没有了，请选择对应的新环节，或先办完这个环节'],
    ]);
    expect([other!.can_move, other!.needs]).toEqual([true, []]);
    const states = [{ from: 4, to: 5 }];
    const [dry] = await flow.migrate({ dry_run: true, states });
    expect([dry!.can_move, dry!.moved, dry!.to_state_name, dry!.msgs]).toEqual([
      true,
      false,
      '环节5',
      ['从“环节4”改到“环节5”，由“环节5”的办理人重新办理'],
    ]);
    expect([(await detail(id)).state.state_name, await handlers(id)]).toEqual(['环节4', '王五']);
    const both = await Promise.all([flow.migrate({ states }), flow.migrate({ states })]);
    const moved = both.flat().filter((one) => one.moved);
    expect(moved.map((one) => one.ticket_id).toSorted()).toEqual([id, first].toSorted());
    expect([(await detail(id)).state.state_name, await handlers(id)]).toEqual(['环节5', '赵六']);
    expect(
      (await money!.ask(tickets.handle, { params: { id }, body: { transition_id: 6, suggestion: '好' } })).code,
    ).not.toBe(0);
    const { value: log } = await staff!.get(tickets.flowlogs, { params: { id } });
    expect(log.map((one) => one.action)).toEqual(['submit', 'handle', 'migrate']);
    expect([log.at(-1)!.participant_info!.alias, log.at(-1)!.suggestion]).toEqual([
      '流程员',
      '流程从第 1 版改到第 2 版',
    ]);
    expect((await staff!.get(tickets.flowsteps, { params: { id } })).current_state_id).toBe(5);
    await does(chief!, id, 7);
    expect((await does(money!, id, 8)).act_state).toBe(4);
  });

  test('keeps its decisions: a person barred by an earlier decision stays barred from the new state', async () => {
    const flow = await published(inTurn());
    const id = await flow.begin();
    await does(law!, id, 5);
    await flow.next(
      between(
        [
          state(3, 'approve', law),
          state(5, 'approve', undefined, {
            participants: [{ type: 2, users: [law!.userId, chief!.userId] }],
            not_done_by: ['s3'],
          }),
          state(7, 'handle', money),
        ],
        [way(2, 1, 3), way(5, 3, 5), way(7, 5, 7), way(8, 7, 9)],
      ),
    );
    expect((await flow.migrate({ states: [{ from: 4, to: 5 }] }))[0]!.moved).toBe(true);
    expect(await handlers(id)).toBe('赵六');
  });

  test('keeps a vote already given where the state of the joint decision remains', async () => {
    const two = (name: string) => (definition: Definition) =>
      between(
        [
          state(3, 'approve', undefined, {
            name,
            participants: [{ type: 2, users: [law!.userId, money!.userId] }],
            distribution: { type: 4, reject_rule: 1, pass_ratio: 100 },
          }),
        ],
        [way(2, 1, 3), way(5, 3, 9)],
      )(definition);
    const flow = await published(two('会签'));
    const id = await flow.begin();
    await does(law!, id, 5);
    await flow.next(two('联签'));
    expect((await flow.migrate())[0]!.moved).toBe(true);
    expect(await handlers(id)).toBe('王五');
    expect((await does(money!, id, 5)).act_state).toBe(4);
  });

  test('is possible only to a state that asks somebody and lies in the same place among the branches', async () => {
    const flow = await published(inTurn());
    const id = await flow.begin();
    await does(law!, id, 5);
    await flow.next(
      between(
        [
          state(3, 'approve', law),
          state(2, 'parallel_split'),
          state(5, 'approve', chief),
          state(6, 'approve', money),
          state(8, 'join'),
          state(7, 'handle', chief),
        ],
        [
          way(2, 1, 3),
          way(5, 3, 2),
          way(10, 2, 5, { attribute: 3 }),
          way(11, 2, 6, { attribute: 3 }),
          way(12, 5, 8),
          way(13, 6, 8),
          way(14, 8, 7, { attribute: 3 }),
          way(8, 7, 9),
        ],
      ),
    );
    const to = async (target: number) =>
      (await flow.migrate({ dry_run: true, states: [{ from: 4, to: target }] }))[0]!.msgs;
    expect(await to(9)).toEqual(['“环节9”不能作为对应的新环节，请改选由人办理的环节']);
    expect(await to(99)).toEqual(['“99”不能作为对应的新环节，请改选由人办理的环节']);
    expect(await to(5)).toEqual(['“环节4”和“环节5”不在同样的分支里，改过去会漏掉并行的环节，请另选环节']);
    const [row] = await flow.migrate({ states: [{ from: 4, to: 7 }] });
    expect([row!.moved, await handlers(id)]).toEqual([true, '赵六']);
  });
});

test('a ticket decided in a state that was removed stays visible to its creator and its deciders', async () => {
  const flow = await published(inTurn());
  const id = await flow.begin();
  await does(law!, id, 5);
  await does(money!, id, 6);
  await flow.next(
    between([state(3, 'approve', law), state(7, 'approve', chief)], [way(2, 1, 3), way(5, 3, 7), way(8, 7, 9)]),
  );
  expect((await flow.migrate())[0]!.moved).toBe(true);
  for (const who of [staff!, law!, money!, chief!]) {
    expect((await who.ask(tickets.get, { params: { id } })).code).toBe(0);
    for (const call of [tickets.flowsteps, tickets.flowlogs, tickets.transitions])
      expect((await who.ask(call as typeof tickets.transitions, { params: { id } })).code).toBe(0);
  }
  expect((await does(chief!, id, 8)).act_state).toBe(4);
});

describe('migrating a ticket behind a split that gets another branch', () => {
  const twoBranches = () =>
    between(
      [
        state(2, 'parallel_split'),
        state(3, 'approve', law),
        state(4, 'approve', money),
        state(6, 'join'),
        state(7, 'approve', chief),
      ],
      [
        way(2, 1, 2),
        way(3, 2, 3, { attribute: 3 }),
        way(4, 2, 4, { attribute: 3 }),
        way(5, 3, 6),
        way(6, 4, 6),
        way(7, 6, 7, { attribute: 3 }),
        way(8, 7, 9),
      ],
    );
  const threeBranches = () => (definition: Definition) => {
    const two = twoBranches()(definition);
    return {
      ...two,
      states: [...two.states, state(5, 'approve', chief)],
      transitions: [...two.transitions, way(9, 2, 5, { attribute: 3 }), way(10, 5, 6)],
    };
  };

  test('opens the branch if requested, and the join then waits for it too', async () => {
    const flow = await published(twoBranches());
    const id = await flow.begin();
    await does(law!, id, 5);
    await flow.next(threeBranches());
    const [refused] = await flow.migrate({ dry_run: true });
    expect(refused!.msgs).toEqual([
      '工单已在“环节2”分开办理，新版本在那里多了到“环节5”的分支，请选择开出新增的分支，或等各分支汇合后再迁移',
    ]);
    const [row] = await flow.migrate({ open_branches: true });
    expect([row!.moved, row!.msgs]).toEqual([true, ['在“环节2”新开到“环节5”的分支']]);
    expect((await handlers(id)).split('、').toSorted()).toEqual(['王五', '赵六'].toSorted());
    await does(money!, id, 6);
    expect((await detail(id)).act_state_id).toBe(1);
    await does(chief!, id, 10);
    expect([(await detail(id)).state.state_name, await handlers(id)]).toEqual(['环节7', '赵六']);
    expect((await does(chief!, id, 8)).act_state).toBe(4);
  });
});

describe('migrating a ticket that could not be finished in the new version', () => {
  test('is refused with the form value that is the reason', async () => {
    const amount = { id: 2, key: 'amount', name: '金额', type: 10 as const, min: 0, max: 100 };
    const withAmount =
      (change: (definition: Definition) => Definition, access: 1 | 3) =>
      (definition: Definition): Definition => {
        const changed = change(definition);
        return {
          ...changed,
          fields: [
            ...definition.fields.filter((field) => field.key !== 'amount'),
            { ...definition.fields[0]!, ...amount },
          ],
          states: changed.states.map((one) =>
            one.kind === 'start' ? { ...one, access: { ...one.access, amount: access === 3 ? 3 : 2 } } : one,
          ),
        };
      };
    const flow = await published(withAmount(inTurn(), 3));
    const [empty, filled] = [await flow.begin(), await flow.begin({ amount: 5 })];
    // It is now required at the start, and tickets without it go round for ever.
    await flow.next(
      withAmount(
        between(
          [state(3, 'approve', law), state(4, 'approve', money), state(7, 'approve', chief)],
          [
            way(2, 1, 3),
            way(5, 3, 4),
            way(6, 4, 7),
            way(8, 7, 4, { conditions: [{ expression: { op: 'not_empty', field: 'amount' }, target_state_id: 9 }] }),
          ],
        ),
        1,
      ),
    );
    const rows = await flow.migrate();
    expect(rows.map((row) => [row.ticket_id, row.moved, row.msgs])).toEqual([
      [empty, false, ['按已填的内容，从“环节3”走不到结束环节，请修改新版本之后的条件']],
      [filled, true, []],
    ]);
    await does(law!, empty, 5);
    await does(money!, empty, 6);
    expect((await does(chief!, empty, 8)).act_state).toBe(4);
  });
});

test('tickets of a workflow are not migrated by somebody who may not administer it', async () => {
  const flow = await published(inTurn());
  await flow.begin();
  const call = { params: { id: flow.id }, body: { dry_run: false, states: [{ from: 3, to: 4 }] } };
  for (const who of [staff!, law!]) expect((await who.ask(releaseCalls.migrate, call)).code).toBe(4003);
});
