import { describe, expect, test } from 'vitest';
import { outcome } from './votes/outcome.ts';
import type { Organisation } from '#modules/workflow/tickets/engine/testing/run.ts';
import { voteProblems } from './check/votes.ts';
import { Definition } from './definition.ts';
import { findingsIn } from './check/publish-check.ts';
import { explored } from './testing/exploring.ts';

const [applicant, clerk, admin] = [1, 2, 9];
const organisation: Organisation = ({ kind, of }) => {
  if (kind === 'username') return of === 'u2' ? [clerk] : [];
  if (kind === 'user') return of === 404 ? [] : [Number(of)];
  if (kind === 'workflow_admins') return [admin];
  if (kind !== 'role') return [];
  return of === 'crowd'
    ? Array.from({ length: 501 }, (_n, index) => 100 + index)
    : of === 'one'
      ? [clerk]
      : of === 'own'
        ? [applicant]
        : [];
};
const everybody = [applicant, clerk, admin];

type Part = Record<string, unknown>;
const asks = (id: number, participants: Part[], more: Part = {}): Part => ({
  id,
  key: `s${id}`,
  name: `环节${id}`,
  kind: 'approve',
  order: id,
  participants,
  on_empty: 2,
  ...more,
});
const auto = (id: number, kind: string, more: Part = {}): Part => ({
  id,
  key: `s${id}`,
  name: `环节${id}`,
  kind,
  order: id,
  ...more,
});
let no = 0;
const way = (source: number, destination: number, more: Part = {}): Part => {
  const id = ++no;
  return { id, key: `t${id}`, name: `按钮${id}`, source, destination, attribute: 1, ...more };
};
const amount = { id: 1, key: 'amount', name: '金额', type: 10, min: 0, max: 9 };
const who = { id: 2, key: 'who', name: '经办人', type: 60 };
const over = (value: number, target_state_id: number, op = 'gt') => ({
  conditions: [{ expression: { op, field: 'amount', value }, target_state_id }],
});
function flow(
  states: Part[],
  transitions: Part[],
  access: Part = { amount: 3, who: 3 },
  fields: Part[] = [amount, who],
) {
  return Definition.parse({
    name: '敌意',
    fields,
    settings: { title_template: '申请' },
    states: [auto(1, 'start', { access }), ...states],
    transitions,
  });
}
const end = (id: number) => auto(id, 'end');
const clerkOnly = [{ type: 4, roles: ['one'] }];

/** Participants that may find nobody. */
const people: Record<string, Part[]> = {
  'an empty role': [{ type: 4, roles: ['nobody'] }],
  'a role beyond the limit': [{ type: 4, roles: ['crowd'] }],
  'somebody who left': [{ type: 1, user: 404 }],
  'whom the applicant picks': [{ type: 5, variable: 'creator_select' }],
  'whom the handler picks': [{ type: 5, variable: 'handler_select' }],
  'the head of no department': [{ type: 5, variable: 'dept_fzr' }],
  'a secretary': [{ type: 5, variable: 'secretary' }],
  'an optional field': [{ type: 7, field: 'who' }],
  'a field of the ticket above': [{ type: 8, field: 'who' }],
  'the applicant, who is passed up': [{ type: 5, variable: 'creator' }],
};
/** Places in which they are asked. */
const places: Record<string, (asked: Part[]) => Definition> = {
  'behind an approval': (asked) =>
    flow([asks(2, clerkOnly), asks(3, asked, { on_self: 3 }), end(4)], [way(1, 2), way(2, 3), way(3, 4)]),
  'behind a delay': (asked) =>
    flow([auto(2, 'delay'), asks(3, asked, { on_self: 3 }), end(4)], [way(1, 2), way(2, 3, { timer: 60 }), way(3, 4)]),
  'behind a timer': (asked) =>
    flow(
      [asks(2, clerkOnly), asks(3, asked, { on_self: 3 }), end(4)],
      [way(1, 2), way(2, 3, { timer: 60 }), way(3, 4)],
    ),
  'in a branch behind an approval': (asked) =>
    flow(
      [
        asks(2, clerkOnly),
        auto(3, 'parallel_split'),
        asks(4, asked, { on_self: 3 }),
        asks(5, clerkOnly),
        auto(6, 'join'),
        end(7),
      ],
      [way(1, 2), way(2, 3), way(3, 4), way(3, 5), way(4, 6), way(5, 6), way(6, 7)],
    ),
  'on one side of a condition': (asked) =>
    flow(
      [asks(2, clerkOnly), auto(3, 'condition'), asks(4, asked, { on_self: 3 }), end(5)],
      [way(1, 2), way(2, 3), way(3, 5, over(3, 4)), way(4, 5)],
    ),
  'right behind a first approval that may refuse': (asked) =>
    flow(
      [asks(2, asked, { on_self: 3 }), asks(3, clerkOnly), end(4)],
      [way(1, 2), way(2, 3), way(3, 4), way(3, 1, { attribute: 2 })],
    ),
};
const own = Object.entries(places).flatMap(([place, of]) =>
  Object.entries(people).map(([whom, asked]) => ({ name: `${whom} ${place}`, definition: of(asked) })),
);

let called = 0;

/** No ticket may be stuck, unless the proof said so. */
function judge(definition: Definition): void {
  const { problems, warnings } = findingsIn(definition);
  if (problems.length + voteProblems(definition, outcome).length > 0) return;
  const { stuck, stalls, whole } = explored(definition, organisation, everybody);
  expect(whole).toBe(true);
  expect(stuck).toEqual([]);
  if (stalls.length > 0) called++;
  if (stalls.length > 0) expect(warnings, stalls.join()).not.toEqual([]);
}

describe(`publishing has announced every way in which one of ${own.length} hostile definitions gets stuck`, () => {
  test.each(own)('$name', ({ definition }) => judge(definition));

  test('and many of them do get stuck', () => {
    expect(called).toBeGreaterThan(30);
  });
});

const said = (definition: Definition) => findingsIn(definition).problems.map((problem) => problem.msg);
const told = (definition: Definition) => findingsIn(definition).warnings.map((warning) => warning.msg);

describe('publishing refuses required fields that nobody can fill in', () => {
  const required = (field: Part) =>
    flow([asks(2, clerkOnly, { on_empty: 4 }), end(3)], [way(1, 2), way(2, 3)], { f: 2 }, [
      { id: 1, key: 'f', name: '项', ...field },
    ]);
  const column = (more: Part) => ({ key: 'c', name: '列', required: true, ...more });
  test.each<[string, Part, string]>([
    ['min above max', { type: 10, min: 5, max: 3 }, '字段“项”最小 5，最大 3，没有数字能填，请修改'],
    [
      'no whole number between',
      { type: 10, min: 1.2, max: 1.8 },
      '字段“项”最小 1.2，最大 1.8，之间没有整数能填，请修改',
    ],
    [
      'no number of that many digits',
      { type: 15, decimals: 1, min: 0.11, max: 0.19 },
      '之间没有1 位以内小数的数字能填',
    ],
    ['beyond what a form takes', { type: 10, min: 2e13 }, '没有数字能填'],
    ['no people', { type: 70, max: 0 }, '字段“项”最多 0 项，一项也选不了，请改大或去掉'],
    ['no files', { type: 80, max: 0 }, '字段“项”最多 0 项，一项也选不了，请改大或去掉'],
    ['no choice', { type: 45 }, '字段“项”没有选项'],
    ['no columns', { type: 90 }, '表格字段“项”没有列'],
    [
      'an impossible column',
      { type: 90, columns: [column({ type: 10, min: 5, max: 3 })] },
      '字段“项”的列“列”最小 5，最大 3',
    ],
    ['a column without choices', { type: 90, columns: [column({ type: 35 })] }, '字段“列”没有选项'],
  ])('%s', (_name, field, msg) => expect(said(required(field)).join()).toContain(msg));

  test('and accepts those that can only just be filled in', () => {
    for (const field of [
      { type: 10, min: 3, max: 3 },
      { type: 15, decimals: 1, min: 0.1, max: 0.1 },
      { type: 15, decimals: 2, min: 0.29, max: 0.29 },
      { type: 70, max: 1 },
    ])
      expect(said(required(field))).toEqual([]);
  });
});

describe('publishing warns that administrators may be asked, for', () => {
  test('a later state whose people the applicant may leave out', () => {
    const definition = places['behind an approval']!(people['whom the applicant picks']!);
    expect(told(definition)).toContain(
      '环节“环节3”的办理人由发起人选择，自动发起或在业务页面发起时没有人选，没有人时，工单会交给流程管理员处理；要由别人接手，请设置没有办理人时由谁处理',
    );
  });

  test('a delay before a state whose people come from an optional field, but not from a required one', () => {
    const definition = (access: number) =>
      flow(
        [auto(2, 'delay'), asks(3, people['an optional field']!), end(4)],
        [way(1, 2), way(2, 3, { timer: 60 }), way(3, 4)],
        { who: access },
      );
    expect(told(definition(3)).join()).toContain('环节“环节3”由字段“经办人”决定办理人，它可能没有填写');
    expect(told(definition(2)).join()).not.toContain('它可能没有填写');
  });

  test('roles that may become empty and people who may leave, once for each state', () => {
    const definition = flow([asks(2, clerkOnly), asks(3, clerkOnly), end(4)], [way(1, 2), way(2, 3), way(3, 4)]);
    expect(told(definition)).toEqual([
      '环节“环节3”的人以后可能离开、角色可能清空，没有人时，工单会交给流程管理员处理；要由别人接手，请设置没有办理人时由谁处理',
    ]);
  });

  test('no state, if the workflow defines who steps in', () => {
    const definition = flow(
      [asks(2, clerkOnly, { on_empty: 4 }), asks(3, people['an empty role']!, { on_empty: 4 }), end(4)],
      [way(1, 2), way(2, 3), way(3, 4)],
    );
    expect(told(definition)).toEqual([]);
  });
});

describe('loops that depend on field values', () => {
  const choices = (prefix: string, count: number) =>
    Array.from({ length: count }, (_none, index) => ({ value: `${prefix}${index}`, label: `${prefix}${index}` }));
  const select = (id: number, key: string, count: number) => ({
    id,
    key,
    name: key,
    type: 45,
    choices: choices(key, count),
  });
  const is = (field: string, target_state_id: number) => ({
    expression: { op: 'eq', field, value: `${field}0` },
    target_state_id,
  });
  /** Somebody who chose the first of both fields goes round between two approvals for ever. */
  const ring = (counts: number[]) => {
    const fields = counts.map((count, index) => select(index + 1, `f${index}`, count));
    const of = fields.map((field) => is(field.key, 2).expression);
    return flow(
      [asks(2, clerkOnly, { on_empty: 4 }), asks(3, clerkOnly, { on_empty: 4 }), end(4)],
      [way(1, 2), way(2, 3), way(3, 4, { conditions: [{ expression: { op: 'and', of }, target_state_id: 2 }] })],
      Object.fromEntries(fields.map((field) => [field.key, 2])),
      fields,
    );
  };

  test('are found among 40,401 combinations', () => {
    expect(said(ring([200, 200]))).toEqual([
      expect.stringContaining('就可能走不到结束环节'),
      expect.stringContaining('就可能走不到结束环节'),
    ]);
  });

  test('with too many combinations are reported as unproved at publishing', () => {
    expect(told(ring([200, 200, 200]))[0]).toMatch(
      /^条件用到的字段“f\d”、字段“f\d”、字段“f\d”共有 8120601 种组合，没有逐一检查，其余没有证明/,
    );
  });
});
