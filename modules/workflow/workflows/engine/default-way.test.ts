import { describe, expect, test } from 'vitest';
import { run, passed } from '#modules/workflow/tickets/engine/testing/run.ts';
import { newTicket } from '#modules/workflow/tickets/engine/state.ts';
import { Definition } from './definition.ts';
import { publishProblems } from './check/publish-check.ts';

const state = (id: number, kind: string, more: object = {}) => ({
  id,
  key: `s${id}`,
  name: `环节${id}`,
  kind,
  order: id,
  ...more,
});
const way = (id: number, source: number, destination: number, more: object = {}) => ({
  id,
  key: `t${id}`,
  name: `按钮${id}`,
  source,
  destination,
  attribute: 1,
  ...more,
});
const asks = (id: number, user: number) => state(id, 'approve', { participants: [{ type: 1, user }], on_empty: 4 });
const over = (value: number, target_state_id: number) => ({
  conditions: [{ expression: { op: 'gt', field: 'amount', value }, target_state_id }],
});
/** Two branches with a condition each; `first`, `second`: more properties of their transitions. */
const flow = (first: object, second: object) =>
  Definition.parse({
    name: '多选',
    fields: [{ id: 1, key: 'amount', name: '金额', type: 10, min: 0, max: 10 }],
    settings: { title_template: '申请' },
    states: [
      state(1, 'start', { access: { amount: 3 } }),
      state(2, 'inclusive'),
      asks(3, 13),
      asks(4, 14),
      state(5, 'join'),
      state(6, 'end'),
    ],
    transitions: [
      way(1, 1, 2),
      way(2, 2, 3, { ...over(3, 3), ...first }),
      way(3, 2, 4, { ...over(5, 4), ...second }),
      way(4, 3, 5),
      way(5, 4, 5),
      way(6, 5, 6),
    ],
  });
const asked = (definition: Definition, amount: number) =>
  passed(
    run(
      definition,
      newTicket(1, 1),
      { type: 'create', actor: 1, transition_id: 1, suggestion: '', choose: {}, fields: { amount } },
      ({ kind, of }) => (kind === 'user' ? [Number(of)] : []),
    ),
  )
    .tasks.filter((task) => task.status === 'todo')
    .map((task) => task.assignee);

describe('an inclusive split whose conditions are all false', () => {
  test('takes its default branch, which is taken in no other case', () => {
    const definition = flow({}, { otherwise: true });
    expect([asked(definition, 1), asked(definition, 4), asked(definition, 6)]).toEqual([[14], [13], [13, 14]]);
  });

  test('may have a default without a condition of its own, which is not taken beside a true one', () => {
    const definition = flow({}, { otherwise: true, conditions: [] });
    expect([asked(definition, 1), asked(definition, 4)]).toEqual([[14], [13]]);
  });
});

test('publishing asks an inclusive split for exactly one default, unless some branch is always taken', () => {
  const said = (definition: Definition) => publishProblems(definition).map((problem) => problem.msg);
  expect(said(flow({}, {}))).toEqual(['环节“环节2”是多选分支，要指定一个“都不满足时走这里”的流转']);
  expect(said(flow({ otherwise: true }, { otherwise: true }))).toEqual([
    '环节“环节2”有 2 个“都不满足时走这里”的流转，只能指定一个',
  ]);
  expect(said(flow({}, { otherwise: true }))).toEqual([]);
  expect(said(flow({}, { conditions: [] }))).toEqual([]);
  const elsewhere = flow({}, { otherwise: true });
  const transitions = elsewhere.transitions.map((exit) => (exit.id === 4 ? { ...exit, otherwise: true } : exit));
  expect(said({ ...elsewhere, transitions })).toEqual([
    '流转“按钮4”指定了“都不满足时走这里”，只有多选分支的流转可以指定',
  ]);
});
