import { expect, test } from 'vitest';
import { Definition } from '#modules/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { codesOf, noRights, offered } from './offers.ts';
import { newTicket, type TicketState } from './state.ts';
import { passed, refused, run, type Organisation } from './testing/run.ts';

const [creator, head, leader, helper] = [1, 2, 3, 4];
const office: Organisation = ({ kind, of }) => (kind === 'username' ? [Number(String(of).slice(1))] : [Number(of)]);
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
  Definition.parse({
    name: '两级审批',
    fields: [],
    settings: { title_template: '{workflow}' },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      step(2, head),
      step(3, leader, label),
      { id: 4, key: 'end', name: '结束', kind: 'end', order: 4 },
    ],
    transitions: [
      { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 2, key: 't2', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 3, key: 't3', name: '同意', source: 3, destination: 4, attribute: 1 },
      { id: 4, key: 't4', name: '退回', source: 3, destination: 1, attribute: 2 },
    ],
  });
const strict = flow();
const words = { suggestion: '好', fields: {}, choose: {} };
const does = (state: TicketState, command: Command, definition = strict) =>
  passed(run(definition, state, command, office));
const press = (state: TicketState, actor: number, transition_id: number, definition = strict) =>
  does(state, { type: state.seq === 0 ? 'create' : 'handle', actor, transition_id, ...words }, definition);
const begun = () => press(newTicket(creator, null), creator, 1);
const mayWithdraw = (state: TicketState, definition = strict) =>
  codesOf(offered(definition, state, creator, noRights)).includes('retreat');
const withdraw: Command = { type: 'retreat', actor: creator, suggestion: '' };

test('a creator withdraws while nobody has handled the ticket, and not once somebody has', () => {
  const ticket = begun();
  expect([mayWithdraw(ticket), does(ticket, withdraw).act_state]).toEqual([true, 3]);
  const agreed = press(ticket, head, 2);
  expect(mayWithdraw(agreed)).toBe(false);
  expect(refused(run(strict, agreed, withdraw, office))).toMatch(/不由您处理/);
});

test('what was only passed on, or answered for another, is not handled yet', () => {
  const handed = does(begun(), { type: 'deliver', actor: head, people: ['u4'], suggestion: '' });
  expect(mayWithdraw(handed)).toBe(true);
  const asked = { type: 'add_node', actor: head, how: 'before', mode: 'all', people: ['u4'], suggestion: '' } as const;
  const answered = does(does(begun(), asked), { type: 'add_node_end', actor: helper, suggestion: '可以' });
  expect(mayWithdraw(answered)).toBe(true);
});

test('in the next round it may be withdrawn again until somebody handles that', () => {
  const back = press(press(begun(), head, 2), leader, 4);
  const again = press(back, creator, 1);
  expect([again.round, mayWithdraw(again)]).toEqual([2, true]);
  expect(mayWithdraw(press(again, head, 2))).toBe(false);
});

test('a state may say that it is given back all the same', () => {
  const lax = flow({ retreat: 'always' });
  const agreed = press(begun(), head, 2, lax);
  expect([mayWithdraw(agreed, lax), does(agreed, withdraw, lax).act_state]).toEqual([true, 3]);
});
