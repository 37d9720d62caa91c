import { describe, expect, test } from 'vitest';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import type { Definition, DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { Definition as DefinitionSchema } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { isOpen, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, refused, run } from './testing/run.ts';
import { noRights, offered } from './ways/offers.ts';

type State = DefinitionInput['states'][number];
const approve = (id: number, user: number, more: Partial<State> = {}): State => ({
  id,
  key: `s${id}`,
  name: `审批${id}`,
  kind: 'approve',
  order: id,
  participants: [{ type: 1, user }],
  actions: ['return'],
  ...more,
});
/**
 * Three branches, 11, 12 and 13, the last of two states (13, then 14); after the join 15. Buttons: 5, 6, 7 and 8 agree in the branches, 9
 * leaves the join, 10 ends it.
 */
function flow(
  {
    split = {},
    join = {},
    branch = {},
    ways = {},
  }: {
    split?: Partial<State>;
    join?: Partial<State>;
    branch?: Partial<State>;
    ways?: Record<number, object>;
  } = {},
  more: [string, number, number, 1 | 2 | 3][] = [],
): Definition {
  const plain = flowOf(
    [
      { id: 2, key: 'split', name: '分支', kind: 'parallel_split', order: 2, ...split },
      approve(3, 11, branch),
      approve(4, 12, branch),
      approve(5, 13, branch),
      approve(6, 14, branch),
      { id: 7, key: 'join', name: '汇合', kind: 'join', order: 7, ...join },
      approve(8, 15),
    ],
    9,
    [
      ['提交', 1, 2, 1],
      ['进入', 2, 3, 3],
      ['进入', 2, 4, 3],
      ['进入', 2, 5, 3],
      ['同意', 3, 7, 1],
      ['同意', 4, 7, 1],
      ['同意', 5, 6, 1],
      ['同意', 6, 7, 1],
      ['继续', 7, 8, 3],
      ['同意', 8, 9, 1],
      ...more,
    ],
  );
  const definition = DefinitionSchema.parse({
    ...plain,
    transitions: plain.transitions.map((one) => ({ ...one, ...ways[one.id] })),
  });
  return definition;
}
const sound = (definition: Definition) => expect(publishProblems(definition)).toEqual([]);
const begun = (definition: Definition) => {
  sound(definition);
  return passed(run(definition, newTicket(1, null), press(newTicket(1, null), 1, 1), numbered));
};
const presses = (definition: Definition, state: TicketState, ...steps: [number, number][]) =>
  steps.reduce((now, [who, button]) => passed(run(definition, now, press(now, who, button), numbered)), state);
const takes = (definition: Definition, state: TicketState, actor: number) =>
  run(definition, state, { type: 'accept', actor }, numbered);
const codes = (definition: Definition, state: TicketState, who: number) =>
  offered(definition, state, who, noRights).map((offer) => offer.code);

describe('a join that moves on with the first branch', () => {
  const definition = flow({ join: { join_count: 1, join_rest: 'run' } });

  test('lets the other branches run on, and they do not move the ticket', () => {
    let state = presses(definition, begun(definition), [12, 6]);
    expect(waitingFor(state)).toEqual([11, 13, 15]);
    expect(state.tokens[0]).toMatchObject({ no: 1, state_id: 8, status: 'active' });
    state = presses(definition, state, [13, 7], [11, 5]);
    expect(waitingFor(state)).toEqual([15, 14]);
    expect(state.tokens[0]).toMatchObject({ no: 1, state_id: 8, status: 'active' });
    state = presses(definition, state, [14, 8]);
    expect([waitingFor(state), state.act_state]).toEqual([[15], 1]);
    expect(presses(definition, state, [15, 10]).act_state).toBe(4);
  });

  test('ends the branches still running when the ticket ends or returns to its creator', () => {
    const state = presses(definition, begun(definition), [12, 6]);
    const over = presses(definition, state, [15, 10]);
    expect([over.act_state, over.tasks.filter(isOpen), over.tokens.filter((one) => one.status !== 'done')]).toEqual([
      4,
      [],
      [],
    ]);
    const back: Command = { type: 'return', actor: 15, state_id: 1, suggestion: '请重填' };
    const returned = passed(run(definition, state, back, numbered));
    expect([waitingFor(returned), returned.act_state]).toEqual([[1], 2]);
  });

  test('ignores a refusal in a branch that nobody waits for any more', () => {
    const refusing = flow({ join: { join_count: 1, join_rest: 'run' } }, [['拒绝', 3, 1, 2]]);
    const state = presses(refusing, begun(refusing), [12, 6], [11, 11]);
    expect([waitingFor(state), state.act_state]).toEqual([[13, 15], 1]);
  });

  test('is not reopened before the last branch still running has arrived', () => {
    const again = flow({ join: { join_count: 1, join_rest: 'run' } }, [['再来', 8, 2, 3]]);
    let state = presses(again, begun(again), [12, 6], [15, 11]);
    expect(waitingFor(state)).toEqual([11, 13]);
    state = presses(again, state, [11, 5], [13, 7]);
    expect(waitingFor(state)).toEqual([14]);
    state = presses(again, state, [14, 8]);
    expect(waitingFor(state)).toEqual([11, 12, 13]);
  });
});

describe('branches that take turns', () => {
  const claim = { distribution: { type: 1, always: true } } as const;

  test('are started in any order, and the others wait until the running branch is through', () => {
    const definition = flow({ split: { turns: 'branch' }, branch: claim });
    let state = begun(definition);
    for (const who of [11, 12, 13]) expect(codes(definition, state, who)).toEqual(['accept', 'comment']);
    state = passed(takes(definition, state, 13));
    expect(codes(definition, state, 13)).toContain('approve');
    expect(codes(definition, state, 11)).toEqual(['comment']);
    expect(refused(takes(definition, state, 11))).toContain('另一个分支正在办理');
    state = presses(definition, state, [13, 7]);
    expect(refused(takes(definition, state, 11))).toContain('另一个分支正在办理');
    state = passed(takes(definition, state, 14));
    state = presses(definition, state, [14, 8]);
    for (const [who, button] of [
      [12, 6],
      [11, 5],
    ] as const) {
      state = passed(takes(definition, state, who));
      state = presses(definition, state, [who, button]);
    }
    expect(waitingFor(state)).toEqual([15]);
  });

  test('may switch after each state, and a person who releases a claimed task lets another branch begin', () => {
    const definition = flow({ split: { turns: 'state' }, branch: claim });
    let state = presses(definition, passed(takes(definition, begun(definition), 13)), [13, 7]);
    // The branch of 13 is not finished, and another has its turn.
    state = passed(takes(definition, state, 11));
    expect(refused(takes(definition, state, 14))).toContain('另一个分支正在办理');
    state = passed(run(definition, state, { type: 'release', actor: 11, suggestion: '' }, numbered));
    state = presses(definition, passed(takes(definition, state, 14)), [14, 8]);
    expect(waitingFor(state)).toEqual([11, 12]);
  });

  test('cannot be published if two of them could run at the same time', () => {
    const problems = (definition: Definition) => publishProblems(definition).map((one) => [one.key, one.msg]);
    expect(problems(flow({ split: { turns: 'branch' } }))).toEqual(
      ['s3', 's4', 's5'].map((key) => [key, expect.stringContaining('先接单再办理')]),
    );
    expect(problems(flow({ split: { turns: 'state' } })).length).toBe(4);
  });
});

test('a task may be offered to one person, who takes it or gives it back', () => {
  const definition = flowOf([approve(2, 11, { distribution: { type: 1, always: true } })], 3, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
  ]);
  let state = begun(definition);
  expect(codes(definition, state, 11)).toEqual(['accept', 'comment']);
  state = passed(takes(definition, state, 11));
  expect(codes(definition, state, 11)).toEqual(expect.arrayContaining(['approve', 'release']));
  state = passed(run(definition, state, { type: 'release', actor: 11, suggestion: '' }, numbered));
  expect(codes(definition, state, 11)).toEqual(['accept', 'comment']);
});

test('a handler may skip a task by a button that the workflow provides, even with required fields empty', () => {
  const plain = flowOf([approve(2, 11, { access: { note: 2 } })], 3, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
    ['跳过', 2, 3, 3],
  ]);
  const definition = DefinitionSchema.parse({
    ...plain,
    fields: [{ id: 1, key: 'note', name: '说明', type: 5 }],
    transitions: plain.transitions.map((one) => ({ ...one, field_require_check: one.name !== '跳过' })),
  });
  const state = begun(definition);
  expect(run(definition, state, press(state, 11, 2), numbered).kind).toBe('refused');
  expect(presses(definition, state, [11, 3]).act_state).toBe(4);
});

test('a button that depends on another branch is offered only while the ticket stands in that branch’s state', () => {
  const definition = flow({ ways: { 11: { only_at: ['s5'] } } }, [['加急', 3, 7, 3]]);
  let state = begun(definition);
  const shown = (who: number) =>
    offered(definition, state, who, noRights).flatMap((offer) => offer.transition?.name ?? []);
  expect(shown(11)).toEqual(['同意', '加急']);
  state = presses(definition, state, [13, 7]);
  expect(shown(11)).toEqual(['同意']);
  expect(refused(run(definition, state, press(state, 11, 11), numbered))).toContain('现在不能做这个操作');
});

test('a workflow is not published if a button depending on another branch is the only exit or names a state elsewhere', () => {
  const msgs = (ways: Record<number, object>) => publishProblems(flow({ ways })).map((one) => one.msg);
  expect(msgs({ 5: { only_at: ['s5'] } })).toEqual([expect.stringContaining('总能用的“同意”')]);
  expect(
    publishProblems(flow({ ways: { 11: { only_at: ['s8'] } } }, [['加急', 3, 7, 3]])).map((one) => one.msg),
  ).toEqual([expect.stringContaining('不是同一组分支里别的环节')]);
});

describe('a transition that leaves its branches', () => {
  test('ends all of them, and the ticket continues at its target', () => {
    const definition = flow({ ways: { 11: { leaves_branches: true } } }, [['中止', 4, 8, 3]]);
    const state = presses(definition, begun(definition), [11, 5], [12, 11]);
    expect(waitingFor(state)).toEqual([15]);
    expect(state.tokens.filter((one) => one.status !== 'done').map((one) => one.no)).toEqual([1]);
    expect(state.tasks.find((task) => task.assignee === 13)).toMatchObject({ status: 'cancelled' });
  });

  test('may be taken by a timer', () => {
    const definition = flow({ ways: { 11: { leaves_branches: true, timer: 3600 } } }, [['到期', 4, 8, 3]]);
    const state = begun(definition);
    const { no, visit } = state.tokens.find((one) => one.state_id === 4)!;
    expect(waitingFor(passed(run(definition, state, { type: 'timer', token: no, visit }, numbered)))).toEqual([15]);
  });

  test('must lead to a state outside the branches', () => {
    const msgs = (to: number) =>
      publishProblems(flow({ ways: { 11: { leaves_branches: true } } }, [['中止', 4, to, 3]])).map((one) => one.msg);
    expect(msgs(3)).toContainEqual(expect.stringContaining('要指向这些分支之外'));
    expect(msgs(9)).toEqual([]);
  });
});

describe('a return to several branches at once', () => {
  const definition = flow();
  const done = () => presses(definition, begun(definition), [11, 5], [12, 6], [13, 7], [14, 8]);
  const returning = (state_ids: number[]): Command => ({ type: 'return', actor: 15, state_ids, suggestion: '请补充' });

  test('reopens the branches at the named states, and only those', () => {
    const state = done();
    const offer = offered(definition, state, 15, noRights).find((one) => one.code === 'return');
    expect(offer?.beside).toEqual([[3], [4], [5, 6]]);
    let now = passed(run(definition, state, returning([3, 6]), numbered));
    expect(waitingFor(now)).toEqual([11, 14]);
    now = presses(definition, now, [11, 5]);
    expect(waitingFor(now)).toEqual([14]);
    now = presses(definition, now, [14, 8]);
    expect(waitingFor(now)).toEqual([15]);
    expect(presses(definition, now, [15, 10]).act_state).toBe(4);
  });

  test('must name one state in each branch, among those already passed', () => {
    for (const ids of [[5, 6], [8], [2], []])
      expect(run(definition, done(), returning(ids), numbered).kind, ids.join()).toBe('refused');
  });

  test('waits for all returned branches, even if the join needs fewer', () => {
    const first = flow({ join: { join_count: 1 } });
    const state = presses(first, begun(first), [12, 6]);
    const offer = offered(first, state, 15, noRights).find((one) => one.code === 'return');
    expect(offer?.beside).toEqual([[4]]);
    const now = passed(run(first, state, returning([4]), numbered));
    expect(waitingFor(presses(first, now, [12, 6]))).toEqual([15]);
  });

  /** Of two branches one is a block of its own: 12 and 13 decide beside each other within it, 15 behind both. */
  const nested = flowOf(
    [
      { id: 2, key: 'split', name: '分支', kind: 'parallel_split', order: 2 },
      approve(3, 11),
      { id: 4, key: 'inner', name: '内层分支', kind: 'parallel_split', order: 4 },
      approve(5, 12),
      approve(6, 13),
      { id: 7, key: 'met', name: '内层汇合', kind: 'join', order: 7 },
      { id: 8, key: 'join', name: '汇合', kind: 'join', order: 8 },
      approve(9, 15),
    ],
    10,
    [
      ['提交', 1, 2, 1],
      ['进入', 2, 3, 3],
      ['进入', 2, 4, 3],
      ['进入', 4, 5, 3],
      ['进入', 4, 6, 3],
      ['同意', 3, 8, 1],
      ['同意', 5, 7, 1],
      ['同意', 6, 7, 1],
      ['继续', 7, 8, 3],
      ['继续', 8, 9, 3],
      ['同意', 9, 10, 1],
    ],
  );
  const behind = () => presses(nested, begun(nested), [11, 6], [12, 7], [13, 8]);

  test('may name a nested block of branches, or a state inside it, like any other state', () => {
    const offer = offered(nested, behind(), 15, noRights).find((one) => one.code === 'return');
    expect(offer?.beside?.map((ids) => ids.toSorted())).toEqual([[3], [4, 5, 6]]);
    const back = (...ids: number[]) => passed(run(nested, behind(), returning(ids), numbered));
    const whole = back(4);
    expect(waitingFor(whole)).toEqual([12, 13]);
    expect(whole.round, 'whoever agreed before is asked all the same').toBe(2);
    expect(waitingFor(presses(nested, whole, [12, 7], [13, 8]))).toEqual([15]);
    const one = back(6);
    expect(waitingFor(one)).toEqual([13]);
    expect(presses(nested, one, [13, 8], [15, 11]).act_state).toBe(4);
    const both = back(3, 5);
    expect(waitingFor(both)).toEqual([11, 12]);
    expect(waitingFor(presses(nested, both, [12, 7]))).toEqual([11]);
    expect(waitingFor(presses(nested, both, [12, 7], [11, 6]))).toEqual([15]);
    const alone = run(nested, behind(), { type: 'return', actor: 15, state_id: 5, suggestion: '请补充' }, numbered);
    expect(waitingFor(passed(alone))).toEqual([12]);
  });

  test('that is not possible answers where else it may go, and that a branch may be named once', () => {
    const why = (command: Command) => refused(run(nested, behind(), command, numbered));
    const single = (state_id: number): Command => ({ type: 'return', actor: 15, state_id, suggestion: '请补充' });
    const open = '现在可以退回到的环节有“填写”、“分支”、“审批3”、“内层分支”、“审批5”、“审批6”，请从中选择';
    expect(why(single(7))).toBe(`不能退回到“内层汇合”，${open}`);
    expect(why(single(9))).toBe(`不能退回到“审批9”，${open}`);
    expect(why(returning([5, 6]))).toBe(
      '不能同时退回到“审批5”、“审批6”，每个分支只能选一个环节，请在同一分支里只留一个',
    );
  });
});
