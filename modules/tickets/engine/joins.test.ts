import { expect, test } from 'vitest';
import { publishProblems } from '#modules/workflows/engine/check/publish-check.ts';
import { isOpen, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const approve = (id: number, user: number) => ({
  id,
  key: `s${id}`,
  name: `审批${id}`,
  kind: 'approve' as const,
  order: id,
  participants: [{ type: 1 as const, user }],
});
/** Three are asked side by side, then a fourth. */
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

test('a join goes on with the first branch, or when so many have come; the rest ends and waits for nobody', () => {
  expect(waitingFor(play(undefined, [11, 5], [12, 6]))).toEqual([13]);
  const first = play(1, [12, 6]);
  expect([waitingFor(first), first.tasks.filter(isOpen).length]).toEqual([[14], 1]);
  expect(first.tokens.filter((token) => token.status !== 'done').map((token) => token.no)).toEqual([1]);
  expect(waitingFor(play(2, [11, 5]))).toEqual([12, 13]);
  const two = play(2, [11, 5], [13, 7]);
  expect(waitingFor(two)).toEqual([14]);
  expect(two.tasks.find((task) => task.assignee === 12)?.reason).toContain('已有足够的分支');
  // More than there are branches is all of them.
  expect(waitingFor(play(9, [11, 5], [12, 6], [13, 7]))).toEqual([14]);
});

test('a state without people agrees or refuses by itself: it takes its one way, and a refusal ends the ticket closed or goes back', () => {
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
