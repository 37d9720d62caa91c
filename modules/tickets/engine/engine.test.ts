import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distributeType, onEmpty, onSelf, participantType, rejectRule } from '#modules/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflows/engine/publish-check.ts';
import { leave } from '#modules/workflows/seeds/leave.ts';
import { repair } from '#modules/workflows/seeds/repair.ts';
import { decide, type Command } from './decide.ts';
import { visibleFields } from './fields.ts';
import { offered } from './offers.ts';
import { outcome, type Vote } from './outcome.ts';
import { queryKey, type Answers, type PeopleQuery } from './people.ts';
import { dutiesOf, isOver, mainStateId, newTicket, replay, type LogEntry, type TicketState } from './state.ts';
import type { Facts } from './work.ts';

type Organisation = (query: PeopleQuery) => readonly number[];
const say = { suggestion: '好', fields: {}, choose: {} };

/** Decides as the edge does: answers what is asked until it is decided. */
function run(definition: Definition, state: TicketState, command: Command, organisation: Organisation, random = 0) {
  let people: Answers = {};
  const creator: Facts['creator'] = { alias: '张三', dept_path: [2, 1], roles: ['staff'] };
  for (let round = 0; round < 50; round++) {
    const decision = decide(definition, state, command, { creator, people, random });
    if (decision.kind !== 'asks') return decision;
    people = {
      ...people,
      ...Object.fromEntries(decision.queries.map((query) => [queryKey(query), organisation(query)])),
    };
  }
  throw new Error('asks without end');
}

describe('a repair order', () => {
  const [creator, head, leader, worker, other] = [1, 2, 3, 4, 5];
  const office: Organisation = ({ kind, of }) =>
    kind === 'dept_fzr'
      ? [head]
      : kind === 'dept_ld'
        ? [leader]
        : kind === 'role' && of === 'order_handler'
          ? [worker, other]
          : [];
  const form = {
    title: '漏水',
    category: 'water_power',
    place: '一号楼 301',
    urgency: 'urgent',
    description: '洗手池漏水',
  };
  const definition = repair.definition;
  const started = (fields: Record<string, unknown>, by = creator, organisation = office) =>
    passed(
      run(definition, newTicket(by, 2), { type: 'create', actor: by, transition_id: 2, ...say, fields }, organisation),
    );
  const passed = (decision: ReturnType<typeof run>) => {
    if (decision.kind !== 'decided') throw decision.refusal;
    return decision.state;
  };
  const refused = (decision: ReturnType<typeof run>) => {
    if (decision.kind !== 'refused') throw new Error('it was accepted');
    return decision.refusal;
  };
  const does = (state: TicketState, actor: number, transition_id: number, fields = {}, suggestion = '好') =>
    run(definition, state, { type: 'handle', actor, transition_id, ...say, fields, suggestion }, office);

  test('goes from the head straight to the repair people when it is cheap, is claimed, and ends', () => {
    let ticket = started({ ...form, amount: 300 });
    expect([ticket.title, ticket.act_state, mainStateId(ticket)]).toEqual(['漏水', 1, 2]);
    ticket = passed(does(ticket, head, 3));
    expect(mainStateId(ticket)).toBe(4);
    expect(offered(definition, ticket, worker).map((offer) => offer.code)).toEqual(['accept']);
    expect(refused(does(ticket, worker, 7, { result: '已修好' })).message).toBe('这张工单需要先接单');
    ticket = passed(run(definition, ticket, { type: 'accept', actor: worker }, office));
    expect(dutiesOf(ticket, other)).toEqual([]);
    expect(refused(does(ticket, worker, 7, { result: ' ' })).message).toBe('处理结果：不能为空');
    ticket = passed(does(ticket, worker, 7, { result: '已修好', actual_amount: '120.50' }));
    expect([ticket.act_state, ticket.form['actual_amount']]).toEqual([4, 120.5]);
    expect(refused(does(ticket, worker, 7)).message).toBe('工单已完成，不能再处理');
  });

  test('asks the leader in charge above 5000 yuan, also when the head is the creator and is skipped', () => {
    expect(mainStateId(passed(does(started({ ...form, amount: 5000.01 }), head, 3)))).toBe(3);
    expect(mainStateId(passed(does(started({ ...form, amount: 5000 }), head, 3)))).toBe(4);
    const own = started({ ...form, amount: 9000 }, head);
    expect([mainStateId(own), own.seq, own.tasks.find((task) => task.state_id === 2)?.status]).toEqual([
      3,
      2,
      'skipped',
    ]);
  });

  test('comes back to the creator on a refusal, which needs words, and starts a new round', () => {
    const ticket = started({ ...form, amount: 300 });
    expect(refused(does(ticket, head, 4, {}, '  ')).message).toBe('意见：“拒绝”需要填写意见');
    const back = passed(does(ticket, head, 4, {}, '地点不清楚'));
    expect([back.act_state, mainStateId(back), back.tokens[0]?.returned]).toEqual([2, 1, true]);
    expect(offered(definition, back, creator).map((offer) => offer.code)).toEqual(['save', 'submit', 'delete']);
    const again = passed(does(back, creator, 2, { place: '一号楼 302' }));
    expect([again.act_state, again.round, again.form['place']]).toEqual([1, 2, '一号楼 302']);
    const deleted = passed(run(definition, back, { type: 'delete', actor: creator }, office));
    expect([deleted.deleted, dutiesOf(deleted, creator)]).toEqual([true, []]);
  });

  test('is saved as a draft without its required fields, keeps its default values, and is submitted later', () => {
    const draft = passed(
      run(definition, newTicket(creator, 2), { type: 'create', actor: creator, transition_id: 1, ...say }, office),
    );
    expect([draft.act_state, draft.title, draft.form['urgency']]).toEqual([0, '报修', 'normal']);
    expect(refused(does(draft, creator, 2)).message).toContain('标题：不能为空');
    expect(passed(does(draft, creator, 2, form)).act_state).toBe(1);
  });

  test('lets nobody write unknown, hidden or read-only fields', () => {
    const ticket = started({ ...form, amount: 300 });
    expect(refused(does(ticket, head, 3, { amount: 1 })).message).toBe('预计金额：在当前环节不能修改');
    expect(passed(does(ticket, head, 3, { amount: 300 })).form['amount']).toBe(300);
    expect(refused(does(ticket, head, 3, { result: '' })).message).toBe('result：当前环节没有这个字段');
    expect(refused(does(ticket, head, 3, { act_state: 4 })).message).toBe('act_state：当前环节没有这个字段');
    expect(visibleFields(definition, ticket, head).get('result')).toBe(1);
    expect(visibleFields(definition, ticket, other).has('amount')).toBe(false);
  });

  test('refuses values of the wrong kind with a sentence for each field', () => {
    const bad = { ...form, category: 'x', amount: 'many', photos: ['a'], title: '长'.repeat(81) };
    const refusal = refused(
      run(
        definition,
        newTicket(creator, 2),
        { type: 'create', actor: creator, transition_id: 2, ...say, fields: bad },
        office,
      ),
    );
    expect(refusal.message).toBe(
      '标题：最多 80 个字，现在有 81 个；报修类别：请从选项中选择；预计金额：请输入数字；图片：请重新上传附件',
    );
  });

  test('is not started while nobody could handle it', () => {
    const alone: Organisation = () => [];
    const decision = run(
      definition,
      newTicket(creator, 2),
      { type: 'create', actor: creator, transition_id: 2, ...say, fields: form },
      alone,
    );
    expect(refused(decision).message).toBe('下一环节「部门负责人审批」找不到处理人，请联系流程管理员设置后再提交');
  });

  test('a leave of the head goes to the superior, who is not asked twice', () => {
    const office: Organisation = ({ kind }) =>
      kind === 'dept_fzr' ? [head] : kind === 'superior' || kind === 'dept_ld' ? [leader] : [];
    const fields = { kind: 'sick', from: '2026-03-02', to: '2026-03-06', days: 5, reason: '感冒' };
    const create: Command = { type: 'create', actor: head, transition_id: 2, ...say, fields };
    const ticket = passed(run(leave.definition, newTicket(head, 2), create, office));
    expect([ticket.title, dutiesOf(ticket, leader).length]).toEqual(['张三 病假 5 天', 1]);
    const agreed = passed(
      run(leave.definition, ticket, { type: 'handle', actor: leader, transition_id: 3, ...say }, office),
    );
    expect([agreed.act_state, agreed.seq]).toEqual([4, 3]);
  });
});

const people = fc.subarray([1, 2, 3, 4, 5], { minLength: 0 });
const distribution = fc.oneof(
  fc
    .constantFrom(distributeType.claim, distributeType.direct, distributeType.random, distributeType.sequential)
    .map((type) => ({ type })),
  fc.record({
    type: fc.constant(distributeType.all),
    reject_rule: fc.constantFrom(...Object.values(rejectRule)),
    pass_ratio: fc.integer({ min: 1, max: 100 }),
  }),
);
const node = fc.record({
  kind: fc.constantFrom('approve', 'handle', 'condition', 'approve'),
  distribution,
  on_self: fc.constantFrom(...Object.values(onSelf)),
  on_empty: fc.constantFrom(onEmpty.pass, onEmpty.refuse, onEmpty.admins),
  dedupe: fc.constantFrom('none', 'round'),
  remember_last: fc.boolean(),
  role: people,
  refuseTo: fc.nat(5),
  jumpTo: fc.nat(5),
  amount: fc.nat(9),
  other: fc.boolean(),
});
type Node = typeof node extends fc.Arbitrary<infer N> ? N : never;

/** A chain of random states between start and end, with refusals back and conditional jumps ahead. */
function definitionOf(nodes: readonly Node[]): Definition {
  const last = nodes.length + 2;
  const access = { amount: 3, note: 2, secret: 4, fixed: 1 } as const;
  const transitions: DefinitionInput['transitions'] = [
    { id: 1, key: 't1', name: '保存', source: 1, destination: 1, attribute: 3, field_require_check: false },
    { id: 2, key: 't2', name: '提交', source: 1, destination: 2, attribute: 1 },
  ];
  for (const [index, { kind, jumpTo, refuseTo, amount, other }] of nodes.entries()) {
    const source = index + 2;
    const target_state_id = Math.min(last, source + 1 + jumpTo);
    const expression = { op: 'gt', field: 'amount', value: amount } as const;
    const add = (
      name: string,
      destination: number,
      attribute: 1 | 2 | 3,
      conditions: { expression: typeof expression; target_state_id: number }[] = [],
    ) =>
      transitions.push({
        id: transitions.length + 1,
        key: `t${transitions.length + 1}`,
        name,
        source,
        destination,
        attribute,
        conditions,
      });
    add('同意', source + 1, 1, [{ expression, target_state_id }]);
    if (kind === 'condition') continue;
    add('拒绝', Math.max(1, source - refuseTo), 2);
    if (other) add('转办', source + 1, 3);
  }
  return Definition.parse({
    name: '随机',
    fields: [
      { id: 1, key: 'amount', name: '金额', type: 10 },
      { id: 2, key: 'note', name: '说明', type: 5 },
      { id: 3, key: 'secret', name: '隐藏', type: 5 },
      { id: 4, key: 'fixed', name: '只读', type: 5 },
    ],
    states: [
      { id: 1, key: 's1', name: '开始', kind: 'start', order: 1, access },
      ...nodes.map(({ kind, distribution, on_self, on_empty, dedupe, remember_last }, index) => ({
        id: index + 2,
        key: `s${index + 2}`,
        name: `环节${index + 2}`,
        kind,
        order: index + 2,
        distribution,
        on_self,
        on_empty,
        dedupe,
        remember_last,
        access,
        participants: [{ type: participantType.role, roles: [`r${index}`] }],
      })),
      { id: last, key: `s${last}`, name: '结束', kind: 'end', order: last },
    ],
    transitions,
    settings: { title_template: '{note}' },
  } satisfies DefinitionInput);
}

const step = fc.record({
  actor: fc.integer({ min: 1, max: 6 }),
  pick: fc.nat(20),
  honest: fc.nat(4).map((n) => n > 0),
  transition_id: fc.integer({ min: 1, max: 16 }),
  type: fc.constantFrom('handle', 'accept', 'delete', 'create'),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  amount: fc.nat(9),
  field: fc.nat(19).map((n) => ['secret', 'fixed', 'nothing'][n] ?? ''),
});

function checkInvariants(
  definition: Definition,
  blank: TicketState,
  state: TicketState,
  log: readonly LogEntry[],
): void {
  const todo = state.tasks.filter((task) => task.status === 'todo');
  expect(todo.length > 0).toBe(!isOver(state)); // I1, I2
  if (isOver(state)) expect(state.tasks.some((task) => task.status === 'waiting')).toBe(false);
  expect([1, 2, 3, 4, 5, 6].flatMap((person) => dutiesOf(state, person)).length).toBe(todo.length); // I3
  expect(log.map((entry) => entry.seq)).toEqual(log.map((_entry, index) => index + 1)); // I4
  expect(replay(blank, JSON.parse(JSON.stringify(log)) as LogEntry[])).toEqual(state); // I5, also through the database's JSON
  const states = new Set(definition.states.map((candidate) => candidate.id)); // I6
  expect([...state.tokens, ...state.tasks].every((part) => states.has(part.state_id))).toBe(true);
  expect(Object.keys(state.form).every((key) => key === 'amount' || key === 'note')).toBe(true); // I7
  for (const task of todo) {
    const token = state.tokens.find((candidate) => candidate.no === task.token);
    expect([token?.visit, token?.state_id, token?.status]).toEqual([task.visit, task.state_id, 'active']);
  }
  const open = state.tasks.filter((task) => task.status === 'todo' || task.status === 'waiting');
  expect(new Set(open.map((task) => `${task.token}/${task.visit}/${task.assignee}`)).size).toBe(open.length);
}

describe('the core, walked at random', () => {
  test('keeps every invariant, and takes exactly what it offers', () => {
    let moved = 0;
    let ended = 0;
    fc.assert(
      fc.property(
        fc.array(node, { minLength: 1, maxLength: 5 }),
        fc.array(step, { minLength: 3, maxLength: 25 }),
        (nodes, steps) => {
          const definition = definitionOf(nodes);
          expect(publishProblems(definition)).toEqual([]);
          const organisation: Organisation = ({ kind, of }) =>
            kind === 'role'
              ? (nodes[Number(String(of).slice(1))]?.role ?? [])
              : kind === 'workflow_admins'
                ? [6]
                : kind === 'superior'
                  ? [5]
                  : [];
          const blank = newTicket(1, 2);
          let state = blank;
          const log: LogEntry[] = [];
          for (const { actor, pick, honest, transition_id, type, random, amount, field } of steps) {
            // An honest person takes one of the buttons shown; otherwise anything is tried by anybody.
            const turn = state.tasks.find((task) => task.status === 'todo')?.assignee ?? (state.seq === 0 ? 1 : actor);
            const person = honest ? turn : actor;
            const offers = offered(definition, state, person);
            const shown = offers[pick % Math.max(1, offers.length)];
            const fields = {
              ...(shown?.action === 'accept' ? {} : { amount, note: '好' }),
              ...(field ? { [field]: 'x' } : {}),
            };
            const words = { suggestion: '好', fields, choose: {} };
            const action = honest && shown ? shown.action : type;
            const id = honest && shown?.transition ? shown.transition.id : transition_id;
            const command: Command =
              action === 'handle' || action === 'create'
                ? { type: action, actor: person, transition_id: id, ...words }
                : { type: action, actor: person };
            const wasOffered = offers.some(
              (offer) => offer.action === action && (offer.transition === null || offer.transition.id === id),
            );
            const before = JSON.stringify(state);
            const decision = run(definition, state, command, organisation, random);
            expect(JSON.stringify(state)).toBe(before);
            if (decision.kind === 'refused') {
              // I15: what is offered succeeds, unless a field may not be written or the next state has nobody.
              if (wasOffered && 'fields' in command && field === '')
                expect(decision.refusal.message).toMatch(/找不到处理人/);
              else if (wasOffered && !('fields' in command)) expect.fail(decision.refusal.message);
              continue;
            }
            expect(wasOffered && (field === '' || !('fields' in command))).toBe(true);
            expect(run(definition, state, command, organisation, random)).toEqual(decision);
            log.push(...decision.log);
            state = decision.state;
            moved++;
            if (isOver(state)) ended++;
            checkInvariants(definition, blank, state, log);
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(moved).toBeGreaterThan(1000);
    expect(ended).toBeGreaterThan(50);
  }, 30_000);

  test('every set of votes gives one way on or somebody who can act', () => {
    const exits = definitionOf([
      {
        kind: 'approve',
        other: true,
        refuseTo: 1,
        jumpTo: 0,
        amount: 0,
        role: [],
        distribution: { type: 2 },
        on_self: 1,
        on_empty: 1,
        dedupe: 'none',
        remember_last: false,
      },
    ]).transitions.filter((transition) => transition.source === 2);
    const vote = fc.record({
      status: fc.constantFrom('todo', 'waiting', 'agree', 'refuse', 'other'),
      group_seq: fc.nat(9),
    });
    fc.assert(
      fc.property(distribution, fc.array(vote, { minLength: 1, maxLength: 8 }), (rule, raw) => {
        const attribute = { agree: 1, refuse: 2, other: 3 } as const;
        const votes = raw.map(({ status, group_seq }, index): Vote => {
          const cast = status === 'todo' || status === 'waiting' ? null : attribute[status];
          return {
            no: index + 1,
            group_seq,
            status,
            transition_id: exits.find((exit) => exit.attribute === cast)?.id ?? null,
          };
        });
        const result = outcome(rule, votes, exits);
        if ('go' in result) {
          const chosen = exits.find((exit) => exit.id === result.go);
          expect(votes.some((vote) => vote.transition_id === chosen?.id)).toBe(true);
        } else if (result.wait === null) expect(votes.some((vote) => vote.status === 'todo')).toBe(true);
        else expect(votes[result.wait - 1]?.status).toBe('waiting');
        expect(outcome(rule, votes, exits)).toEqual(result);
      }),
      { numRuns: 2000 },
    );
  });

  test('counts refusals as its rule says', () => {
    const exits = repair.definition.transitions.filter((transition) => transition.source === 2);
    const votes = (...said: Vote['status'][]): Vote[] =>
      said.map((status, index) => ({
        no: index + 1,
        group_seq: index,
        status,
        transition_id: status === 'agree' ? 3 : status === 'refuse' ? 4 : null,
      }));
    const all = (reject_rule: 1 | 2 | 3, pass_ratio = 100) => ({ type: distributeType.all, reject_rule, pass_ratio });
    expect(outcome(all(rejectRule.veto), votes('agree', 'refuse', 'todo'), exits)).toEqual({ go: 4 });
    expect(outcome(all(rejectRule.wait), votes('agree', 'refuse', 'todo'), exits)).toEqual({ wait: null });
    expect(outcome(all(rejectRule.wait), votes('agree', 'refuse', 'agree'), exits)).toEqual({ go: 4 });
    expect(outcome(all(rejectRule.ratio, 60), votes('agree', 'agree', 'todo'), exits)).toEqual({ go: 3 });
    expect(outcome(all(rejectRule.ratio, 60), votes('refuse', 'refuse', 'todo'), exits)).toEqual({ go: 4 });
    expect(outcome({ type: distributeType.direct }, votes('refuse', 'todo'), exits)).toEqual({ wait: null });
    expect(outcome({ type: distributeType.sequential }, votes('agree', 'waiting', 'waiting'), exits)).toEqual({
      wait: 2,
    });
  });
});
