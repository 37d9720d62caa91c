import { expect, test } from 'vitest';
import type { Command } from './decide.ts';
import { codesOf, noRights, offered } from './ways/offers.ts';
import { newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press } from './testing/flow.ts';
import { passed, refused, run } from './testing/run.ts';

const [creator, head, leader, helper] = [1, 2, 3, 4];
const step = (id: number, user: number, label: Record<string, string> = {}) => ({
  id,
  key: `s${id}`,
  name: `审批${id}`,
  kind: 'approve' as const,
  order: id,
  participants: [{ type: 1 as const, user }],
  actions: ['deliver' as const, 'add_node' as const, 'retreat' as const],
  label,
});
const flow = (label: Record<string, string> = {}) =>
  flowOf([step(2, head), step(3, leader, label)], 4, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
    ['同意', 3, 4, 1],
    ['退回', 3, 1, 2],
  ]);
const strict = flow();
const does = (state: TicketState, command: Command, definition = strict) =>
  passed(run(definition, state, command, numbered));
const pressed = (state: TicketState, actor: number, transition_id: number, definition = strict) =>
  does(state, press(state, actor, transition_id), definition);
const begun = () => pressed(newTicket(creator, null), creator, 1);
const mayWithdraw = (state: TicketState, definition = strict) =>
  codesOf(offered(definition, state, creator, noRights)).includes('retreat');
const withdraw: Command = { type: 'retreat', actor: creator, suggestion: '' };

test('a creator withdraws while nobody has handled the ticket, and not once somebody has', () => {
  const ticket = begun();
  expect([mayWithdraw(ticket), does(ticket, withdraw).act_state]).toEqual([true, 3]);
  const agreed = pressed(ticket, head, 2);
  expect(mayWithdraw(agreed)).toBe(false);
  expect(refused(run(strict, agreed, withdraw, numbered))).toMatch(/不由您处理/);
});

test('what was only passed on, or answered for another, is not handled yet', () => {
  const handed = does(begun(), { type: 'deliver', actor: head, people: ['u4'], suggestion: '' });
  expect(mayWithdraw(handed)).toBe(true);
  const asked = { type: 'add_node', actor: head, how: 'before', mode: 'all', people: ['u4'], suggestion: '' } as const;
  const answered = does(does(begun(), asked), { type: 'add_node_end', actor: helper, suggestion: '可以' });
  expect(mayWithdraw(answered)).toBe(true);
});

test('in the next round it may be withdrawn again until somebody handles that', () => {
  const back = pressed(pressed(begun(), head, 2), leader, 4);
  const again = pressed(back, creator, 1);
  expect([again.round, mayWithdraw(again)]).toEqual([2, true]);
  expect(mayWithdraw(pressed(again, head, 2))).toBe(false);
});

test('a state may say that it is given back all the same', () => {
  const lax = flow({ retreat: 'always' });
  const agreed = pressed(begun(), head, 2, lax);
  expect([mayWithdraw(agreed, lax), does(agreed, withdraw, lax).act_state]).toEqual([true, 3]);
});
