import { describe, expect, test } from 'vitest';
import {
  distributeType,
  onEmpty,
  onSelf,
  participantType,
  rejectRule,
} from '#modules/workflow/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { offered, type Rights } from './ways/offers.ts';
import type { PeopleQuery } from './people/people.ts';
import { newTicket, type TicketState } from './state.ts';
import { flowOf } from './testing/flow.ts';
import { passed, refused, run, type Organisation } from './testing/run.ts';

const creator = 1;
const [admin, superior] = [6, 5];
const words = { suggestion: '好', fields: {}, choose: {} };
const names = (of: PeopleQuery['of']) => Number(String(of).slice(1));
const organisation =
  (more: Partial<Record<PeopleQuery['kind'], readonly number[]>> = {}): Organisation =>
  ({ kind, of }) =>
    more[kind] ??
    (kind === 'user'
      ? [Number(of)]
      : kind === 'username'
        ? [names(of)]
        : kind === 'workflow_admins'
          ? [admin]
          : kind === 'superior'
            ? [superior]
            : []);

type State = Partial<DefinitionInput['states'][number]>;
const approval = (state: State) =>
  flowOf(
    [
      {
        id: 2,
        key: 'approve',
        name: '审批',
        kind: 'approve',
        order: 2,
        on_self: onSelf.skip,
        ...state,
      },
    ],
    3,
    [
      ['提交', 1, 2, 1],
      ['同意', 2, 3, 1],
      ['拒绝', 2, 1, 2],
      ['办结', 2, 3, 3],
    ],
  );
const submit = (definition: ReturnType<typeof approval>, org: Organisation, choose: Record<string, string[]> = {}) =>
  run(definition, newTicket(creator, 2), { type: 'create', actor: creator, transition_id: 1, ...words, choose }, org);
const openFor = (state: TicketState) =>
  state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee);
const chosen = { type: participantType.variable, variable: 'creator_select' } as const;
const nobody = { type: participantType.role, roles: ['nobody'] };

describe('an applicant never approves their own request', () => {
  test('and the administrators get the task when nobody is found and only the applicant is named to step in', () => {
    const definition = approval({ participants: [nobody], on_empty: onEmpty.users, on_empty_users: [creator] });
    expect(openFor(passed(submit(definition, organisation())))).toEqual([admin]);
    const two = approval({ participants: [nobody], on_empty: onEmpty.users, on_empty_users: [creator, 4] });
    expect(openFor(passed(submit(two, organisation())))).toEqual([4]);
  });

  test('and as administrator is replaced by the other administrators or the superior, or the request is refused', () => {
    const definition = approval({ participants: [nobody], on_empty: onEmpty.admins });
    const admins = (workflow_admins: number[], above = [superior]) =>
      organisation({ workflow_admins, superior: above });
    expect(openFor(passed(submit(definition, admins([creator, admin]))))).toEqual([admin]);
    expect(openFor(passed(submit(definition, admins([creator]))))).toEqual([superior]);
    expect(refused(submit(definition, admins([creator], [])))).toContain('找不到办理人');
  });

  test('and superiors, where they take over, are asked before the administrators', () => {
    const definition = approval({
      participants: [nobody],
      on_self: onSelf.superior,
      on_empty: onEmpty.users,
      on_empty_users: [creator],
    });
    expect(openFor(passed(submit(definition, organisation())))).toEqual([superior]);
  });

  test('by choosing themselves, which is refused; named in a field, the task goes to the administrators with the reason', () => {
    const definition = approval({ participants: [chosen] });
    expect(refused(submit(definition, organisation(), { 2: ['u1'] }))).toContain('发起人不能审批自己的工单');
    expect(openFor(passed(submit(definition, organisation(), { 2: ['u4'] })))).toEqual([4]);
    const field = {
      ...approval({ participants: [{ type: participantType.field, field: 'who' }], on_empty: onEmpty.pass }),
      fields: [],
    };
    const named = { ...newTicket(creator, 2), form: { who: 'u1' } };
    const decision = run(field, named, { type: 'create', actor: creator, transition_id: 1, ...words }, organisation());
    expect(openFor(passed(decision))).toEqual([admin]);
    const [why] = decision.kind === 'decided' ? decision.log.flatMap((entry) => entry.trace) : [];
    expect(why).toMatchObject({ about: 'people', why: '办理人填的是发起人本人，由流程管理员处理' });
  });

  test('but a step whose only handler is the applicant is skipped if the workflow says so', () => {
    const definition = approval({ participants: [{ type: participantType.user, user: creator }] });
    expect(passed(submit(definition, organisation())).act_state).toBe(4);
  });

  test('and can only refuse or hand on a task that has reached them, and cannot claim it', () => {
    const definition = approval({ participants: [{ type: participantType.user, user: 4 }] });
    const state = passed(submit(definition, organisation()));
    const mine = {
      ...state,
      tasks: state.tasks.map((task) => (task.no === 2 ? { ...task, assignee: creator } : task)),
    };
    const offers = offered(definition, mine, creator, { intervene: false, urge_wait: 0 });
    expect(offers.filter((offer) => offer.task_no === 2).map((offer) => offer.code)).toEqual([
      'refuse',
      'deliver',
      'suspend',
    ]);
    const does = (transition_id: number) =>
      run(definition, mine, { type: 'handle', actor: creator, transition_id, ...words }, organisation());
    for (const agrees of [2, 4]) expect(refused(does(agrees))).toBe('这是本人发起的，不能由本人同意，请转交他人办理');
    expect(passed(does(3)).act_state).toBe(2);
    const handed = run(
      definition,
      mine,
      { type: 'deliver', actor: creator, people: ['u4'], suggestion: '请审批' },
      organisation(),
    );
    expect(openFor(passed(handed))).toEqual([4]);
    const pooled = { ...mine, tasks: mine.tasks.map((task) => (task.no === 2 ? { ...task, pooled: true } : task)) };
    expect(refused(run(definition, pooled, { type: 'accept', actor: creator }, organisation()))).not.toBe('');
  });

  test('and as administrator can force their own request back to its start and no further', () => {
    const definition = approval({ participants: [{ type: participantType.user, user: 4 }] });
    const state = passed(submit(definition, organisation()));
    const rights: Rights = { intervene: true, administers: true, urge_wait: 0 };
    const move = (actor: number, state_id: number) =>
      run(definition, state, { type: 'state', actor, state_id, people: [], suggestion: '调整' }, organisation(), {
        rights,
      });
    expect(refused(move(creator, 3))).toBe('这是本人发起的工单，不能由本人调整到这个环节，请找其他流程管理员调整');
    expect(passed(move(creator, 1)).act_state).toBe(2);
    expect(passed(move(admin, 3)).act_state).toBe(4);
  });

  test('and without a setting the superior decides, else the administrators, whatever the rule for an empty state', () => {
    for (const on_empty of [onEmpty.refuse, onEmpty.pass, onEmpty.admins]) {
      const definition = approval({ participants: [{ type: participantType.user, user: creator }], on_empty });
      const silent = { ...definition, states: definition.states.map(({ on_self: _said, ...state }) => state) };
      const parsed = Definition.parse(silent);
      expect(openFor(passed(submit(parsed, organisation())))).toEqual([superior]);
      expect(openFor(passed(submit(parsed, organisation({ superior: [] }))))).toEqual([admin]);
      const nobodyElse = organisation({ superior: [], workflow_admins: [creator] });
      expect(refused(submit(parsed, nobodyElse))).toContain('环节“审批”');
    }
  });

  test('unless the workflow expressly allows it', () => {
    const definition = approval({ participants: [chosen], on_self: onSelf.asUsual });
    const state = passed(submit(definition, organisation(), { 2: ['u1'] }));
    const agreed = run(
      definition,
      state,
      { type: 'handle', actor: creator, transition_id: 2, ...words },
      organisation(),
    );
    expect(passed(agreed).act_state).toBe(4);
  });
});

describe('one person fills one seat of a joint decision', () => {
  const users = [2, 3, 4];
  const joint = (more: State = {}) =>
    approval({
      participants: [{ type: participantType.users, users }],
      distribution: { type: distributeType.all, reject_rule: rejectRule.wait, pass_ratio: 100 },
      ...more,
    });
  /** Person 3 has decided task 2, which is 2's. */
  const eyes: Rights = { intervene: false, urge_wait: 0, delegates: new Map([[2, 3]]) };
  const decides = (
    definition: ReturnType<typeof joint>,
    state: TicketState,
    actor: number,
    task_no?: number,
    rights = eyes,
  ) =>
    run(definition, state, { type: 'handle', actor, transition_id: 2, task_no, ...words }, organisation(), { rights });
  const voted = (definition: ReturnType<typeof joint>) =>
    passed(decides(definition, passed(submit(definition, organisation())), 2, 2));

  test('and after deciding as a delegate must hand on their own seat', () => {
    const definition = joint();
    const state = voted(definition);
    expect(refused(decides(definition, state, 3, 3))).toBe(
      '本人已在这个环节表过态，一人只占一席，请把这一项转交他人办理',
    );
    const codes = offered(definition, state, 3, eyes).filter((offer) => offer.task_no === 3);
    expect(codes.map((offer) => offer.code)).toEqual(['deliver', 'suspend']);
    expect(openFor(passed(decides(definition, state, 4, 4)))).toEqual([3]);
    // The other way round: first their own task, then as a delegate.
    const own = passed(
      decides(definition, passed(submit(definition, organisation())), 3, 3, { ...eyes, delegates: new Map() }),
    );
    expect(refused(decides(definition, own, 2, 2, { ...eyes, delegates: new Map(), by: 3 }))).toContain('一人只占一席');
  });

  test('unless the state allows several seats, each decided by its own press', () => {
    const definition = joint({ several_seats: true });
    const state = voted(definition);
    expect(refused(decides(definition, state, 3))).toContain('task_no');
    expect(openFor(passed(decides(definition, state, 3, 3)))).toEqual([4]);
  });

  test('but where the first answer decides, one person may answer for several tasks', () => {
    const definition = joint({ distribution: { type: distributeType.direct } });
    const state = passed(submit(definition, organisation()));
    const no = (from: TicketState, actor: number, task_no: number) =>
      run(definition, from, { type: 'handle', actor, transition_id: 3, task_no, ...words }, organisation(), {
        rights: eyes,
      });
    expect(openFor(passed(no(passed(no(state, 2, 2)), 3, 3)))).toEqual([4]);
  });
});
