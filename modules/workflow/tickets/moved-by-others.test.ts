import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { tickets } from './contract.ts';
import { decidedApart, notPassedOn, ownRequest } from './contract/refusals.ts';
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
const begin = async (who: Client, workflow_id: number) =>
  (await who.get(tickets.start, { body: { workflow_id, transition_id: submit, title: '采购' } as never })).id;
const handOver = async (who: Client, from: Client) => {
  const to = await app.person({ alias: '她建的账号' });
  const body = { target_username: to.username, kinds: ['tasks'] };
  return who.get(leaving.handOver, { params: { id: from.userId }, body });
};
const why = ({ moved, kept }: Awaited<ReturnType<typeof handOver>>) => [moved, kept.map((one) => one.msg)];

test('a task that may be passed on goes over; where the workflow lets nobody pass it on, those who intervene in it move it', async () => {
  const from = await clerk();
  const [free, shut] = [await flow(asks(from)), await flow({ ...asks(from), actions: [] })];
  await begin(cast.staff, free);
  await begin(cast.staff, shut);
  expect(why(await handOver(keeper, from))).toEqual([1, [notPassedOn('审批').message]]);
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${shut}, 'intervene', 'user', ${String(keeper.userId)})`),
  );
  expect(why(await handOver(keeper, from))).toEqual([1, []]);
});

test('a task of one’s own request, or of a ticket one has decided in, goes to nobody one chooses', async () => {
  const from = await clerk();
  await begin(keeper, await flow(asks(from)));
  expect(why(await handOver(keeper, from))).toEqual([0, [ownRequest().message]]);
  const joint = await clerk();
  const id = await begin(cast.staff, await flow({ ...asks(keeper, joint), ...jointly }));
  expect((await cast.does(keeper, id, agree)).code).toBe(0);
  expect(why(await handOver(keeper, joint))).toEqual([0, [decidedApart().message]]);
  expect((await handOver(app.admin, joint)).moved).toBe(1);
});

test('tasks of somebody who was named for a workflow stay where whoever moves them could name nobody for it', async () => {
  const from = await clerk();
  const workflow_id = await flow(asks(from));
  await begin(cast.staff, workflow_id);
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${workflow_id}, 'admin', 'user', ${String(from.userId)})`),
  );
  expect(why(await handOver(keeper, from))).toEqual([0, [rightsBeyond('经办人').message]]);
});
