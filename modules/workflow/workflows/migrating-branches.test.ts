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
}, 180_000);
afterAll(() => app.close());

type Part = z.output<typeof State>;
const state = (id: number, kind: Part['kind'], who?: Client): Part =>
  State.parse({
    id,
    key: `s${id}`,
    name: `环节${id}`,
    kind,
    order: id,
    participants: who ? [{ type: 1, user: who.userId }] : [],
    actions: who ? ['return'] : [],
  });
const way = (id: number, source: number, destination: number, attribute: 1 | 3 = 1) =>
  Transition.parse({ id, key: `w${id}`, name: `流转${id}`, source, destination, attribute });
/** A flow with these states in the middle; it starts in 1 and ends in 9. */
const between =
  (states: Part[], ways: ReturnType<typeof way>[]) =>
  (definition: Definition): Definition => ({
    ...definition,
    states: [definition.states[0]!, ...states, state(9, 'end')],
    transitions: [definition.transitions[0]!, ...ways],
  });
const split = (id: number) => state(id, 'parallel_split');
const twoBranches = () =>
  between(
    [split(2), state(3, 'approve', law), state(4, 'approve', money), state(6, 'join'), state(7, 'approve', chief)],
    [way(2, 1, 2), way(3, 2, 3, 3), way(4, 2, 4, 3), way(5, 3, 6), way(6, 4, 6), way(7, 6, 7, 3), way(8, 7, 9)],
  );
const threeBranches = () =>
  between(
    [
      split(2),
      state(3, 'approve', law),
      state(4, 'approve', money),
      state(5, 'approve', chief),
      state(6, 'join'),
      state(7, 'approve', chief),
    ],
    [
      way(2, 1, 2),
      way(3, 2, 3, 3),
      way(4, 2, 4, 3),
      way(9, 2, 5, 3),
      way(5, 3, 6),
      way(6, 4, 6),
      way(10, 5, 6),
      way(7, 6, 7, 3),
      way(8, 7, 9),
    ],
  );
const inTurn = () =>
  between(
    [state(3, 'approve', law), state(4, 'approve', money), state(7, 'approve', chief)],
    [way(2, 1, 3), way(5, 3, 4), way(6, 4, 7), way(8, 7, 9)],
  );

async function published(first: (definition: Definition) => Definition) {
  const { id } = await keeper!.get(designCalls.add, { body: { name: `流程 ${++serial}` } });
  const next = async (change: (definition: Definition) => Definition) => {
    const { definition } = await keeper!.get(designCalls.get, { params: { id } });
    await keeper!.get(designCalls.change, { params: { id }, body: { definition: change(definition) } });
    expect((await keeper!.ask(releaseCalls.publish, { params: { id }, body: {} })).data).toMatchObject({
      problems: [],
    });
  };
  await next(first);
  const begin = async () =>
    (await staff!.get(tickets.start, { body: { workflow_id: id, transition_id: 2, title: '申请' } })).id;
  const migrate = async () =>
    (await keeper!.get(releaseCalls.migrate, { params: { id }, body: { dry_run: false } })).value.map(
      ({ ticket_id, moved, msgs }) => [ticket_id, moved, msgs],
    );
  return { next, begin, migrate };
}
const does = async (who: Client, id: number, transition_id: number) =>
  expect((await who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } })).code).toBe(0);
const handlers = async (id: number) =>
  (await staff!.get(tickets.get, { params: { id } })).value.participant_info.participant_alias;

describe('migrating a running ticket', () => {
  test('is refused if a split it has passed gets another branch, which nobody would open', async () => {
    const flow = await published(twoBranches());
    const [id, through] = [await flow.begin(), await flow.begin()];
    await does(law!, id, 5);
    for (const [who, button] of [
      [law!, 5],
      [money!, 6],
    ] as const)
      await does(who, through, button);
    await flow.next(threeBranches());
    expect(await flow.migrate()).toEqual([
      [
        id,
        false,
        ['工单已在“环节2”分开办理，新版本在那里多了到“环节5”的分支，请选择开出新增的分支，或等各分支汇合后再迁移'],
      ],
      [through, true, []],
    ]);
    await does(money!, id, 6);
    expect(await handlers(id)).toBe('赵六');
    await does(chief!, id, 8);
  });

  test('is refused if its state has moved into branches or out of them', async () => {
    const flow = await published(inTurn());
    const id = await flow.begin();
    await flow.next(twoBranches());
    const msg = (state: string) =>
      `当前环节“${state}”在新版本里属于另外的分支，迁移会漏掉与它并行的环节，请选择对应的新环节，或先办完这个环节`;
    expect(await flow.migrate()).toEqual([[id, false, [msg('环节3')]]]);
    const beside = await flow.begin();
    await does(law!, id, 5);
    await does(money!, id, 6);
    await flow.next(inTurn());
    // The first ticket has passed them by now.
    const moved = await flow.migrate();
    expect(moved.find(([ticket]) => ticket === beside)).toEqual([
      beside,
      false,
      ['当前环节“环节2”在新版本里没有了，请选择对应的新环节，或先办完这个环节', msg('环节3'), msg('环节4')],
    ]);
  });

  test('past branches leaves no return to a single one of them', async () => {
    const flow = await published(inTurn());
    const id = await flow.begin();
    await does(law!, id, 5);
    await does(money!, id, 6);
    const returns = async () =>
      (await chief!.get(tickets.get, { params: { id } })).value.transitions
        .find((offer) => offer.code === 'return')!
        .states.map((one) => one.state_id);
    expect(await returns()).toEqual([1, 3, 4]);
    await flow.next(twoBranches());
    expect(await flow.migrate()).toEqual([[id, true, expect.anything()]]);
    expect(await returns()).toEqual([1]);
    await does(chief!, id, 8);
  });
});
