import { describe, expect, test } from 'vitest';
import { onEmpty, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { noRights, offered } from './ways/offers.ts';
import type { PeopleQuery } from './people/people.ts';
import type { Command } from './decide.ts';
import type { TicketState } from './state.ts';
import { newTicket } from './state.ts';
import { flowOf, numbered, press, waitingFor } from './testing/flow.ts';
import { passed, refused, run, type Organisation } from './testing/run.ts';

const [applicant, first, boss, chief] = [1, 2, 7, 8];
type Asked = DefinitionInput['states'][number];
const asks = (id: number, more: Partial<Asked>): Asked => ({
  id,
  key: `s${id}`,
  name: `环节${id}`,
  kind: 'approve',
  order: id,
  on_empty: onEmpty.refuse,
  ...more,
});
const one = (user: number): Asked['participants'] => [{ type: participantType.user, user }];
const role = (code: string): Asked['participants'] => [{ type: participantType.role, roles: [code] }];
const picked: Asked['participants'] = [{ type: participantType.variable, variable: 'creator_select' }];
const then = (second: Partial<Asked>): Definition =>
  flowOf([asks(2, { participants: one(first) }), asks(3, second)], 4, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
    ['同意', 3, 4, 1],
    ['拒绝', 3, 1, 2],
  ]);
/** Two administrators; a role with too many members; the other roles have none. */
const app: Organisation = (query: PeopleQuery) =>
  query.kind === 'workflow_admins'
    ? [boss, chief].filter((person) => person !== query.of)
    : query.kind === 'role'
      ? Array.from({ length: query.of === 'crowd' ? 501 : 0 }, (_none, index) => 100 + index)
      : numbered(query);
const submitted = (definition: Definition, ask = app) =>
  passed(run(definition, newTicket(applicant, 1), press(newTicket(applicant, 1), applicant, 1), ask));
const agreed = (definition: Definition, state: TicketState, actor: number, way: number) =>
  passed(run(definition, state, press(state, actor, way), app));
const reasons = (state: TicketState) =>
  state.tasks.filter((task) => task.status === 'todo').map((task) => [task.assignee, task.origin, task.reason]);
const codes = (definition: Definition, state: TicketState, person: number) =>
  offered(definition, state, person, noRights).map((offer) => offer.code);

describe('administrators of the workflow get the ticket as a task, with the reason', () => {
  const why = (words: string) => [
    [boss, 'stall', words],
    [chief, 'stall', words],
  ];

  test('when nobody is found for the next state', () => {
    const flow = then({ participants: role('nobody') });
    expect(reasons(agreed(flow, submitted(flow), first, 2))).toEqual(why('环节“环节3”找不到办理人'));
  });

  test('when the person picked for a state has left by then', () => {
    const flow = then({ participants: picked });
    const blank = newTicket(applicant, 1);
    const begun = passed(run(flow, blank, { ...press(blank, applicant, 1), choose: { 3: ['u7'] } } as Command, app));
    const without: Organisation = (query) => (query.of === 'u7' ? [] : app(query));
    expect(reasons(passed(run(flow, begun, press(begun, first, 2), without)))).toEqual(
      why('环节“环节3”的办理人应由他人选择，选定的人已经离开'),
    );
  });

  test('when only the applicant could have picked people, and the ticket began without a pick', () => {
    const flow = then({ participants: picked });
    const blank = newTicket(applicant, 1);
    const start = (how: object) => run(flow, blank, press(blank, applicant, 1), app, how);
    expect(start({}).kind).toBe('refused');
    for (const how of [{ by_itself: true }, { of_record: true }])
      expect(reasons(agreed(flow, passed(start(how)), first, 2)).map(([person, origin]) => [person, origin])).toEqual([
        [boss, 'stall'],
        [chief, 'stall'],
      ]);
  });

  test('when more people are found than a state may ask', () => {
    const flow = then({ participants: role('crowd') });
    expect(reasons(agreed(flow, submitted(flow), first, 2))).toEqual(
      why('环节“环节3”的办理人有 501 人，超过了上限 500 人'),
    );
  });

  test('when a timer runs out and nobody is found for the state behind it', () => {
    const flow = flowOf(
      [
        { id: 2, key: 'wait', name: '等', kind: 'delay', order: 2 },
        asks(3, { participants: [{ type: participantType.field, field: 'who' }] }),
      ],
      4,
      [
        ['提交', 1, 2, 1],
        ['到时', 2, 3, 1],
        ['同意', 3, 4, 1],
      ],
    );
    const waits = submitted(flow);
    const timed: Definition = {
      ...flow,
      transitions: flow.transitions.map((exit) => (exit.id === 2 ? { ...exit, timer: 60 } : exit)),
    };
    const over = passed(run(timed, waits, { type: 'timer', token: 1, visit: waits.tokens[0]!.visit }, app));
    expect(reasons(over)).toEqual(why('环节“环节3”找不到办理人'));
  });

  test('when the server reports that something else stopped the ticket', () => {
    const flow = then({ participants: one(3) });
    const state = submitted(flow);
    const { visit } = state.tokens[0]!;
    const stopped = passed(run(flow, state, { type: 'stall', token: 1, visit, why: '下级工单已删除' }, app));
    expect(reasons(stopped)).toEqual([[first, 'assign', ''], ...why('下级工单已删除')]);
    expect(reasons(agreed(flow, stopped, first, 2)), 'its own people may still go on').toEqual([[3, 'assign', '']]);
    expect(refused(run(flow, state, { type: 'stall', token: 1, visit: visit + 1, why: '迟了' }, app))).toContain(
      '不需要',
    );
  });

  test('when the tickets below were deleted and nobody of the staff has a button, but not while somebody has', () => {
    const flow = then({ participants: one(3) });
    const state = submitted(flow);
    const below = { type: 'childless', token: 1, visit: state.tokens[0]!.visit } as const;
    expect(run(flow, state, below, app).kind).toBe('refused');
    const gone: Organisation = (query) => app(query).filter((person) => person !== first);
    expect(reasons(passed(run(flow, state, below, gone)))).toEqual([
      [first, 'assign', ''],
      ...why('下级工单已删除，环节“环节2”没有人可以继续'),
    ]);
  });

  test('but not the applicant while there is another administrator', () => {
    const flow = then({ participants: role('nobody') });
    const begun = run(flow, newTicket(boss, 1), press(newTicket(boss, 1), boss, 1), app);
    expect(waitingFor(agreed(flow, passed(begun), first, 2))).toEqual([chief]);
  });
});

test('a reminder by the system is written down and changes no task', () => {
  const flow = then({ participants: one(3) });
  const state = submitted(flow);
  const event = { type: 'remind', token: 1, visit: state.tokens[0]!.visit, suggestion: '将于明天到期' } as const;
  const reminded = run(flow, state, event, app);
  expect(passed(reminded)).toEqual({ ...state, seq: state.seq + 1 });
  expect(reminded.kind === 'decided' && reminded.log).toMatchObject([
    { actor: null, action: 'urge', suggestion: '将于明天到期', events: [] },
  ]);
});

test('a first submission for which nobody is found is refused to the applicant instead of going to the administrators', () => {
  const flow = flowOf([asks(2, { participants: role('nobody') })], 3, [
    ['提交', 1, 2, 1],
    ['同意', 2, 3, 1],
  ]);
  expect(refused(run(flow, newTicket(applicant, 1), press(newTicket(applicant, 1), applicant, 1), app))).toContain(
    '找不到办理人',
  );
});

describe('an administrator who has the task of a stuck ticket', () => {
  const flow = then({ participants: role('nobody') });
  const state = agreed(flow, submitted(flow), first, 2);

  test('cannot decide it, but hands it on, moves or closes the ticket, and may intervene for that time', () => {
    expect(codes(flow, state, boss)).toEqual(['deliver', 'suspend', 'comment', 'state', 'close']);
    expect(codes(flow, state, first)).not.toContain('close');
  });

  test('hands it to a person who decides in place of the missing handlers', () => {
    const given = passed(run(flow, state, { type: 'deliver', actor: boss, people: ['u5'], suggestion: '请办理' }, app));
    expect(waitingFor(given)).toEqual([5]);
    expect(agreed(flow, given, 5, 3).act_state).toBe(4);
  });

  test('makes the state look for its people again by moving the ticket to the same state', () => {
    const again = (ask: Organisation) =>
      run(flow, state, { type: 'state', actor: boss, state_id: 3, people: [], suggestion: '再试' }, ask);
    expect(refused(again(app))).toContain('找不到办理人');
    expect(waitingFor(passed(again((query) => (query.kind === 'role' ? [6] : app(query)))))).toEqual([6]);
  });
});

test('a stuck ticket goes to the members of the missing role as soon as there are any', () => {
  const flow = then({ participants: role('nobody') });
  const state = agreed(flow, submitted(flow), first, 2);
  const now = passed(run(flow, state, 'regroup', (query) => (query.kind === 'role' ? [6] : app(query))));
  expect(reasons(now)).toEqual([[6, 'assign', '']]);
});

describe('when an administrator or handler leaves', () => {
  const without =
    (gone: number, ask = app): Organisation =>
    (query) =>
      ask(query).filter((person) => person !== gone);
  const left = (definition: Definition, state: TicketState, person: number, ask = app) =>
    passed(run(definition, state, { type: 'regroup', person }, without(person, ask)));

  test('their task of a stuck ticket goes to the other administrators and gives them no vote', () => {
    const flow = then({ participants: role('nobody') });
    const calling = agreed(flow, submitted(flow), first, 2);
    const once = left(flow, calling, boss);
    expect(reasons(once)).toEqual([[chief, 'stall', '环节“环节3”找不到办理人']]);
    const other: Organisation = (query) => (query.kind === 'workflow_admins' ? [9] : app(query));
    expect(reasons(left(flow, once, chief, other))).toEqual([[9, 'stall', '环节“环节3”找不到办理人']]);
  });

  test('a task that nobody else may take goes to the administrators', () => {
    const flow = then({ participants: one(3), distribution: { type: 4, reject_rule: 1 } });
    const onlyApplicant: Organisation = (query) =>
      query.kind === 'workflow_admins' ? (query.of === null ? [applicant] : [boss]) : numbered(query);
    const waits = agreed(flow, submitted(flow), first, 2);
    expect(reasons(left(flow, waits, 3, onlyApplicant))).toEqual([[boss, 'stall', '办理人已离岗，没有其他人可以接办']]);
  });
});

test('a person barred from a state by an earlier decision gets help from the administrators, unless they may hand it on', () => {
  const branches = (more: Partial<Asked>) =>
    flowOf(
      [
        { id: 2, key: 'split', name: '同时审核', kind: 'parallel_split', order: 2 },
        asks(3, { participants: one(first) }),
        asks(4, { participants: one(first), not_done_by: ['s3'], ...more }),
        { id: 5, key: 'join', name: '汇合', kind: 'join', order: 5 },
      ],
      6,
      [
        ['提交', 1, 2, 1],
        ['进入', 2, 3, 3],
        ['进入', 2, 4, 3],
        ['同意', 3, 5, 1],
        ['同意', 4, 5, 1],
        ['继续', 5, 6, 3],
      ],
    );
  const apart = '办理人办过不能由同一人办理的环节，这一步须由他人办理';
  const decided = (more: Partial<Asked>) => {
    const flow = branches(more);
    return reasons(agreed(flow, submitted(flow), first, 4));
  };
  expect(decided({ actions: [] })).toEqual([
    [first, 'assign', ''],
    [boss, 'stall', apart],
    [chief, 'stall', apart],
  ]);
  expect(decided({ actions: ['deliver'] })).toEqual([[first, 'assign', '']]);
  // Another person of the state is enough, if there is one.
  const two: Asked['participants'] = [first, 9].map((user) => ({ type: participantType.user, user }));
  expect(decided({ actions: [], participants: two })).toEqual([
    [first, 'assign', ''],
    [9, 'assign', ''],
  ]);
});
