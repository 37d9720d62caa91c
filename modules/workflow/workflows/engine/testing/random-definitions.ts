import fc from 'fast-check';
import { distributeType, onEmpty, onSelf, participantType, rejectRule, type StateKind } from '../codes.ts';
import { Definition, type DefinitionInput } from '../definition.ts';

const condition = fc.record({
  op: fc.constantFrom('gt', 'lte', 'eq', 'empty', 'not_empty'),
  value: fc.constantFrom(2, 5, 20),
  target: fc.nat(5),
});
const node = fc.record({
  kind: fc.constantFrom<StateKind>('approve', 'handle', 'condition', 'approve', 'cc', 'delay', 'subticket'),
  /** Its first exit is taken by itself after a time. */
  timed: fc.boolean(),
  role: fc.constantFrom('nobody', 'one', 'creator', 'several'),
  /** The source of its people, if not the role. */
  source: fc.constantFrom('role', 'role', 'role', 'group', 'superior', 'superiors', 'starter'),
  /** The creator decides nothing here. */
  apart: fc.constantFrom(false, false, true),
  distribution: fc.oneof(
    fc.constantFrom(...([1, 2, 3, 5, 6, 7] as const).map((type) => ({ type }))),
    fc.record({
      type: fc.constant(distributeType.all),
      reject_rule: fc.constantFrom(...Object.values(rejectRule)),
      pass_ratio: fc.constantFrom(50, 100),
    }),
  ),
  on_self: fc.constantFrom(...Object.values(onSelf)),
  on_empty: fc.constantFrom(onEmpty.pass, onEmpty.admins),
  dedupe: fc.constantFrom<'none' | 'round'>('none', 'round'),
  /** Earlier agreements still hold while nothing visible has changed. */
  keeps: fc.nat(4).map((n) => n === 0),
  asks: fc.constantFrom(1, 2, 3),
  exits: fc.array(
    fc.record({
      attribute: fc.constantFrom(1, 1, 2, 3),
      to: fc.nat(5),
      conditions: fc.array(condition, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

type Source = NonNullable<DefinitionInput['states'][number]['participants']>[number];
const groups = ['nobody', 'one', 'creator', 'several'];
function peopleOf(source: string, role: string): Source {
  if (source === 'group') return { type: participantType.group, groups: [1 + groups.indexOf(role)] };
  if (source === 'superior') return { type: participantType.superior, level: 2, gaps: 'skip' };
  if (source === 'superiors') return { type: participantType.superiors, until: { role }, gaps: 'count' };
  return source === 'starter'
    ? { type: participantType.doneBy, state: 's1' }
    : { type: participantType.role, roles: [role] };
}

const keeping = (keeps: boolean, kind: StateKind) =>
  keeps && (kind === 'approve' || kind === 'handle') ? { keep_unchanged: true } : {};

/** Random states and transitions: most of these make no sense, and the check must say so. */
export const definitions = fc.array(node, { minLength: 1, maxLength: 4 }).map((nodes) => {
  const last = nodes.length + 2;
  const target = (to: number) => Math.min(last, to + 1);
  let id = 2;
  return Definition.parse({
    name: '随机',
    fields: [{ id: 1, key: 'amount', name: '金额', type: 10, min: 0, max: 10 }],
    states: [
      { id: 1, key: 's1', name: '开始', kind: 'start', order: 1, access: { amount: 3 } },
      ...nodes.map(({ kind, role, source, apart, distribution, on_self, on_empty, dedupe, keeps, asks }, index) => ({
        id: index + 2,
        key: `s${index + 2}`,
        name: `环节${index + 2}`,
        kind,
        order: index + 2,
        distribution,
        on_self,
        on_empty,
        dedupe,
        access: { amount: asks },
        participants: [peopleOf(source, role)],
        ...keeping(keeps, kind),
        ...(apart ? { not_done_by: ['s1'] } : {}),
      })),
      { id: last, key: `s${last}`, name: '结束', kind: 'end', order: last },
    ],
    transitions: [
      { id: 1, key: 't1', name: '保存', source: 1, destination: 1, attribute: 3, field_require_check: false },
      { id: 2, key: 't2', name: '提交', source: 1, destination: 2, attribute: 1 },
      ...nodes.flatMap(({ exits, kind, timed }, index) =>
        (kind === 'approve' || kind === 'handle' ? exits : exits.slice(0, 1)).map(
          ({ attribute, to, conditions }, at) => ({
            id: ++id,
            key: `t${id}`,
            name: `按钮${id}`,
            source: index + 2,
            destination: target(to),
            attribute,
            timer: at === 0 && kind !== 'condition' && kind !== 'cc' && (timed || kind === 'delay') ? 60 : 0,
            conditions: conditions.map(({ op, value, target: branch }) => ({
              expression: op.endsWith('empty') ? { op, field: 'amount' } : { op, field: 'amount', value },
              target_state_id: target(branch),
            })),
          }),
        ),
      ),
    ],
    settings: { title_template: '申请' },
  });
});

const branch = fc.record({
  condition: fc.option(condition, { nil: undefined }),
  steps: fc.array(node, { minLength: 1, maxLength: 2 }),
});
/** Parallel branches with random transitions inside, some of which leave the block or end it. */
export const blocks = fc
  .record({
    split: fc.constantFrom<StateKind>('parallel_split', 'inclusive'),
    branches: fc.array(branch, { minLength: 2, maxLength: 2 }),
  })
  .map(({ split, branches }) => {
    const steps = branches.flatMap((one) => one.steps);
    const [join, end] = [steps.length + 3, steps.length + 4];
    let no = 1;
    const link = (source: number, destination: number, attribute: 1 | 2 | 3, more: object = {}) => {
      const id = ++no;
      return { id, key: `t${id}`, name: `按钮${id}`, source, destination, attribute, ...more };
    };
    let at = 2;
    const always = branches.some((one) => one.condition === undefined);
    const inside = branches.flatMap(({ steps: own, condition: when }, index) => {
      const first = at + 1;
      at += own.length;
      const limit = when && {
        op: when.op,
        field: 'amount',
        ...(when.op.endsWith('empty') ? {} : { value: when.value }),
      };
      const conditions = split === 'inclusive' && limit ? [{ expression: limit, target_state_id: first }] : [];
      return [
        link(2, first, 3, { conditions, otherwise: split === 'inclusive' && !always && index === 0 }),
        ...own.flatMap(({ kind, exits, timed }, index) => {
          const [id, onward] = [first + index, index === own.length - 1 ? join : first + index + 1];
          const timer = kind === 'delay' || (timed && (kind === 'approve' || kind === 'handle')) ? 60 : 0;
          const ways = kind === 'approve' || kind === 'handle' ? exits : exits.slice(0, 1);
          return ways.map(({ attribute, to }, order) =>
            link(
              id,
              order === 0 ? onward : ([1, first, onward, join, end, id][to] ?? join),
              order === 0 ? 1 : (attribute as 1),
              order === 0 ? { timer } : {},
            ),
          );
        }),
      ];
    });
    return Definition.parse({
      name: '并行',
      fields: [{ id: 1, key: 'amount', name: '金额', type: 10, min: 0, max: 10 }],
      states: [
        { id: 1, key: 's1', name: '开始', kind: 'start', order: 1, access: { amount: 3 } },
        { id: 2, key: 's2', name: '分支', kind: split, order: 2 },
        ...steps.map(({ kind, role, source, apart, distribution, on_self, on_empty, dedupe, keeps, asks }, index) => ({
          id: index + 3,
          key: `s${index + 3}`,
          name: `环节${index + 3}`,
          kind,
          order: index + 3,
          distribution,
          on_self,
          on_empty,
          dedupe,
          access: { amount: asks },
          participants: [peopleOf(source, role)],
          ...keeping(keeps, kind),
          ...(apart ? { not_done_by: ['s1'] } : {}),
        })),
        { id: join, key: 'join', name: '汇合', kind: 'join', order: join },
        { id: end, key: 'end', name: '结束', kind: 'end', order: end },
      ],
      transitions: [
        { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
        ...inside,
        link(join, end, 1),
      ],
      settings: { title_template: '申请' },
    });
  });
