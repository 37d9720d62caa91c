import { describe, expect, test } from 'vitest';
import { Definition, stateActions, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import type { Command } from './decide.ts';
import { noRights, offered } from './ways/offers.ts';
import { hasCome, newTicket, type TicketState } from './state.ts';
import { press, waitingFor, words } from './testing/flow.ts';
import { passed, refused, run, type Organisation } from './testing/run.ts';

const [creator, law, money, chief, helper, second] = [1, 2, 3, 4, 5, 6];
const names = new Map([
  ['helper', helper],
  ['second', second],
  ['chief', chief],
]);
const app: Organisation = ({ kind, of }) =>
  kind === 'user' ? [Number(of)] : kind === 'username' ? [names.get(String(of))].filter((id) => id !== undefined) : [];

const person = (user: number) => [{ type: 1 as const, user }];
const actions = [...stateActions];
const input: DefinitionInput = {
  name: '会签',
  fields: [],
  settings: { title_template: '{workflow}' },
  states: [
    { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
    { id: 2, key: 'split', name: '同时审核', kind: 'parallel_split', order: 2 },
    { id: 3, key: 'law', name: '法务审核', kind: 'approve', order: 3, participants: person(law), actions },
    { id: 4, key: 'money', name: '财务审核', kind: 'approve', order: 4, participants: person(money), actions },
    { id: 5, key: 'join', name: '汇合', kind: 'join', order: 5 },
    { id: 6, key: 'chief', name: '领导审批', kind: 'approve', order: 6, participants: person(chief), actions },
    { id: 7, key: 'end', name: '结束', kind: 'end', order: 7 },
  ],
  transitions: [
    { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
    { id: 2, key: 't2', name: '进入', source: 2, destination: 3, attribute: 3 },
    { id: 3, key: 't3', name: '进入', source: 2, destination: 4, attribute: 3 },
    { id: 4, key: 't4', name: '同意', source: 3, destination: 5, attribute: 1 },
    { id: 5, key: 't5', name: '拒绝', source: 3, destination: 1, attribute: 2 },
    { id: 6, key: 't6', name: '同意', source: 4, destination: 5, attribute: 1 },
    { id: 7, key: 't7', name: '继续', source: 5, destination: 6, attribute: 3 },
    { id: 8, key: 't8', name: '同意', source: 6, destination: 7, attribute: 1 },
    { id: 9, key: 't9', name: '拒绝', source: 6, destination: 7, attribute: 2 },
  ],
};
const definition = Definition.parse(input);
const does = (state: TicketState, command: Command) => passed(run(definition, state, command, app));
const button = (state: TicketState, actor: number, transition_id: number) =>
  does(state, press(state, actor, transition_id));
const begun = () => button(newTicket(creator, null), creator, 1);

describe('parallel branches', () => {
  test('are handled in any order, and the ticket moves on when the last branch is through', () => {
    let ticket = begun();
    expect(waitingFor(ticket)).toEqual([law, money]);
    ticket = button(ticket, money, 6);
    expect(waitingFor(ticket)).toEqual([law]);
    ticket = button(ticket, law, 4);
    expect(waitingFor(ticket)).toEqual([chief]);
    ticket = button(ticket, chief, 8);
    expect([ticket.act_state, ticket.tokens.every((token) => token.status === 'done')]).toEqual([4, true]);
  });

  test('all end when one of them is returned to the creator', () => {
    const ticket = button(button(begun(), money, 6), law, 5);
    expect([ticket.act_state, waitingFor(ticket)]).toEqual([2, [creator]]);
    expect(ticket.tokens.filter((token) => token.status !== 'done').map((token) => token.no)).toEqual([1]);
    expect(waitingFor(button(ticket, creator, 1))).toEqual([law, money]);
  });

  test('reopen when the last decision before the join is taken back', () => {
    const joined = button(button(begun(), money, 6), law, 4);
    const ticket = does(joined, { type: 'retreat', actor: law, suggestion: '' });
    expect(waitingFor(ticket)).toEqual([law]);
    expect(waitingFor(button(ticket, law, 4))).toEqual([chief]);
  });

  test('leave no stuck ticket when a refusal ends it', () => {
    const ticket = button(button(button(begun(), law, 4), money, 6), chief, 9);
    expect([ticket.act_state, waitingFor(ticket)]).toEqual([5, []]);
  });
});

describe('added signers', () => {
  const add = (state: TicketState, actor: number, how: 'before' | 'parallel' | 'after', ...people: string[]) =>
    does(state, { type: 'add_node', actor, how, mode: 'all', people, suggestion: '' });

  test('answer to the person who added them, last added first, and only in their own branch', () => {
    let ticket = add(add(begun(), law, 'before', 'helper'), helper, 'before', 'second');
    expect(waitingFor(ticket)).toEqual([money, second]);
    ticket = does(ticket, { type: 'add_node_end', actor: second, suggestion: '' });
    expect(waitingFor(ticket)).toEqual([money, helper]);
    ticket = does(ticket, { type: 'add_node_end', actor: helper, suggestion: '' });
    expect(waitingFor(ticket)).toEqual([law, money]);
  });

  test('that a removed signer had added are removed too, and nobody is left waiting', () => {
    let ticket = add(add(begun(), law, 'before', 'helper'), helper, 'before', 'second');
    const [choice] = offered(definition, ticket, law, noRights).find(
      (offer) => offer.action === 'remove_node',
    )!.choices;
    ticket = does(ticket, { type: 'remove_node', actor: law, added: choice!, suggestion: '' });
    expect(waitingFor(ticket)).toEqual([law, money]);
  });

  test('after the signer keep the state open until they have agreed as well', () => {
    let ticket = button(add(begun(), law, 'after', 'helper'), law, 4);
    expect(waitingFor(ticket)).toEqual([money, helper]);
    ticket = button(button(ticket, money, 6), helper, 4);
    expect(waitingFor(ticket)).toEqual([chief]);
  });
});

test('a split vote of all signers has an outcome, and a vote that was handed over still counts', () => {
  const together = structuredClone(input);
  together.states[2]!.participants = [{ type: 2, users: [law, money, chief] }];
  together.states[2]!.distribution = { type: 4, reject_rule: 3 };
  together.transitions[0]!.destination = 3;
  const all = Definition.parse(together);
  const go = (state: TicketState, command: Command) => passed(run(all, state, command, app));
  const vote = (state: TicketState, actor: number, transition_id: number) =>
    go(state, { type: 'handle', actor, transition_id, ...words });
  let ticket = go(newTicket(creator, null), { type: 'create', actor: creator, transition_id: 1, ...words });
  ticket = vote(ticket, law, 4);
  ticket = go(ticket, { type: 'deliver', actor: money, people: ['helper'], suggestion: '' });
  expect(waitingFor(ticket)).toEqual([chief, helper]);
  ticket = vote(ticket, helper, 5);
  expect(waitingFor(ticket)).toEqual([chief]);
  ticket = vote(ticket, chief, 4);
  expect([ticket.act_state, waitingFor(ticket)]).toEqual([2, [creator]]);
});

test('nobody votes twice in one stay, neither by a hand-over nor as an added signer', () => {
  const together = structuredClone(input);
  together.states[2]!.participants = [{ type: 2, users: [money, helper, second] }];
  together.states[2]!.distribution = { type: 4, reject_rule: 1 };
  together.transitions[0]!.destination = 3;
  const all = Definition.parse(together);
  const go = (state: TicketState, command: Command) => run(all, state, command, app);
  const begun = passed(go(newTicket(creator, null), { type: 'create', actor: creator, transition_id: 1, ...words }));
  const voted = passed(go(begun, { type: 'handle', actor: helper, transition_id: 4, ...words }));
  const to = { actor: money, people: ['helper'], suggestion: '' };
  const sentence = '用户：“helper”已经处理过这个环节，请选择他人';
  expect(refused(go(voted, { type: 'deliver', ...to }))).toBe(sentence);
  expect(refused(go(voted, { type: 'add_node', how: 'parallel', mode: 'any', ...to }))).toBe(sentence);
  const asking = passed(go(begun, { type: 'delegate', actor: money, people: ['chief'], suggestion: '' }));
  const answered = passed(go(asking, { type: 'add_node_end', actor: chief, suggestion: '可以' }));
  const handed = passed(go(answered, { type: 'deliver', actor: money, people: ['chief'], suggestion: '' }));
  expect(waitingFor(handed), 'an opinion is no vote').toEqual([helper, second, chief]);
});

test('a person not yet asked in a sequence does not see the ticket, and is asked in turn when it comes straight back', () => {
  const inTurn = structuredClone(input);
  inTurn.states[2]!.participants = [{ type: 2, users: [law, money] }];
  inTurn.states[2]!.distribution = { type: 5 };
  inTurn.transitions[0]!.destination = 3;
  const one = Definition.parse(inTurn);
  const go = (state: TicketState, command: Command) => passed(run(one, state, command, app));
  const begun = go(newTicket(creator, null), { type: 'create', actor: creator, transition_id: 1, ...words });
  const came = (state: TicketState, person: number) =>
    state.tasks.some((task) => task.assignee === person && hasCome(state, task));
  const said = { actor: law, suggestion: '不行' };
  const no = go(begun, { type: 'handle', transition_id: 5, ...words, ...said });
  expect([came(no, law), came(no, money)]).toEqual([true, false]);
  const undone = go(no, { type: 'retreat', ...said });
  const yes = go(undone, { type: 'handle', transition_id: 4, ...words, ...said });
  expect(waitingFor(yes)).toEqual([money]);
  const back = go(begun, { type: 'return', state_id: 1, resubmit_mode: 2, ...said });
  expect(came(back, money)).toBe(false);
  const again = go(back, { type: 'handle', actor: creator, transition_id: 1, ...words });
  expect(waitingFor(go(again, { type: 'handle', transition_id: 4, ...words, ...said }))).toEqual([money]);
  const added = go(begun, { type: 'add_node', how: 'after', mode: 'all', people: ['helper'], ...said });
  const refusal = go(added, { type: 'handle', transition_id: 5, ...words, ...said });
  expect(came(refusal, helper)).toBe(false);
});

describe('publishing parallel branches', () => {
  const problems = (change: (draft: DefinitionInput) => void) => {
    const draft = structuredClone(input);
    change(draft);
    return publishProblems(Definition.parse(draft)).map((problem) => problem.msg);
  };

  test('accepts branches that meet again, and names those that leave without meeting', () => {
    expect(publishProblems(definition)).toEqual([]);
    expect(problems((draft) => (draft.transitions[3]!.destination = 6))).toContain(
      '环节“领导审批”在“同时审核”的分支里，不能与分支外的环节相连；请经过汇合环节',
    );
    expect(problems((draft) => (draft.transitions[7]!.destination = 3))).toContain(
      '环节“法务审核”在“同时审核”的分支里，不能与分支外的环节相连；请经过汇合环节',
    );
    expect(problems((draft) => draft.transitions.splice(2, 1))).toContain('环节“同时审核”是分支环节，至少要有两个流转');
  });
});
