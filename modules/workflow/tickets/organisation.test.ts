import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openPublishing, type Definition } from '#modules/workflow/workflows/testing/publishing.ts';
import { groupCalls, userGroups } from '#modules/workflow/workflows/contract/groups.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { appoint } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';

let here: Awaited<ReturnType<typeof openPublishing>>;
let first: Client;
let second: Client;
let group: number;
beforeAll(async () => {
  here = await openPublishing();
  const { app } = here;
  first = await app.signIn(await app.person({ alias: '审核甲', roles: ['staff'] }));
  second = await app.signIn(await app.person({ alias: '审核乙', roles: ['staff'] }));
  await app.admin.get(userGroups.add, { body: { name: '审核组', people: [first.userId, second.userId] } });
  group = (await app.admin.get(userGroups.list, { query: {} })).value[0]!.id;
}, 180_000);
afterAll(() => here.close());

type State = Definition['states'][number];
/** A new workflow with one approval as given, published. */
async function published(part: Partial<State>, more: (definition: Definition) => Definition = (same) => same) {
  const id = await here.flow((definition) =>
    more({
      ...definition,
      states: definition.states.map((one) => (one.kind === 'approve' ? { ...one, on_self: 1, ...part } : one)),
    }),
  );
  const { code, msg } = await here.publish(id);
  expect(code, msg).toBe(0);
  return id;
}
const waits = async (who: Client) => (await who.get(tickets.jiaobiao)).total;
const does = (who: Client, id: number) => here.does(who, id, 3);
const begun = async (flow: number) => (await here.begin(flow)).ticket_id;

test('a workflow asks the members of a user group; joining or leaving the group gives or takes its waiting tasks', async () => {
  const { app } = here;
  const flow = await published({ participants: [{ type: 16, groups: [group] }] });
  const id = await begun(flow);
  expect([await waits(first), await waits(second)]).toEqual([1, 1]);
  const [row] = (await app.admin.get(userGroups.list, { query: {} })).value;
  expect(row).toMatchObject({ working: 2, members: '审核甲、审核乙' });
  const { value: offered } = await app.admin.get(groupCalls.simpleGroups);
  expect(offered.find((one) => one.id === group)).toEqual({ id: group, name: row!.name, working: 2 });
  await app.admin.get(userGroups.change, { params: { id: group }, body: { people: [first.userId] } });
  await eventually(async () => expect([await waits(first), await waits(second)]).toEqual([1, 0]));
  await app.admin.get(userGroups.change, { params: { id: group }, body: { people: [first.userId, second.userId] } });
  await eventually(async () => expect([await waits(first), await waits(second)]).toEqual([1, 1]));
  const gone = await app.admin.ask(userGroups.remove, { params: { id: group } });
  expect(gone.msg).toContain('1 个流程');
  await does(first, id);
});

test('of a user group the member with the fewest tasks is asked, or each member in turn', async () => {
  const participants: State['participants'] = [{ type: 16, groups: [group] }];
  const idle = await published({ participants, distribution: { type: 6 } });
  const ids = [await begun(idle), await begun(idle)];
  expect([await waits(first), await waits(second)]).toEqual([1, 1]);
  for (const [index, who] of [first, second].entries()) await does(who, ids[index]!);
  const turns = await published({ participants, distribution: { type: 7 } });
  const one = await begun(turns);
  expect([await waits(first), await waits(second)]).toEqual([1, 0]);
  await does(first, one);
  // The first is idle again, but it is the other's turn.
  const two = await begun(turns);
  expect([await waits(first), await waits(second)]).toEqual([0, 1]);
  await does(second, two);
});

test('a person who decided one state cannot decide another that must have a different person, by any route', async () => {
  const flow = await published({ participants: [{ type: 16, groups: [group] }] }, (definition) => ({
    ...definition,
    states: [
      ...definition.states,
      {
        ...definition.states[1]!,
        id: 4,
        key: 'check',
        name: '复核',
        order: 3,
        on_self: 1,
        actions: ['deliver'],
        participants: [{ type: 16, groups: [group] }],
        not_done_by: [definition.states[1]!.key],
      },
    ],
    transitions: [
      ...definition.transitions.map((one) => (one.key === 'agree' ? { ...one, destination: 4 } : one)),
      { ...definition.transitions[2]!, id: 5, key: 'agree2', source: 4, destination: 3 },
    ],
  }));
  const id = await begun(flow);
  await does(first, id);
  expect([await waits(first), await waits(second)]).toEqual([0, 1]);
  const back = await second.ask(ticketActions.deliver, {
    params: { id },
    body: { target_username: first.username, suggestion: '请代办' },
  });
  expect(back.msg).toContain('办过前面的环节');
  expect((await here.does(second, id, 5)).code).toBe(0);
});

test('a condition may test the creator’s post and user groups', async () => {
  const { app, keeper, staff, head } = here;
  const flow = await here.flow((definition) => ({
    ...definition,
    transitions: definition.transitions.map((one) =>
      one.key === 'submit'
        ? {
            ...one,
            conditions: [
              {
                expression: {
                  op: 'or' as const,
                  of: [
                    { op: 'group_of' as const, value: [group] },
                    { op: 'post_of' as const, value: ['科员'] },
                  ],
                },
                target_state_id: 3,
              },
            ],
          }
        : one,
    ),
  }));
  const refused = await here.publish(flow);
  expect(refused.msg).toContain('职务“科员”不存在');
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ post: '科员' }).where(eq(userTable.id, head.userId)),
  );
  const simulate = async (who: Client) =>
    (await keeper.get(releaseCalls.simulate, { params: { id: flow }, body: { applicant: who.username } })).steps.map(
      (step) => step.state_name,
    );
  expect([(await simulate(first)).length, (await simulate(head)).length]).toEqual([2, 2]);
  expect(await simulate(staff)).toHaveLength(3);
});

test('a condition may test the role of a superior at a level, and publishing checks that the role exists', async () => {
  const { keeper, staff } = here;
  const flowFor = (level: number, role: string) =>
    here.flow((definition) => ({
      ...definition,
      transitions: definition.transitions.map((one) =>
        one.key === 'submit'
          ? {
              ...one,
              conditions: [{ expression: { op: 'superior_of' as const, level, value: [role] }, target_state_id: 3 }],
            }
          : one,
      ),
    }));
  expect((await here.publish(await flowFor(2, 'nobodys'))).msg).toContain('角色“nobodys”不存在');
  const walked = async (level: number, role: string) => {
    const flow = await flowFor(level, role);
    expect(await here.publish(flow)).toMatchObject({ code: 0 });
    return keeper.get(releaseCalls.simulate, { params: { id: flow }, body: { applicant: staff.username } });
  };
  // The leader in charge is the creator's second-level superior, and the ninth level has nobody.
  const passes = await walked(2, 'staff');
  expect(passes.steps).toHaveLength(2);
  expect(JSON.stringify(passes.steps)).toContain('发起人的第 2 级上级 的角色包括');
  expect((await walked(9, 'staff')).steps).toHaveLength(3);
  expect((await walked(2, 'office_admin')).steps).toHaveLength(3);
});

test('the designer shows who would handle a state of an unsaved draft for a given applicant', async () => {
  const { keeper, staff, head, leader } = here;
  const flow = await here.flow();
  const { definition } = await keeper.get(designCalls.get, { params: { id: flow } });
  const would = (part: Partial<State>) =>
    keeper.get(releaseCalls.whoWould, {
      params: { id: flow },
      body: { applicant: staff.username, state: { ...definition.states[1]!, ...part } },
    });
  const { people, reasons } = await would({ participants: [{ type: 14, until: { level: 2 }, gaps: 'skip' }] });
  expect(people.map((one) => one.id)).toEqual([head.userId, leader.userId]);
  expect(reasons).toContain('办理人：发起人的各级上级，逐级到第 2 级');
  const none = await would({ participants: [{ type: 13, level: 9, gaps: 'skip' }], on_empty: 2 });
  expect([none.people, none.reasons.at(-1)]).toEqual([[], '环节“审批”找不到办理人']);
});

test('a state that finds nobody goes up to the nearest department with a head, and where none has, nothing is submitted', async () => {
  const { app, head } = here;
  const top = await app.dept('总部');
  const middle = await app.dept('分部', top);
  const low = await app.dept('班组', middle);
  const applicant = await app.signIn(await app.person({ alias: '班员', dept: low, roles: ['staff'] }));
  const workflow_id = await published({ participants: [{ type: 5, variable: 'dept_fzr' }], on_empty: 5, on_self: 3 });
  const begin = (who: Client) => who.ask(tickets.start, { body: { workflow_id, transition_id: 2, title: '申领' } });
  expect((await begin(applicant)).msg).toBe('下一环节“审批”找不到办理人，请联系流程管理员设置后再提交');
  await appoint(app, top, { leader: head });
  const { id } = (await begin(applicant)).data;
  const { value } = await applicant.get(tickets.get, { params: { id } });
  expect(value.participant_info.participant_alias).toBe('李四');
  const [first] = (await applicant.get(tickets.flowlogs, { params: { id } })).value;
  expect(first!.reasons.join()).toContain('没有办理人，逐级上溯到有负责人的部门');
});
