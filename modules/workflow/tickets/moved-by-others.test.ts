import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { userGroups } from '#modules/workflow/workflows/contract/groups.ts';
import { onEmpty, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { decidedApart, namedThemselves, notPassedOn, ownRequest } from './contract/refusals.ts';
import { addApproval, agree, asks, jointly, submit } from './testing/approvals.ts';
import { repairCast } from './testing/repair.ts';

// A user administrator hands a clerk's tasks to an account that she created.
let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let keeper: Client;
let serial = 0;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  keeper = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
}, 180_000);
afterAll(() => app.close());

const flow = (state: object) => addApproval(app, `moved${++serial}`, state);
const clerk = async () => app.signIn(await app.person({ alias: '经办人' }));
const begin = async (who: Client, workflow_id: number, fields: object = {}) =>
  (await who.get(tickets.start, { body: { workflow_id, transition_id: submit, title: '采购', ...fields } as never }))
    .id;
/** Asks the person that the form names, of whom the workflow itself says nothing. */
const byForm = { participants: [{ type: participantType.field, field: 'who' }] };
const handOver = async (who: Client, from: Client) => {
  const to = await app.person({ alias: '她建的账号' });
  const body = { target_username: to.username, kinds: ['tasks'] };
  return who.get(leaving.handOver, { params: { id: from.userId }, body });
};
const why = ({ moved, kept }: Awaited<ReturnType<typeof handOver>>) => [moved, kept.map((one) => one.msg)];

test('handing over a person’s work moves tasks that may be passed on; the others move only by an intervener', async () => {
  const from = await clerk();
  const [free, shut] = [await flow(byForm), await flow({ ...byForm, actions: [] })];
  await begin(cast.staff, free, { who: from.username });
  await begin(cast.staff, shut, { who: from.username });
  expect(why(await handOver(keeper, from))).toEqual([1, [notPassedOn('审批').message]]);
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${shut}, 'intervene', 'user', ${String(keeper.userId)})`),
  );
  expect(why(await handOver(keeper, from))).toEqual([1, []]);
});

test('whoever hands over a person’s work cannot choose who gets a task of their own request or of a ticket they decided', async () => {
  const from = await clerk();
  await begin(keeper, await flow(asks(from)));
  expect(why(await handOver(keeper, from))).toEqual([0, [ownRequest().message]]);
  const joint = await clerk();
  const id = await begin(cast.staff, await flow({ ...asks(keeper, joint), ...jointly }));
  expect((await cast.does(keeper, id, agree)).code).toBe(0);
  expect(why(await handOver(keeper, joint))).toEqual([0, [decidedApart().message]]);
  expect((await handOver(app.admin, joint)).moved).toBe(1);
});

test('tasks of a person with a grant on the workflow are not handed over by an administrator who could not give that grant', async () => {
  const from = await clerk();
  const workflow_id = await flow(asks(from));
  await begin(cast.staff, workflow_id);
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${workflow_id}, 'admin', 'user', ${String(from.userId)})`),
  );
  expect(why(await handOver(keeper, from))).toEqual([0, [rightsBeyond('经办人').message]]);
});

test('a task whose handler the workflow itself names is not handed over by an administrator of people, who is told who may', async () => {
  const named = await clerk();
  const { id: group } = await app.admin.get(userGroups.add, { body: { name: '会签组', people: [named.userId] } });
  const nobody = [{ type: participantType.field, field: 'who' }];
  const ways = {
    'by name': asks(named),
    'by a user group': { participants: [{ type: participantType.group, groups: [group] }] },
    'where nobody else is found': { participants: nobody, on_empty: onEmpty.users, on_empty_users: [named.userId] },
  };
  for (const [way, state] of Object.entries(ways)) {
    const workflow_id = await flow(state);
    const id = await begin(cast.staff, workflow_id);
    const manager = await app.person({ alias: '流程管理员' });
    const grant = (person: number) =>
      app.services.databases.write((tx) =>
        tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
          values (${workflow_id}, 'admin', 'user', ${String(person)})`),
      );
    await grant(manager.id);
    const why_not = namedThemselves('审批', '经办人', ['流程管理员']).message;
    expect(why(await handOver(keeper, named)), way).toEqual([0, [why_not]]);
    // An administrator of the workflow passes it on from the ticket itself.
    const to = await app.person({ alias: '接办人' });
    const body = { target_username: to.username, from_admin: true, suggestion: '接办' };
    const passed = await (await app.signIn(manager)).ask(ticketActions.deliver, { params: { id }, body });
    expect(passed.code, `${way}: ${passed.msg}`).toBe(0);
    await begin(cast.staff, workflow_id);
    await grant(keeper.userId);
    expect((await handOver(keeper, named)).moved, way).toBe(1);
  }
});

test('a workflow’s administrators are told once which tasks stayed after a hand-over, and again only about new ones', async () => {
  const from = await clerk();
  const workflow_id = await flow(asks(from));
  const manager = await app.signIn(await app.person({ alias: '流程管理员' }));
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${workflow_id}, 'admin', 'user', ${String(manager.userId)})`),
  );
  const told = async () => {
    const { rows } = await app.db.execute<{
      content: string;
    }>(sql`select m.content from msg m join msg_user u on u.msg_id = m.id
      where u.user_id = ${manager.userId} and m.event = 'STAYS' and m.object_id = ${workflow_id} order by m.id`);
    return rows;
  };
  const sn = async (id: number) => (await cast.staff.get(tickets.get, { params: { id } })).value.sn;
  const ids = [await begin(cast.staff, workflow_id), await begin(cast.staff, workflow_id)];
  const [first, second] = [await sn(ids[0]!), await sn(ids[1]!)];
  expect((await handOver(keeper, from)).kept.length).toBe(2);
  expect((await handOver(keeper, from)).kept.length).toBe(2);
  const [row, ...more] = await told();
  expect(more).toEqual([]);
  expect(row!.content).toBe(`工单 ${first}、${second} 按流程须由经办人办理，移交的人无权改交他人；请在工单中改派`);
  await begin(cast.staff, workflow_id);
  await handOver(keeper, from);
  expect((await told()).length).toBe(2);
});
