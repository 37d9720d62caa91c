import { afterAll, expect, test } from 'vitest';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { repairCast, submit } from './testing/repair.ts';

const app = await openTestApp();
const cast = await repairCast(app);
const other = await cast.clerk('钱七', { roles: ['order_handler'] });
const { staff, head, leader, worker, helper, second } = cast;
const everybody = [staff, head, leader, worker, other];
afterAll(() => app.close());

const notNow = [4004, 4010];

test('an offered transition succeeds and one that is not offered is refused, for everybody at each step (I15)', async () => {
  const { begin, does } = cast;
  const { id } = await begin({ amount: 9000 });
  for (let step = 0; step < 8; step++) {
    const offers = [];
    for (const who of everybody) {
      const answer = await who.ask(tickets.transitions, { params: { id } });
      const mine = answer.code === 0 ? answer.data.value : [];
      const others = [1, 2, 3, 4, 5, 6, 7, 8].filter((one) => !mine.some((offer) => offer.transition_id === one));
      const refused = await Promise.all(others.map((transition) => does(who, id, transition)));
      expect(refused.filter(({ code }) => !notNow.includes(code))).toEqual([]);
      offers.push(
        ...mine
          .filter((offer) => offer.transition_id !== null || offer.code === 'accept')
          .map((offer) => ({ who, offer })),
      );
    }
    if (offers.length === 0) break;
    const { who, offer } = offers[step % offers.length]!;
    const answer =
      offer.code === 'accept'
        ? await who.ask(tickets.accept, { params: { id }, body: {} })
        : await does(who, id, offer.transition_id!, offer.state_id === 4 ? { result: '好了' } : {});
    expect([offer.code, answer.code, answer.msg]).toEqual([offer.code, 0, expect.any(String)]);
  }
}, 180_000);

/** Actions by their code, with their arguments other than words. */
const actions = {
  accept: () => ({}),
  release: () => ({}),
  deliver: () => cast.to(second),
  delegate: () => cast.to(helper),
  add_node: () => cast.to(helper),
  add_node_end: () => ({}),
  remove_node: (task_no) => ({ task_no }),
  return: () => ({ state_id: 1 }),
  retreat: () => ({}),
  suspend: () => ({}),
  resume: () => ({}),
  revoke: () => ({}),
  apply_finish: () => ({}),
  close: () => ({}),
  state: () => ({ state_id: 3 }),
  urge: () => ({}),
  cc: () => cast.to(helper),
} satisfies Record<string, (task: number) => object>;
type Action = keyof typeof actions;
const all = Object.keys(actions) as Action[];
const calls = {
  ...ticketActions,
  accept: tickets.accept,
  add_node: ticketActions.addNode,
  add_node_end: ticketActions.addNodeEnd,
  remove_node: ticketActions.removeNode,
  return: ticketActions.giveBack,
  apply_finish: ticketActions.applyFinish,
};

test('every other action also succeeds where it is offered, and is refused where it is not', async () => {
  const id = await cast.waiting();
  const offersOf = async (who: Client) => {
    const { code, data } = await who.ask(tickets.transitions, { params: { id } });
    return code === 0 ? data.value : [];
  };
  const does = (who: Client, action: Action, task = 1) => {
    const body = { suggestion: '请办理', ...actions[action](task) } as never;
    return who.ask(calls[action] as typeof ticketActions.retreat, { params: { id }, body });
  };
  let tried = 0;
  const refusedElse = async (who: Client) => {
    const offered = new Set<string>((await offersOf(who)).map((offer) => offer.code));
    for (const action of all.filter((one) => !offered.has(one))) {
      const { code } = await does(who, action);
      // Urging again too soon is refused with the time.
      expect([action, notNow.includes(code) || (action === 'urge' && code === 4029)]).toEqual([action, true]);
      tried++;
    }
  };
  const script: [Client, Action | number, object?][] = [
    [head, 'add_node'],
    [head, 'remove_node'],
    [head, 'add_node'],
    [helper, 'add_node_end'],
    [head, 'delegate'],
    [helper, 'add_node_end'],
    [head, 'suspend'],
    [head, 'resume'],
    [staff, 'urge'],
    [staff, 'retreat'],
    [staff, submit],
    [head, 'cc'],
    [head, 'deliver'],
    [second, 'return'],
    [staff, submit],
    [app.admin, 'state'],
    [leader, 5],
    [worker, 'accept'],
    [worker, 'release'],
    [other, 'accept'],
    [other, 7, { result: '好了' }],
    [app.admin, 'revoke'],
  ];
  const watchers = [staff, head, second, worker, app.admin];
  for (const [step, [who, what, more]] of script.entries()) {
    await refusedElse(watchers[step % watchers.length]!);
    const offer = (await offersOf(who)).find((one) => one.code === what || one.transition_id === what);
    expect(offer, `step ${step + 1}: ${what} is offered`).toBeDefined();
    const { code, msg } =
      typeof what === 'number' ? await cast.does(who, id, what, more) : await does(who, what, offer!.added[0]?.task_no);
    expect([step + 1, what, code, msg]).toEqual([step + 1, what, 0, expect.any(String)]);
  }
  for (const who of watchers) await refusedElse(who);
  expect(tried).toBeGreaterThan(250);
}, 180_000);
