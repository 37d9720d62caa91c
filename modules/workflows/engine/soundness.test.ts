import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '#modules/tickets/engine/decide.ts';
import { noRights, offered } from '#modules/tickets/engine/offers.ts';
import { outcome } from '#modules/tickets/engine/outcome.ts';
import type { PeopleQuery } from '#modules/tickets/engine/people.ts';
import { isOver, newTicket, type TicketState } from '#modules/tickets/engine/state.ts';
import { run } from '#modules/tickets/engine/testing/run.ts';
import { leave } from '../seeds/leave.ts';
import { repair } from '../seeds/repair.ts';
import { voteProblems, type Decide } from './check/votes.ts';
import { distributeType, onEmpty, onSelf, participantType, rejectRule, type StateKind } from './codes.ts';
import { Definition, exitsOf } from './definition.ts';
import { publishProblems } from './publish-check.ts';

const admin = 9;
const organisation = ({ kind, of }: PeopleQuery): readonly number[] => {
  if (kind === 'role') return { nobody: [], one: [2], creator: [1], several: [2, 3, 4] }[String(of)] ?? [];
  return kind === 'workflow_admins' ? [admin] : kind === 'superior' ? [5] : [];
};

/** The ticket after a command; null for a refusal. */
function after(definition: Definition, state: TicketState, command: Command): TicketState | null {
  const decision = run(definition, state, command, organisation);
  return decision.kind === 'decided' ? decision.state : null;
}

/** Both sides of every boundary the random conditions have. */
const amounts = [null, 0, 2, 3, 5, 7];
const everybody = [1, 2, 3, 4, 5, admin];

/** Every ticket one step away from this one, whoever acts, whatever button and amount. */
function next(definition: Definition, state: TicketState): TicketState[] {
  const timers = state.tokens.flatMap((token) => {
    const over = run(definition, state, { type: 'timer', token: token.no, visit: token.visit }, organisation);
    return over.kind === 'decided' ? over.state : [];
  });
  return [...timers, ...byPeople(definition, state)];
}

function byPeople(definition: Definition, state: TicketState): TicketState[] {
  return everybody.flatMap((actor) =>
    offered(definition, state, actor, noRights).flatMap((offer) => {
      if (offer.action === 'accept') return after(definition, state, { type: 'accept', actor }) ?? [];
      if (offer.action !== 'create' && offer.action !== 'handle') return [];
      return amounts.flatMap((amount) => {
        const words = { suggestion: '好', choose: {}, fields: { amount } };
        const command = { type: offer.action, actor, transition_id: offer.transition?.id ?? 0, ...words };
        return after(definition, state, command as Command) ?? [];
      });
    }),
  );
}

/** What of a ticket decides how it can go on. */
const place = (state: TicketState) =>
  JSON.stringify([
    state.act_state,
    state.form,
    state.tokens.map((token) => [token.state_id, token.status]),
    state.tasks
      .filter((task) => state.tokens.some((token) => token.no === task.token && token.visit === task.visit))
      .map((task) => [task.assignee, task.status, task.pooled, task.transition_id]),
    state.tasks.some((task) => task.status === 'agree' && task.round === state.round),
  ]);

/** Whether some way leads from here to an end; looks at no more than so many places. */
function canFinish(definition: Definition, from: TicketState, most = 1500): boolean {
  const seen = new Set([place(from)]);
  let edge = [from];
  while (edge.length > 0 && seen.size < most) {
    const further: TicketState[] = [];
    for (const state of edge) {
      if (isOver(state)) return true;
      for (const one of next(definition, state)) {
        if (isOver(one)) return true;
        const key = place(one);
        if (!seen.has(key)) further.push(one);
        seen.add(key);
      }
    }
    edge = further;
  }
  // Three voters in each branch make more places than can be looked at: those are not judged.
  return seen.size >= most;
}

const condition = fc.record({
  op: fc.constantFrom('gt', 'lte', 'eq', 'empty', 'not_empty'),
  value: fc.constantFrom(2, 5, 20),
  target: fc.nat(5),
});
const node = fc.record({
  kind: fc.constantFrom<StateKind>('approve', 'handle', 'condition', 'approve', 'cc', 'delay', 'subticket'),
  /** Its first way is taken by itself after a time. */
  timed: fc.boolean(),
  role: fc.constantFrom('nobody', 'one', 'creator', 'several'),
  distribution: fc.oneof(
    fc.constantFrom(...[1, 2, 3, 5].map((type) => ({ type: type as 1 | 2 | 3 | 5 }))),
    fc.record({
      type: fc.constant(distributeType.all),
      reject_rule: fc.constantFrom(...Object.values(rejectRule)),
      pass_ratio: fc.constantFrom(50, 100),
    }),
  ),
  on_self: fc.constantFrom(...Object.values(onSelf)),
  on_empty: fc.constantFrom(onEmpty.pass, onEmpty.admins),
  dedupe: fc.constantFrom<'none' | 'round'>('none', 'round'),
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

/** States and transitions at random: most of these make no sense, and the check has to say so. */
const definitions = fc.array(node, { minLength: 1, maxLength: 4 }).map((nodes) => {
  const last = nodes.length + 2;
  const target = (to: number) => Math.min(last, to + 1);
  let id = 2;
  return Definition.parse({
    name: '随机',
    fields: [{ id: 1, key: 'amount', name: '金额', type: 10, min: 0, max: 10 }],
    states: [
      { id: 1, key: 's1', name: '开始', kind: 'start', order: 1, access: { amount: 3 } },
      ...nodes.map(({ kind, role, distribution, on_self, on_empty, dedupe, asks }, index) => ({
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
        participants: [{ type: participantType.role, roles: [role] }],
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

describe('a definition that may be published', () => {
  test('can always be finished, wherever a walk at random has led (I19)', () => {
    let accepted = 0;
    let walked = 0;
    fc.assert(
      fc.property(definitions, fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), (definition, walk) => {
        if (publishProblems(definition).length > 0 || voteProblems(definition, outcome).length > 0) return;
        accepted++;
        let state = newTicket(1, 1);
        for (const pick of walk) {
          const ways = next(definition, state);
          expect(ways.length, JSON.stringify(definition)).toBeGreaterThan(0);
          state = ways[pick % ways.length]!;
          walked++;
          if (isOver(state)) return;
        }
        expect(canFinish(definition, state), JSON.stringify(definition)).toBe(true);
      }),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(60);
    expect(walked).toBeGreaterThan(150);
  }, 120_000);

  test('is not one whose later conditions send a fixed value round for ever', () => {
    const draft = structuredClone(leave.definition) as { -readonly [K in keyof Definition]: Definition[K] };
    draft.transitions = draft.transitions.map((one) =>
      one.key === 'ld_agree'
        ? { ...one, conditions: [{ expression: { op: 'gt', field: 'days', value: 10 }, target_state_id: 2 }] }
        : one.key === 'ld_refuse' || one.key === 'fzr_refuse'
          ? { ...one, destination: one.source }
          : one,
    );
    expect(publishProblems(Definition.parse(draft)).map((problem) => problem.msg)).toEqual([
      '天数为10.1时，工单到了环节「部门负责人审批」就可能走不到结束环节，请检查之后的条件与跳过设置',
      '天数为10.1时，工单到了环节「分管领导审批」就可能走不到结束环节，请检查之后的条件与跳过设置',
    ]);
  });

  test('has no votes that stop it', () => {
    for (const { definition } of [repair, leave]) expect(voteProblems(definition, outcome)).toEqual([]);
  });
});

const branch = fc.record({
  condition: fc.option(condition, { nil: undefined }),
  steps: fc.array(node, { minLength: 1, maxLength: 2 }),
});
/** Branches side by side: the ways within them at random, some of which leave the block or end it. */
const blocks = fc
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
    const inside = branches.flatMap(({ steps: own, condition: when }) => {
      const first = at + 1;
      at += own.length;
      const limit = when && {
        op: when.op,
        field: 'amount',
        ...(when.op.endsWith('empty') ? {} : { value: when.value }),
      };
      const conditions = split === 'inclusive' && limit ? [{ expression: limit, target_state_id: first }] : [];
      return [
        link(2, first, 3, { conditions }),
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
        ...steps.map(({ kind, role, distribution, on_self, on_empty, dedupe, asks }, index) => ({
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
          participants: [{ type: participantType.role, roles: [role] }],
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

test('branches side by side that may be published can always be finished, wherever a walk at random has led (I19)', () => {
  let accepted = 0;
  fc.assert(
    fc.property(blocks, fc.array(fc.nat(10_000), { minLength: 1, maxLength: 5 }), (definition, walk) => {
      if (publishProblems(definition).length > 0 || voteProblems(definition, outcome).length > 0) return;
      accepted++;
      let state = newTicket(1, 1);
      for (const pick of walk) {
        const ways = next(definition, state);
        expect(ways.length, JSON.stringify(definition)).toBeGreaterThan(0);
        state = ways[pick % ways.length]!;
        if (isOver(state)) return;
      }
      expect(canFinish(definition, state), JSON.stringify(definition)).toBe(true);
    }),
    { numRuns: process.env['NIGHTLY'] ? 3000 : 100 },
  );
  expect(accepted).toBeGreaterThan(0);
}, 600_000);

describe('votes that decide nothing', () => {
  // The rule of the older engine: as long as people differ, the ticket stays, and nobody is left to act.
  const unanimous: Decide = (_distribution, votes) => {
    const said = new Set(votes.map((vote) => vote.transition_id));
    const open = votes.some((vote) => vote.status === 'todo');
    return open || said.size > 1 ? { wait: null } : { go: votes[0]!.transition_id! };
  };
  test('are told with the votes that do it', () => {
    const found = voteProblems(repair.definition, unanimous);
    expect(found[0]).toEqual({
      kind: 'state',
      key: 'dept_fzr',
      msg: '两人会签，一人同意、一人拒绝，工单会停在环节「部门负责人审批」，请调整会签规则',
    });
    const evenOnly: Decide = (distribution, votes, exits) =>
      votes.length < 3 ? outcome(distribution, votes, exits) : unanimous(distribution, votes, exits);
    expect(voteProblems(leave.definition, evenOnly)[0]?.msg).toBe(
      '三人会签，两人同意、一人拒绝，工单会停在环节「部门负责人审批」，请调整会签规则',
    );
  });
});

describe('conditions', () => {
  const problemsWith = (conditions: object[], more: object = {}) => {
    const draft = structuredClone(repair.definition) as { -readonly [K in keyof Definition]: Definition[K] };
    draft.transitions = draft.transitions.map((one) =>
      one.key === 'fzr_agree' ? { ...one, conditions } : one,
    ) as never;
    draft.fields = draft.fields.map((one) => (one.key === 'amount' ? { ...one, ...more } : one));
    return publishProblems(Definition.parse(draft)).map((problem) => problem.msg);
  };
  const to = (expression: object, target_state_id = 3) => ({ expression, target_state_id });
  const over = (value: number) => to({ op: 'gt', field: 'amount', value });
  const where = '环节「部门负责人审批」的流转「同意」';

  test('that never decide are named, and why', () => {
    expect(problemsWith([over(5000)])).toEqual([]);
    expect(problemsWith([over(5000), over(9000)])).toEqual([
      `${where}的第 2 个条件（预计金额 大于 9000）永远轮不到，前面的条件已经包含了它`,
    ]);
    expect(problemsWith([over(9000), over(5000)])).toEqual([]);
    expect(problemsWith([over(5000)], { max: 3000 })).toContain(
      `${where}的第 1 个条件（预计金额 大于 5000）永远不会成立，请修改或删除`,
    );
    const never = { op: 'and', of: [over(5000).expression, { op: 'lt', field: 'amount', value: 100 }] };
    expect(problemsWith([to(never)]).join()).toMatch(/永远不会成立/);
  });

  test('must compare a field with what it can hold', () => {
    const wrong = (expression: object) => problemsWith([to(expression)])[0];
    expect(wrong({ op: 'gt', field: 'amount', value: '5000' })).toBe(
      `${where}的条件里，字段「预计金额」不能与“5000”比较，请填写数字`,
    );
    expect(wrong({ op: 'eq', field: 'category', value: 'garden' })).toBe(
      `${where}的条件里，“garden”不是字段「报修类别」的选项`,
    );
    expect(wrong({ op: 'gt', field: 'place', value: 'x' })).toBe(`${where}的条件不能比较字段「地点」的大小`);
    expect(wrong({ op: 'eq', field: 'photos', value: 'x' })).toBe(`${where}的条件只能判断字段「图片」是否为空`);
    expect(wrong({ op: 'contains', field: 'category', value: 'network' })).toBe(
      `${where}的条件里，字段「报修类别」不能用“包含”`,
    );
    expect(wrong({ op: 'eq', field: 'urgency', value: true })).toBe(
      `${where}的条件里，字段「紧急程度」不能与“true”比较`,
    );
  });

  test('that always hold leave the default unused, and what only it reaches is not reached', () => {
    const always = to(
      {
        op: 'or',
        of: [
          { op: 'empty', field: 'amount' },
          { op: 'not_empty', field: 'amount' },
        ],
      },
      1,
    );
    expect(problemsWith([always])).toContain('环节「维修处理」从开始环节走不到');
    expect(exitsOf(repair.definition, 2).length).toBe(2);
  });
});
