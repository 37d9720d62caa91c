import { expect, test } from 'vitest';
import { distributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { stateActions } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { codesOf, noRights, offered } from './ways/offers.ts';
import { isOver, mainStateId, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const [creator, first, leaver, receiver, helper] = [1, 2, 3, 4, 5];
const place = {
  id: 2,
  key: 'head',
  name: '审批',
  kind: 'approve' as const,
  order: 2,
  participants: [{ type: 2 as const, users: [first, leaver] }],
  distribution: { type: distributeType.sequential },
  actions: [...stateActions],
};
const definition = flowOf([place], 3, [
  ['提交', 1, 2, 1],
  ['同意', 2, 3, 1],
  ['拒绝', 2, 1, 2],
]);
const does = (state: TicketState, command: Command, rights = noRights) =>
  passed(run(definition, state, command, numbered, { rights }));
const handedOver = (state: TicketState) => {
  const task = state.tasks.find((one) => one.assignee === leaver && one.status === 'waiting');
  const action = {
    type: 'deliver',
    actor: leaver,
    people: [`u${receiver}`],
    suggestion: '离岗',
    task_no: task?.no,
  } as const;
  return does(state, action, { ...noRights, hands_over: true });
};
const begun = () => does(newTicket(creator, null), press(newTicket(creator, null), creator, 1));

test('a seat whose turn has not come can be handed over, and its new holder is asked in turn', () => {
  expect(codesOf(offered(definition, begun(), leaver, noRights)), 'only in a hand-over').not.toContain('deliver');
  const ticket = handedOver(begun());
  expect(waitingFor(ticket), 'not before its turn').toEqual([first]);
  const next = does(ticket, press(ticket, first, 2));
  expect([mainStateId(next), waitingFor(next)]).toEqual([2, [receiver]]);
  expect(isOver(does(next, press(next, receiver, 2)))).toBe(true);
});

test('a seat that waits for an opinion can be handed over, and the opinion goes to its new holder', () => {
  const turn = does(begun(), press(begun(), first, 2));
  const add = { type: 'add_node', actor: leaver, how: 'before', mode: 'all', suggestion: '' } as const;
  const ticket = handedOver(does(turn, { ...add, people: [`u${helper}`] }));
  expect(waitingFor(ticket)).toEqual([helper]);
  const answered = does(ticket, { type: 'add_node_end', actor: helper, suggestion: '可以' });
  expect(waitingFor(answered)).toEqual([receiver]);
});
