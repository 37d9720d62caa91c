import { expect, test } from 'vitest';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { noRights } from './ways/offers.ts';
import { newTicket, replay, type TicketState } from './state.ts';
import { flowOf, numbered, press } from './testing/flow.ts';
import { passed, run, type Organisation } from './testing/run.ts';

const [creator, anna, ben, cleo, boss] = [1, 2, 3, 4, 5];
type State = DefinitionInput['states'][number];
const work: State = {
  id: 2,
  key: 'work',
  name: '处理',
  kind: 'handle',
  order: 2,
  participants: [{ type: 4, roles: ['crew'] }],
  actions: ['deliver', 'add_node'],
};
const flow = (more: Partial<State>) =>
  flowOf([{ ...work, distribution: { type: 1 }, ...more }], 3, [
    ['提交', 1, 2, 1],
    ['完成', 2, 3, 1],
    ['退回', 2, 1, 2],
  ]);
const claim = flow({});
const direct = flow({ distribution: { type: 2 } });

const app =
  (...crew: number[]): Organisation =>
  (query) => {
    if (query.kind === 'role') return crew;
    return query.kind === 'workflow_admins' ? [boss] : numbered(query);
  };
const begun = (definition: Definition, ...crew: number[]) => {
  const ticket = newTicket(creator, null);
  return passed(run(definition, ticket, press(ticket, creator, 1), app(...crew)));
};
const does = (definition: Definition, state: TicketState, command: Command, ...crew: number[]) =>
  passed(run(definition, state, command, app(...crew)));
/** Presses a button while the crew is Anna and Ben. */
const pressed = (definition: Definition, state: TicketState, actor: number, transition_id: number) =>
  does(definition, state, press(state, actor, transition_id), anna, ben);

/** The ticket after the crew has become these people, and its log. */
function again(definition: Definition, state: TicketState, ...crew: number[]) {
  const decision = run(definition, state, 'regroup', app(...crew));
  if (decision.kind === 'refused') throw decision.refusal;
  expect(replay(state, decision.log), 'I5').toEqual(decision.state);
  return decision;
}
const holders = (state: TicketState) =>
  state.tasks.filter((task) => task.status === 'todo').map((task) => [task.assignee, task.pooled]);

test('a person who joins the role may claim tasks waiting for it, one who leaves may not, and the log tells both', () => {
  const ticket = begun(claim, anna, ben);
  const { state, log } = again(claim, ticket, ben, cleo);
  expect(holders(state)).toEqual([
    [ben, true],
    [cleo, true],
  ]);
  expect(state.tasks.find((task) => task.assignee === anna)?.status).toBe('expired');
  expect(log.map(({ actor, action }) => [actor, action])).toEqual([[null, 'regroup']]);
  expect(again(claim, state, ben, cleo).log, 'asked again without a change nothing happens').toEqual([]);
  expect(holders(again(claim, state, anna, ben, cleo).state), 'who comes back gets it back').toHaveLength(3);
});

test('a claimed task stays with its holder, and once released goes to the present members of the role', () => {
  const claimed = does(claim, begun(claim, anna, ben), { type: 'accept', actor: anna }, anna, ben);
  expect(again(claim, claimed, ben, cleo).log).toEqual([]);
  const released = does(claim, claimed, { type: 'release', actor: anna, suggestion: '' }, ben, cleo);
  expect(holders(released)).toEqual([
    [ben, true],
    [cleo, true],
  ]);
});

test('a person asked alone keeps the task when others join the role, and loses it by leaving the role', () => {
  const ticket = begun(claim, anna);
  expect(again(claim, ticket, anna, ben).log).toEqual([]);
  expect(holders(again(claim, ticket, ben).state)).toEqual([[ben, false]]);
  expect(holders(again(claim, ticket, ben, cleo).state)).toEqual([
    [ben, true],
    [cleo, true],
  ]);
});

test('when a role becomes empty the workflow’s administrators get its task until somebody joins', () => {
  const alone = again(claim, begun(claim, anna, ben)).state;
  expect(holders(alone)).toEqual([[boss, false]]);
  expect(holders(again(claim, alone, cleo).state)).toEqual([[cleo, false]]);
});

test('a state that may be skipped when empty moves on by itself, but not once somebody has begun to handle it', () => {
  const lax = flow({ on_empty: 1, distribution: { type: 2 } });
  expect(again(lax, begun(lax, anna)).state.act_state).toBe(4);
  const asked = { type: 'add_node', how: 'before', mode: 'all', people: ['u4'], suggestion: '' } as const;
  const helped = does(lax, begun(lax, anna), { actor: anna, ...asked }, anna);
  expect(again(lax, helped).log).toEqual([]);
});

test('where any one of several may decide, refusals already given still count after the members change', () => {
  const refused = pressed(direct, begun(direct, anna, ben), anna, 3);
  expect(holders(refused)).toEqual([[ben, false]]);
  expect(holders(again(direct, refused, anna, ben, cleo).state)).toEqual([
    [ben, false],
    [cleo, false],
  ]);
  expect(again(direct, refused, anna).state.act_state, 'all who are left have refused').toBe(2);
});

test('a person who was assigned by an intervention or a hand-over keeps the task when the role’s members change', () => {
  const move = { type: 'state', state_id: 2, people: ['u4'], suggestion: '请办理' } as const;
  const moved = passed(
    run(direct, begun(direct, anna), { actor: boss, ...move }, app(anna), {
      rights: { ...noRights, intervene: true },
    }),
  );
  expect(again(direct, moved, ben).log).toEqual([]);
  const given = does(
    direct,
    begun(direct, anna),
    { type: 'deliver', actor: anna, people: ['u4'], suggestion: '' },
    anna,
  );
  expect(again(direct, given, anna).log).toEqual([]);
});

test('a decision that is taken back returns the task to the present members of the role', () => {
  const twoSteps = Definition.parse({
    ...direct,
    states: [
      ...direct.states,
      { ...direct.states[1]!, id: 4, key: 'check', name: '验收', participants: [{ type: 1, user: boss }] },
    ],
    transitions: [
      ...direct.transitions.map((one) => (one.id === 2 ? { ...one, destination: 4 } : one)),
      { id: 4, key: 't4', name: '通过', source: 4, destination: 3, attribute: 1 },
    ],
  });
  const done = pressed(twoSteps, begun(twoSteps, anna, ben), anna, 2);
  const back = does(twoSteps, done, { type: 'retreat', actor: anna, suggestion: '' }, anna, cleo);
  expect(holders(back)).toEqual([
    [anna, false],
    [cleo, false],
  ]);
});

test('a suspended ticket is left alone when members leave, and is adjusted to the present members when it is resumed', () => {
  const voted = pressed(direct, begun(direct, anna, ben), ben, 3);
  expect([voted.act_state, holders(voted)]).toEqual([1, [[anna, false]]]);
  const rights = { ...noRights, intervene: true };
  const rest = (state: TicketState, type: 'suspend' | 'resume', ...crew: number[]) =>
    passed(run(direct, state, { type, actor: boss, suggestion: '等材料' }, app(...crew), { rights }));
  const resting = rest(voted, 'suspend', anna, ben);
  expect(again(direct, resting, ben).log).toEqual([]);
  const on = rest(resting, 'resume', ben);
  expect([on.act_state, holders(on)], 'the vote that is left decides').toEqual([2, [[creator, false]]]);
});
