import fc from 'fast-check';
import {
  distributeType,
  onEmpty,
  onSelf,
  participantType,
  refusesInTheEnd,
  rejectRule,
} from '#modules/workflow/workflows/engine/codes.ts';
import {
  Definition,
  stateActions,
  type DefinitionInput,
  type Distribution,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { Condition } from '#modules/workflow/workflows/engine/condition.ts';
import type { Organisation } from './run.ts';

export const distribution = fc.oneof(
  fc
    .constantFrom(
      distributeType.claim,
      distributeType.random,
      distributeType.sequential,
      distributeType.leastLoaded,
      distributeType.inTurn,
    )
    .map((type) => ({ type }) as Distribution),
  fc.record({
    type: fc.constant(distributeType.direct),
    reject_rule: fc.constantFrom(rejectRule.veto, rejectRule.wait),
  }),
  fc.record({
    type: fc.constant(distributeType.all),
    reject_rule: fc.constantFrom(...Object.values(rejectRule)),
    pass_ratio: fc.integer({ min: 1, max: 100 }),
  }),
);
const node = fc.record({
  kind: fc.constantFrom('approve', 'handle', 'condition', 'cc', 'approve', 'approve', 'delay', 'subticket', 'hook'),
  /** True if the first button acts by itself after a time. */
  timed: fc.boolean(),
  distribution,
  on_self: fc.constantFrom(...Object.values(onSelf)),
  on_empty: fc.constantFrom(onEmpty.pass, onEmpty.refuse, onEmpty.users, onEmpty.admins, onEmpty.up),
  dedupe: fc.constantFrom('none', 'round'),
  remember_last: fc.boolean(),
  /** True if earlier agreements still hold while nothing visible has changed. */
  keeps: fc.boolean(),
  role: fc.subarray([1, 2, 3, 4, 5]),
  /** The number of steps a refusal goes back; 9 ends the ticket. */
  refuseTo: fc.constantFrom(0, 1, 1, 2, 3, 9),
  jumpTo: fc.nat(3),
  amount: fc.nat(9),
  /** The jump depends on a superior of the creator, so many levels up; 0: on the amount. */
  above: fc.constantFrom(0, 0, 0, 1, 2),
  other: fc.boolean(),
  /** The source of its people, if not a role. */
  source: fc.constantFrom('role', 'role', 'role', 'group', 'post', 'heads', 'superior', 'superiors', 'done'),
  /** The person who decided the previous state, or began the ticket, may decide nothing in it. */
  apart: fc.constantFrom(0, 0, 0, 1, 2),
  /** If it waits for tickets below, it begins them itself: one for each row, of which so many are enough; 0 for all. */
  begins: fc.constantFrom(null, null, 0, 1),
  /** Its people are named by another system. */
  outside: fc.nat(4).map((n) => n === 0),
});
const block = fc.record({
  split: fc.constantFrom('parallel_split', 'inclusive'),
  branches: fc.array(fc.array(node, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }),
  /** The number of branches that are enough at the join; 0 for all. */
  enough: fc.constantFrom(0, 0, 1, 2),
  /** True if branches that are not needed go on. */
  runs_on: fc.boolean(),
  /** One branch at a time; only where all branches run. */
  turns: fc.constantFrom('none', 'none', 'branch', 'state'),
  /** Each state has a button that ends all branches. */
  leaves: fc.boolean(),
  /** The first state of each branch has a button that is available while the first state of the previous branch is active. */
  milestones: fc.boolean(),
});
export const blueprint = fc.record({
  parts: fc.array(fc.oneof({ weight: 3, arbitrary: node }, { weight: 1, arbitrary: block }), {
    minLength: 1,
    maxLength: 5,
  }),
  resubmit_mode: fc.constantFrom(1, 2),
  /** The people who confirm a finished ticket; missing in half of the cases. */
  confirm: fc.option(
    node.map((one) => ({ ...one, kind: 'handle' as const })),
    { freq: 2, nil: null },
  ),
});
type Node = typeof node extends fc.Arbitrary<infer N> ? N : never;
export type Blueprint = typeof blueprint extends fc.Arbitrary<infer B> ? B : never;

/** The person who may intervene, and who steps in if nobody is found. */
export const admin = 6;
const access = { amount: 3, note: 2, secret: 4, fixed: 1, rows: 3 } as const;
/** States with even numbers hide what a row costs. */
export const hidesCosts = (state: number) => state % 2 === 0;

type Source = DefinitionInput['states'][number]['participants'] extends readonly (infer P)[] | undefined ? P : never;
function peopleOf(source: Node['source'], own: number, before: string): Source {
  switch (source) {
    case 'group':
      return { type: participantType.group, groups: [own] };
    case 'post':
      return { type: participantType.post, posts: [`r${own}`] };
    case 'heads':
      return { type: participantType.deptHeads, depts: [1 + (own % 3)] };
    case 'superior':
      return { type: participantType.superior, level: 1 + (own % 3), gaps: own % 2 ? 'skip' : 'count' };
    case 'superiors':
      return { type: participantType.superiors, until: { role: `r${own}` }, gaps: 'skip' };
    case 'done':
      return { type: participantType.doneBy, state: before };
    default:
      return { type: participantType.role, roles: [`r${own}`] };
  }
}

/** States between a start and an end, some in parallel, with refusals back, conditional jumps ahead and every action allowed. */
export function build({ parts, resubmit_mode, confirm }: Blueprint): {
  definition: Definition;
  organisation: Organisation;
} {
  const states: DefinitionInput['states'] = [
    { id: 1, key: 's1', name: '开始', kind: 'start', order: 1, access, actions: ['cc'] },
  ];
  const transitions: DefinitionInput['transitions'] = [];
  const roles = new Map<string, readonly number[]>();
  const ids = new Map<object, number>();
  let last = 1;
  for (const part of parts) {
    ids.set(part, ++last);
    if (!('branches' in part)) continue;
    for (const one of part.branches.flat()) ids.set(one, ++last);
    last++;
  }
  const final = last + 1;
  if (confirm) ids.set(confirm, final + 1);
  const id = (of: object | undefined, otherwise = final) => (of && ids.get(of)) ?? otherwise;
  const link = (
    name: string,
    source: number,
    destination: number,
    attribute: 1 | 2 | 3,
    more: Partial<DefinitionInput['transitions'][number]> = {},
  ) => {
    const no = transitions.length + 1;
    transitions.push({ id: no, key: `t${no}`, name, source, destination, attribute, ...more });
  };
  const place = (given: Node, row: readonly object[], next: number, jump: number, turns = false) => {
    const own = id(given);
    // A task in a block of turns is begun by claiming it.
    const alone = { kind: 'handle', distribution: { type: 1, always: true }, timed: false } as const;
    const one: Node = turns ? { ...given, ...alone } : given;
    const { kind, distribution, on_self, dedupe, remember_last } = one;
    const outside = one.outside && (kind === 'approve' || kind === 'handle');
    const on_empty = outside && refusesInTheEnd(one.on_empty) ? onEmpty.admins : one.on_empty;
    const called = kind === 'hook' ? participantType.hook : participantType.external;
    roles.set(`r${own}`, one.role);
    const before = states.findLast((state) => state.kind === 'approve' || state.kind === 'handle')?.key ?? 's1';
    const apart = { 0: [], 1: [before], 2: ['s1', before] }[one.apart] ?? [];
    states.push({
      id: own,
      key: `s${own}`,
      name: `环节${own}`,
      kind,
      order: own,
      distribution,
      on_self,
      on_empty,
      // The creator: even if nobody else is found, the state must not be theirs.
      on_empty_users: [1],
      dedupe,
      remember_last,
      ...(one.keeps && (kind === 'approve' || kind === 'handle') ? { keep_unchanged: true } : {}),
      access,
      actions: [...stateActions],
      participants: [outside || kind === 'hook' ? { type: called, hook: 1 } : peopleOf(one.source, own, before)],
      ...(apart.length > 0 ? { not_done_by: apart } : {}),
      waits: kind === 'hook',
      ...(hidesCosts(own) ? { columns: { rows: { cost: 4 } } } : {}),
      ...(kind === 'subticket' && one.begins !== null
        ? { children: { workflow: 1, each: 'rows', ...(one.begins > 0 ? { enough: one.begins } : {}) } }
        : {}),
    });
    // Half of them ask for the computed field, which is the same question.
    const computed = own % 2 === 0;
    const expression: Condition =
      one.above > 0
        ? { op: 'superior_of', level: one.above, value: [`r${own}`] }
        : {
            op: 'gt',
            field: computed ? 'twice' : 'amount',
            value: computed ? 2 * one.amount : one.amount,
          };
    const asks = kind === 'approve' || kind === 'handle' || kind === 'subticket';
    const timer = kind === 'delay' || kind === 'hook' || (asks && one.timed) ? 3600 : 0;
    link('同意', own, next, 1, { conditions: [{ expression, target_state_id: jump }], timer });
    if (kind !== 'approve' && kind !== 'handle' && kind !== 'hook') return;
    const earlier = row.slice(0, row.indexOf(given) + 1).filter((other) => !('branches' in other));
    link('拒绝', own, one.refuseTo === 9 ? final : id(earlier.at(-1 - one.refuseTo), 1), 2);
    if (one.other && kind !== 'hook') link('转办', own, next, 3);
  };

  link('保存', 1, 1, 3, { field_require_check: false });
  link('提交', 1, id(parts[0]), 1);
  for (const [index, part] of parts.entries()) {
    const next = id(parts[index + 1]);
    if (!('branches' in part)) {
      place(part, parts, next, id(parts[index + 1 + part.jumpTo]));
      continue;
    }
    const own = id(part);
    const join = own + part.branches.flat().length + 1;
    const turns =
      part.split === 'parallel_split' && part.turns !== 'none' ? { turns: part.turns as 'branch' | 'state' } : {};
    states.push({ id: own, key: `s${own}`, name: `分支${own}`, kind: part.split, order: own, ...turns });
    const rest = part.runs_on ? ({ join_rest: 'run' } as const) : {};
    const enough = part.enough > 0 ? { join_count: part.enough, ...rest } : {};
    states.push({ id: join, key: `s${join}`, name: `汇合${join}`, kind: 'join', order: join, ...enough });
    for (const [nth, branch] of part.branches.entries()) {
      const first = id(branch[0]);
      const expression = { op: 'gt', field: 'amount', value: branch[0]?.amount ?? 0 } as const;
      link('进入', own, first, 3, {
        conditions: part.split === 'inclusive' ? [{ expression, target_state_id: first }] : [],
        otherwise: part.split === 'inclusive' && nth === 0,
      });
      for (const [step, one] of branch.entries())
        place(one, branch, id(branch[step + 1], join), join, 'turns' in turns);
    }
    const decided = (one: object | undefined) =>
      states.find((state) => state.id === id(one, 0) && (state.kind === 'approve' || state.kind === 'handle'));
    for (const one of part.leaves ? part.branches.flat() : [])
      if (decided(one)) link('跳出', id(one), next, 3, { leaves_branches: true });
    for (const [nth, [one]] of part.milestones ? part.branches.entries() : []) {
      const other = decided(part.branches[nth - 1]?.[0]);
      if (decided(one) && other) link('趁早', id(one), join, 3, { only_at: [other.key] });
    }
    link('继续', join, next, 3);
  }
  states.push({ id: final, key: `s${final}`, name: '结束', kind: 'end', order: final });
  if (confirm) {
    place(confirm, [confirm], final, final);
    states.at(-1)!.label = { finish: 'confirm' };
  }
  const definition = Definition.parse({
    name: '随机',
    fields: [
      { id: 1, key: 'amount', name: '金额', type: 10 },
      { id: 2, key: 'note', name: '说明', type: 5 },
      { id: 3, key: 'secret', name: '隐藏', type: 5 },
      { id: 4, key: 'fixed', name: '只读', type: 5 },
      {
        id: 6,
        key: 'rows',
        name: '明细',
        type: 90,
        max_rows: 3,
        columns: [
          { key: 'what', name: '物品', type: 5 },
          { key: 'cost', name: '成本', type: 10 },
        ],
      },
      {
        id: 5,
        key: 'twice',
        name: '两倍',
        type: 15,
        formula: {
          op: 'mul',
          of: [
            { op: 'field', field: 'amount' },
            { op: 'value', value: 2 },
          ],
        },
      },
    ],
    states,
    transitions,
    settings: { title_template: '{note}', display_form: ['note'], resubmit_mode, key_fields: ['amount'] },
  } satisfies DefinitionInput);
  const organisation: Organisation = ({ kind, of }) => {
    if (kind === 'role' || kind === 'post') return roles.get(String(of)) ?? [];
    if (kind === 'group') return roles.get(`r${of}`) ?? [];
    if (kind === 'dept_path') return [2, 1];
    if (kind === 'dept_fzr' || kind === 'dept_head') return of === 2 ? [2] : [4];
    if (kind === 'dept_ld') return of === 2 ? [2, 3] : [1];
    if (kind === 'least_loaded' || kind === 'in_turn') return [Number(String(of).split(/[:,]/).at(-1))];
    if (kind === 'workflow_admins') return [admin];
    if (kind === 'superior') return [5];
    if (kind === 'user') return [Number(of)];
    // Nobody is named u7.
    if (kind === 'username') return of === 'u7' ? [] : [Number(String(of).slice(1))];
    return [];
  };
  return { definition, organisation };
}
