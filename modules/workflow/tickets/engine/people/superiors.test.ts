import { expect, test } from 'vitest';
import type { DefinitionInput, Participant } from '#modules/workflow/workflows/engine/definition.ts';
import { run, passed } from '../testing/run.ts';
import { flowOf, numbered, press, waitingFor } from '../testing/flow.ts';
import { decide } from '../decide.ts';
import { newTicket } from '../state.ts';
import { noRights } from '../ways/offers.ts';
import { queryKey } from './people.ts';

/** Department 3 is in 2, which is in 1: the head and leader in charge of each; 9 holds the role and 8 the post. */
const house: Record<string, readonly number[]> = {
  'dept_path:3': [3, 2, 1],
  'dept_fzr:3': [11],
  'dept_ld:3': [],
  'dept_fzr:2': [12, 11],
  'dept_ld:2': [8],
  'dept_fzr:1': [9],
  'dept_ld:1': [10],
  'role:boss': [9],
  'post:主任': [8],
  'group:4': [21, 22],
  'dept_head:2': [12],
  'least_loaded:21,22': [22],
  'in_turn:2:21,22': [21],
  'role:nobody': [],
  'dept_head:3': [],
  // Department 7 is in 1 as well, and has nobody.
  'dept_path:7': [7, 1],
  'dept_head:7': [],
  'dept_ld:7': [],
  'dept_head:1': [9],
};
type Input = NonNullable<DefinitionInput['states'][number]['participants']>[number];
const asked = (participant: Participant, more: object = {}, creator = 5) => {
  const states = [
    {
      id: 2,
      key: 'a',
      name: '审批',
      kind: 'approve' as const,
      order: 2,
      participants: [participant as Input],
      ...more,
    },
  ];
  const definition = flowOf(states, 3, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
  ]);
  const blank = newTicket(creator, 3);
  const organisation: typeof numbered = (query) => house[`${query.kind}:${query.of}`] ?? numbered(query);
  return waitingFor(passed(run(definition, blank, press(blank, creator, 1), organisation)));
};
const all = { distribution: { type: 4, reject_rule: 1, pass_ratio: 100 } };

test('superiors of the creator are asked level by level, each once; a level without a new person counts only if set', () => {
  const level = (no: number, gaps: 'skip' | 'count', creator?: number) =>
    asked({ type: 13, level: no, gaps }, { on_empty: 4 }, creator);
  expect([1, 2, 3, 4, 5].map((no) => level(no, 'skip'))).toEqual([[11], [12], [8], [9], [10]]);
  // The second level has nobody, the third repeats the first and adds somebody new.
  expect([1, 3, 4].map((no) => level(no, 'count'))).toEqual([[11], [12], [8]]);
  // A head is not their own superior.
  expect(level(1, 'skip', 11)).toEqual([12]);
});

test('consecutive superiors end at a level, or at the first who holds a role or post, otherwise at the top', () => {
  const up = (until: Extract<Participant, { type: 14 }>['until']) => asked({ type: 14, until, gaps: 'skip' }, all);
  expect(up({ level: 2 })).toEqual([11, 12]);
  expect(up({ role: 'boss' })).toEqual([11, 12, 8, 9]);
  expect(up({ post: '主任' })).toEqual([11, 12, 8]);
  expect(up({ role: 'nobody' })).toEqual([11, 12, 8, 9, 10]);
  expect(asked({ type: 14, until: { level: 3 }, gaps: 'skip' }, { distribution: { type: 5 } })).toEqual([11]);
});

test('heads of chosen departments, posts and user groups are asked, or one of them by load or in turn', () => {
  expect(asked({ type: 12, depts: [2] })).toEqual([12]);
  expect(asked({ type: 15, posts: ['主任'] })).toEqual([8]);
  expect(asked({ type: 16, groups: [4] })).toEqual([21, 22]);
  expect(asked({ type: 16, groups: [4] }, { distribution: { type: 6 } })).toEqual([22]);
  expect(asked({ type: 16, groups: [4] }, { distribution: { type: 7 } })).toEqual([21]);
});

test('a state that finds nobody goes up the departments it names, else the creator’s, to the nearest that has a head who may act', () => {
  const up = (participant: Participant, more: object = {}, creator?: number) =>
    asked(participant, { on_empty: 5, on_self: 3, ...more }, creator);
  const nobody: Participant = { type: 4, roles: ['nobody'] };
  expect(up(nobody)).toEqual([12]);
  // The leader in charge of the second department, because its head applies.
  expect(up(nobody, {}, 12)).toEqual([8]);
  // A department that the state names, and those above it.
  expect(up({ type: 12, depts: [7] })).toEqual([9]);
});

test('going up, the organisation is asked for all departments at once, and then for all their heads', () => {
  const definition = flowOf(
    [
      {
        id: 2,
        key: 'a',
        name: '审批',
        kind: 'approve',
        order: 2,
        participants: [{ type: 12, depts: [3, 7] }],
        on_empty: 5,
      },
    ],
    3,
    [
      ['提交', 1, 2, 1],
      ['同意', 2, 3, 1],
    ],
  );
  const blank = newTicket(5, 3);
  const asked: string[][] = [];
  let people = {};
  for (;;) {
    const facts = { creator: { alias: '', dept_path: [], roles: [] }, people, random: 0, rights: noRights };
    const decision = decide(definition, blank, press(blank, 5, 1), facts);
    if (decision.kind !== 'asks') break;
    asked.push([...new Set(decision.queries.map(({ kind }) => kind))].toSorted());
    const answers = decision.queries.map((query) => [queryKey(query), house[`${query.kind}:${query.of}`] ?? []]);
    people = { ...people, ...Object.fromEntries(answers) };
  }
  expect(asked).toEqual([['dept_head'], ['dept_path'], ['dept_head', 'dept_ld']]);
});
