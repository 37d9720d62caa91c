import { expect, test } from 'vitest';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { isOpen, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';
import { noRights } from './ways/offers.ts';

const approve = (id: number, user: number) => ({
  id,
  key: `s${id}`,
  name: `审批${id}`,
  kind: 'approve' as const,
  order: id,
  participants: [{ type: 1 as const, user }],
  actions: ['return' as const],
});
/** Three people are asked in parallel, then a fourth. */
const flow = (join_count?: number) =>
  flowOf(
    [
      { id: 2, key: 'split', name: '分支', kind: 'parallel_split', order: 2 },
      ...[11, 12, 13].map((user, at) => approve(3 + at, user)),
      { id: 6, key: 'join', name: '汇合', kind: 'join', order: 6, ...(join_count ? { join_count } : {}) },
      approve(7, 14),
    ],
    8,
    [
      ['提交', 1, 2, 1],
      ...[3, 4, 5].map((id) => ['进入', 2, id, 3] as [string, number, number, 3]),
      ...[3, 4, 5].map((id) => ['同意', id, 6, 1] as [string, number, number, 1]),
      ['继续', 6, 7, 3],
      ['同意', 7, 8, 1],
    ],
  );
const play = (count: number | undefined, ...steps: [person: number, button: number][]): TicketState => {
  const definition = flow(count);
  const first = passed(run(definition, newTicket(1, null), press(newTicket(1, null), 1, 1), numbered));
  return steps.reduce(
    (state, [who, button]) => passed(run(definition, state, press(state, who, button), numbered)),
    first,
  );
};

test('a join that waits for more branches than there are is not published', () => {
  expect([flow(), flow(3)].map((one) => publishProblems(one))).toEqual([[], []]);
  expect(publishProblems(flow(5)).map(({ msg }) => msg)).toEqual([
    '环节“汇合”要 5 个分支到达才继续，“分支”只有 3 个分支，请改小',
  ]);
});

test('a join moves on with the first branch or the required number; the remaining branches end', () => {
  expect(waitingFor(play(undefined, [11, 5], [12, 6]))).toEqual([13]);
  const first = play(1, [12, 6]);
  expect([waitingFor(first), first.tasks.filter(isOpen).length]).toEqual([[14], 1]);
  expect(first.tokens.filter((token) => token.status !== 'done').map((token) => token.no)).toEqual([1]);
  expect(waitingFor(play(2, [11, 5]))).toEqual([12, 13]);
  const two = play(2, [11, 5], [13, 7]);
  expect(waitingFor(two)).toEqual([14]);
  expect(two.tasks.find((task) => task.assignee === 12)?.reason).toContain('已有足够的分支');
  // A count above the number of branches means all of them.
  expect(waitingFor(play(9, [11, 5], [12, 6], [13, 7]))).toEqual([14]);
});

test('a state without people takes its one transition by itself, and a refusal there closes the ticket or goes back', () => {
  const automatic = (attribute: 1 | 2, target: number) =>
    flowOf([{ id: 2, key: 'automatic', name: '自动', kind: 'condition', order: 2 }, approve(3, 11)], 4, [
      ['提交', 1, 2, 1],
      ['自动', 2, target, attribute],
      ['同意', 3, 4, 1],
    ]);
  const comes = (attribute: 1 | 2, target: number) => {
    const blank = newTicket(1, null);
    return passed(run(automatic(attribute, target), blank, press(blank, 1, 1), numbered));
  };
  expect([comes(1, 4).act_state, comes(2, 4).act_state]).toEqual([4, 5]);
  expect(waitingFor(comes(1, 3))).toEqual([11]);
});

test('forcing a ticket into one of its branches decides what becomes of the other branches, and the log names those that end', () => {
  const rights = { ...noRights, intervene: true };
  const before = play(undefined);
  const move = (state: TicketState, state_id: number, beside?: 'keep' | 'end') =>
    run(flow(), state, { type: 'state', actor: 99, state_id, people: [], suggestion: '重审', beside }, numbered, {
      rights,
    });
  const asked = move(before, 3);
  expect(asked.kind === 'refused' && asked.refusal.message).toContain('“审批4”、“审批5”正在另外的分支里办理');
  const kept = passed(move(before, 3, 'keep'));
  expect(waitingFor(kept).toSorted()).toEqual([11, 12, 13]);
  const on = [11, 12, 13].reduce(
    (state, who, at) => passed(run(flow(), state, press(state, who, 5 + at), numbered)),
    kept,
  );
  expect(waitingFor(on)).toEqual([14]);
  const ended = move(before, 3, 'end');
  expect(waitingFor(passed(ended))).toEqual([11]);
  expect(ended.kind === 'decided' && ended.log[0]!.trace.filter((one) => one.about === 'ended')).toEqual([
    { about: 'ended', state_id: 4, people: [12] },
    { about: 'ended', state_id: 5, people: [13] },
  ]);
  // A branch that waits at the join is asked again; the others stay as they are.
  const again = passed(move(play(undefined, [11, 5]), 3, 'keep'));
  expect(waitingFor(again).toSorted()).toEqual([11, 12, 13]);
  // Moving out of all branches needs no choice, but is still logged.
  const out = move(before, 7);
  expect(out.kind === 'decided' && out.log[0]!.trace.filter((one) => one.about === 'ended')).toHaveLength(3);
});

const gives = (definition: ReturnType<typeof flow>, state: TicketState, actor: number, state_id: number) =>
  run(definition, state, { type: 'return', actor, state_id, suggestion: '再看' }, numbered);
const agreed = (
  definition: ReturnType<typeof flow>,
  state: TicketState,
  ...steps: [person: number, button: number][]
) => steps.reduce((one, [who, button]) => passed(run(definition, one, press(one, who, button), numbered)), state);

test('a step behind a join may return a single branch, and the decisions of the other branches stand', () => {
  const back = passed(gives(flow(), play(undefined, [11, 5], [12, 6], [13, 7]), 14, 3));
  expect(waitingFor(back)).toEqual([11]);
  expect(waitingFor(agreed(flow(), back, [11, 5]))).toEqual([14]);
});

test('a step behind a join may return all parallel branches, and everybody in them is asked again', () => {
  const back = passed(gives(flow(), play(undefined, [11, 5], [12, 6], [13, 7]), 14, 2));
  expect(waitingFor(back).toSorted()).toEqual([11, 12, 13]);
  expect(waitingFor(agreed(flow(), back, [11, 5], [12, 6]))).toEqual([13]);
  expect(waitingFor(agreed(flow(), back, [11, 5], [12, 6], [13, 7]))).toEqual([14]);
});

test('a branch may return the ticket to a step before the split: the others end and are asked again later', () => {
  const definition = flowOf(
    [
      approve(2, 15),
      { id: 3, key: 'split', name: '分支', kind: 'parallel_split', order: 3 },
      approve(4, 11),
      approve(5, 12),
      { id: 6, key: 'join', name: '汇合', kind: 'join', order: 6 },
      approve(7, 14),
    ],
    8,
    [
      ['提交', 1, 2, 1],
      ['同意', 2, 3, 1],
      ['进入', 3, 4, 3],
      ['进入', 3, 5, 3],
      ['同意', 4, 6, 1],
      ['同意', 5, 6, 1],
      ['继续', 6, 7, 3],
      ['同意', 7, 8, 1],
    ],
  );
  const begun = passed(run(definition, newTicket(1, null), press(newTicket(1, null), 1, 1), numbered));
  const beside = agreed(definition, begun, [15, 2], [12, 6]);
  expect(waitingFor(beside)).toEqual([11]);
  const back = passed(gives(definition, beside, 11, 2));
  expect(waitingFor(back)).toEqual([15]);
  expect(back.tokens.filter((token) => token.status !== 'done').map((token) => token.no)).toEqual([1]);
  const again = agreed(definition, back, [15, 2]);
  expect(waitingFor(again).toSorted()).toEqual([11, 12]);
  expect(waitingFor(agreed(definition, again, [11, 5], [12, 6]))).toEqual([14]);
});
