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

test('a creator withdraws a ticket until somebody has handled it, and not afterwards', () => {
  const ticket = begun();
  expect([mayWithdraw(ticket), does(ticket, withdraw).act_state]).toEqual([true, 3]);
  const agreed = pressed(ticket, head, 2);
  expect(mayWithdraw(agreed)).toBe(false);
  expect(refused(run(strict, agreed, withdraw, numbered))).toMatch(/不由您处理/);
});

test('a ticket whose task was only handed on, or answered by an added signer, can still be withdrawn', () => {
  const handed = does(begun(), { type: 'deliver', actor: head, people: ['u4'], suggestion: '' });
  expect(mayWithdraw(handed)).toBe(true);
  const asked = { type: 'add_node', actor: head, how: 'before', mode: 'all', people: ['u4'], suggestion: '' } as const;
  const answered = does(does(begun(), asked), { type: 'add_node_end', actor: helper, suggestion: '可以' });
  expect(mayWithdraw(answered)).toBe(true);
});

test('a resubmitted ticket may be withdrawn again until somebody handles it in the new round', () => {
  const back = pressed(pressed(begun(), head, 2), leader, 4);
  const again = pressed(back, creator, 1);
  expect([again.round, mayWithdraw(again)]).toEqual([2, true]);
  expect(mayWithdraw(pressed(again, head, 2))).toBe(false);
});

test('a state may allow the creator to withdraw even after it was handled', () => {
  const lax = flow({ retreat: 'always' });
  const agreed = pressed(begun(), head, 2, lax);
  expect([mayWithdraw(agreed, lax), does(agreed, withdraw, lax).act_state]).toEqual([true, 3]);
});

const voters = [5, 6, 7, 8, 9];
/** Three of five must agree; then the leader. */
const joint = flowOf(
  [
    {
      id: 2,
      key: 'vote',
      name: '会签',
      kind: 'approve',
      order: 2,
      participants: [{ type: 2, users: voters }],
      distribution: { type: 4, reject_rule: 2, pass_ratio: 60 },
    },
    step(3, leader),
  ],
  4,
  [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
    ['拒绝', 2, 1, 2],
    ['同意', 3, 4, 1],
  ],
);
const voted = (...people: number[]) =>
  people.reduce(
    (state, person) => pressed(state, person, 2, joint),
    pressed(newTicket(creator, null), creator, 1, joint),
  );
const retreat = (state: TicketState, actor: number) =>
  run(joint, state, { type: 'retreat', actor, suggestion: '再想想' }, numbered);
const asked = (state: TicketState) =>
  state.tasks.filter(({ status }) => status === 'todo').map((task) => task.assignee);

test('a vote is taken back while others are still voting, and their votes stand', () => {
  const again = passed(retreat(voted(5, 6), 5));
  expect(asked(again).toSorted()).toEqual([5, 7, 8, 9]);
  expect(asked(pressed(pressed(again, 7, 2, joint), 8, 2, joint))).toEqual([leader]);
});

test('a vote is taken back after the count until somebody acts on the result', () => {
  const counted = voted(5, 6, 7);
  expect(asked(counted)).toEqual([leader]);
  const again = passed(retreat(counted, 6));
  expect(asked(again).toSorted()).toEqual([6, 8, 9]);
  expect(again.tasks.filter(({ status }) => status === 'agree').map((task) => task.assignee)).toEqual([creator, 5, 7]);
  expect(asked(pressed(again, 8, 2, joint))).toEqual([leader]);
  const acted = pressed(counted, leader, 4, joint);
  expect(codesOf(offered(joint, acted, 6, noRights))).not.toContain('retreat');
  expect(codesOf(offered(joint, counted, 8, noRights)), 'who has not voted has nothing to take back').not.toContain(
    'retreat',
  );
});

test('a decision in another branch cannot be taken back by a voter whose branch ended with it', () => {
  const side = flowOf(
    [
      { id: 2, key: 'split', name: '分支', kind: 'parallel_split', order: 2 },
      { ...joint.states.find(({ id }) => id === 2)!, id: 3, key: 'vote', order: 3 } as never,
      step(4, leader),
      { id: 5, key: 'join', name: '汇合', kind: 'join', order: 5, join_count: 1 },
      step(6, helper),
    ],
    7,
    [
      ['提交', 1, 2, 1],
      ['进入', 2, 3, 3],
      ['进入', 2, 4, 3],
      ['同意', 3, 5, 1],
      ['同意', 4, 5, 1],
      ['继续', 5, 6, 3],
      ['同意', 6, 7, 1],
    ],
  );
  const started = pressed(newTicket(creator, null), creator, 1, side);
  const ended = pressed(pressed(started, 5, 4, side), leader, 5, side);
  expect(asked(ended)).toEqual([helper]);
  expect(codesOf(offered(side, ended, 5, noRights))).not.toContain('retreat');
  expect(refused(run(side, ended, { type: 'retreat', actor: 5, suggestion: '' }, numbered))).toMatch(/不由您处理/);
  const back = passed(run(side, ended, { type: 'retreat', actor: leader, suggestion: '' }, numbered));
  expect(asked(back).toSorted(), 'who decided it takes it back').toEqual([leader, 6, 7, 8, 9].toSorted());
});
