import { expect, test } from 'vitest';
import { attributeType, participantType, type ParticipantVariable } from './codes.ts';
import { Definition, stateOf, type DefinitionInput } from './definition.ts';
import { statesToPick, statesToPickFirst } from './picks.ts';

const state = (id: number, kind: 'start' | 'approve' | 'condition' | 'end', variable?: ParticipantVariable) => ({
  id,
  key: `s${id}`,
  name: `环节 ${id}`,
  kind,
  order: id,
  participants: variable ? [{ type: participantType.variable, variable }] : [],
});
const way = (id: number, source: number, destination: number, target?: number) => ({
  id,
  key: `t${id}`,
  name: '同意',
  source,
  destination,
  attribute: attributeType.agree,
  conditions: target ? [{ expression: { op: 'gt', field: 'days', value: 3 }, target_state_id: target }] : [],
});
const input = {
  name: '选人',
  fields: [],
  states: [
    state(1, 'start'),
    state(2, 'approve'),
    state(3, 'condition'),
    state(4, 'approve', 'handler_select'),
    state(5, 'approve', 'creator_select'),
    state(6, 'approve', 'handler_select'),
    state(7, 'end'),
  ],
  transitions: [way(1, 1, 2), way(2, 2, 3, 6), way(3, 3, 4), way(4, 4, 5), way(5, 5, 7), way(6, 6, 7)],
} as DefinitionInput;
const definition = Definition.parse(input);
const picked = (id: number) => statesToPick(definition, stateOf(definition, id)).map((one) => one.state_id);

test('the creator picks people at the start for states however far away', () => {
  expect(picked(1)).toEqual([5]);
});

test('a handler picks people for the states that can come next, past automatic states and along any branch', () => {
  expect(picked(2)).toEqual([4, 6]);
  expect(picked(4)).toEqual([]);
});

test('the creator must pick people for states that every ticket reaches, not for one that can be bypassed', () => {
  const first = (more: Partial<DefinitionInput>) =>
    statesToPickFirst(Definition.parse({ ...input, ...more })).map(({ id }) => id);
  expect(first({}), 'the second goes another way above three days').toEqual([]);
  const [one, , , ...rest] = input.transitions;
  expect(first({ transitions: [one!, way(2, 2, 3), way(3, 3, 4), ...rest] })).toEqual([5]);
  const refused = { ...way(9, 2, 7), name: '拒绝', attribute: attributeType.refuse };
  expect(first({ transitions: [one!, way(2, 2, 3), way(3, 3, 4), ...rest, refused] }), 'who is refused').toEqual([5]);
});
