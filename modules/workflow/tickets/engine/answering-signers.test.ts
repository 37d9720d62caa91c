import { expect, test } from 'vitest';
import { stateActions } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { codesOf, noRights, offered } from './ways/offers.ts';
import { newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const [creator, head, first, second, third] = [1, 2, 3, 4, 5];
const approval = { participants: [{ type: 1 as const, user: head }], actions: [...stateActions] };
const definition = flowOf([{ id: 2, key: 'head', name: '审批', kind: 'approve', order: 2, ...approval }], 3, [
  ['提交', 1, 2, 1],
  ['同意', 2, 3, 1],
  ['拒绝', 2, 1, 2],
]);
const does = (state: TicketState, command: Command) => passed(run(definition, state, command, numbered));
const may = (state: TicketState, person: number) => codesOf(offered(definition, state, person, noRights));
const answer = (state: TicketState, actor: number) =>
  does(state, { type: 'add_node_end', actor, suggestion: `${actor} 的意见` });
const add = (
  state: TicketState,
  actor: number,
  how: 'before' | 'parallel' | 'after',
  mode: 'any' | 'all' | 'sequential',
  ...people: number[]
) => does(state, { type: 'add_node', actor, how, mode, people: people.map((one) => `u${one}`), suggestion: '' });
const asked = (mode: 'any' | 'all' | 'sequential', ...people: number[]) => {
  const ticket = newTicket(creator, null);
  return add(does(ticket, press(ticket, creator, 1)), head, 'before', mode, ...people);
};

test('a signer added beside a person who was asked for an opinion gives an opinion too, and has no approval button', () => {
  const ticket = add(asked('all', first), first, 'parallel', 'all', second);
  expect(may(ticket, second)).toContain('add_node_end');
  expect(may(ticket, second)).not.toContain('approve');
  expect(may(ticket, second)).not.toContain('refuse');
  const half = answer(ticket, first);
  expect(waitingFor(half), 'the task does not come back before both have answered').toEqual([second]);
  expect(waitingFor(answer(half, second))).toEqual([head]);
});

test('one opinion is enough from signers added side by side if that was chosen', () => {
  const ticket = add(asked('all', first), first, 'parallel', 'any', second);
  expect(waitingFor(answer(ticket, second))).toEqual([head]);
});

test('a signer added after a person who was asked for an opinion is asked after that person, then the task returns', () => {
  const ticket = add(asked('all', first), first, 'after', 'sequential', second, third);
  expect(waitingFor(ticket)).toEqual([first]);
  const next = answer(ticket, first);
  expect([waitingFor(next), may(next, second)]).toEqual([[second], expect.arrayContaining(['add_node_end'])]);
  const last = answer(next, second);
  expect(waitingFor(last)).toEqual([third]);
  expect(waitingFor(answer(last, third))).toEqual([head]);
});

test('when one of several opinions is enough, an opinion whose own added signers have not answered does not count yet', () => {
  const helped = add(asked('any', first, second), first, 'after', 'all', third);
  expect(waitingFor(answer(helped, first))).toEqual([second, third]);
  expect(waitingFor(answer(helped, second))).toEqual([head]);
});
