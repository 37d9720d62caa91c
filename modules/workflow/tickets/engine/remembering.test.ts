import { describe, expect, test } from 'vitest';
import { distributeType, rejectRule } from '#modules/workflow/workflows/engine/codes.ts';
import { stateActions, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { mainStateId, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const [creator, first, second] = [1, 2, 3];
const [submit, agree, refuse] = [1, 2, 3];
const remembering = (distribution: DefinitionInput['states'][number]['distribution']) => {
  const actions = [...stateActions];
  const participants = [{ type: 2 as const, users: [first, second] }];
  const place = { id: 2, key: 'head', name: '审批', kind: 'approve' as const, order: 2, participants, actions };
  const definition = flowOf([{ ...place, distribution, remember_last: true }], 3, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
    ['拒绝', 2, 1, 2],
  ]);
  const does = (state: TicketState, command: Command) => passed(run(definition, state, command, numbered));
  const button = (state: TicketState, actor: number, way: number) => does(state, press(state, actor, way));
  return { does, button, begun: () => button(newTicket(creator, null), creator, submit) };
};

describe('a state that gives a repeated task to its last handler', () => {
  test.each([
    ['beside each other', { type: distributeType.all, reject_rule: rejectRule.veto }],
    ['one after the other', { type: distributeType.sequential }],
  ] as const)('still asks everybody where all must sign, %s', (_how, distribution) => {
    const { button, begun } = remembering(distribution);
    const again = button(button(button(begun(), first, agree), second, refuse), creator, submit);
    const half = button(again, first, agree);
    expect([mainStateId(half), waitingFor(half)], 'one voice does not carry it').toEqual([2, [second]]);
    expect(mainStateId(button(half, second, agree))).toBe(3);
  });

  test('asks the person who last held the task, not somebody who was asked there for an opinion', () => {
    const { does, button, begun } = remembering({ type: distributeType.claim });
    const claimed = does(begun(), { type: 'accept', actor: first });
    const add = { type: 'add_node', actor: first, how: 'before', mode: 'all', suggestion: '' } as const;
    const asked = does(claimed, { ...add, people: [`u${second}`] });
    const answered = does(asked, { type: 'add_node_end', actor: second, suggestion: '可以' });
    expect(waitingFor(button(button(answered, first, refuse), creator, submit))).toEqual([first]);
  });

  test('asks the person who last held the task, not a signer added beside them', () => {
    const { does, button, begun } = remembering({ type: distributeType.claim });
    const claimed = does(begun(), { type: 'accept', actor: first });
    const add = { type: 'add_node', actor: first, how: 'parallel', mode: 'all', suggestion: '' } as const;
    const beside = does(claimed, { ...add, people: [`u${second}`] });
    const back = button(button(beside, second, agree), first, refuse);
    expect(waitingFor(button(back, creator, submit))).toEqual([first]);
  });
});
