import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { delegations } from '#modules/delegations/contract.ts';
import { messages } from '#modules/messages/contract.ts';
import { leaving } from './contract/leaves.ts';

let app: TestOffice;
let dept: number;
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('财务处');
});
afterAll(() => app.close());

const held = async (who: Client, id: number) =>
  Object.fromEntries(
    (await who.get(leaving.open, { params: { id } })).value.map((kind) => [
      kind.key,
      kind.rows.map((row) => `${row.title} ${row.note}`.trim()),
    ]),
  );
const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));

/** Somebody who is head and approver of a department, named for a workflow, and stands in for a colleague. */
async function leaver() {
  const [person, principal] = [await app.person({ alias: '离岗人', dept }), await app.person({ alias: '出差人' })];
  await write(sql`delete from dept_person where dept_id = ${dept}`);
  await write(
    sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${person.id}, 'leader'), (${dept}, ${person.id}, 'approver')`,
  );
  await write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
    select min(id), 'admin', 'user', ${String(person.id)} from workflow where not is_deleted`);
  await write(
    sql`update folder_category set manager_ids = array[${person.id}::int] where id = (select min(id) from folder_category)`,
  );
  const away = await app.signIn(principal);
  const period = { start: '2098-06-01 09:00', end: '2099-01-01 09:00', workflow_ids: [], chain_limit: 1, reason: '' };
  await away.get(delegations.create, { body: { delegate: person.username, ...period } });
  return { person, principal, away };
}

test('what somebody holds of whichever module is shown together, and goes to another together', async () => {
  const { person, away } = await leaver();
  const to = await app.person({ alias: '接手人' });
  const [name] = (
    await app.db.execute<{ name: string }>(sql`select name from workflow where not is_deleted order by id limit 1`)
  ).rows;
  const [category] = (await app.db.execute<{ name: string }>(sql`select name from folder_category order by id limit 1`))
    .rows;
  expect(await held(app.admin, person.id)).toEqual({
    tasks: [],
    workflows: [`${name!.name} 管理`],
    parts: ['财务处 审批人', '财务处 负责人'],
    delegations: ['代出差人办理 至 2099-01-01 09:00'],
    folders: [`${category!.name} 分类管理员`],
    contracts: [],
    customers: [],
    customer_projects: [],
    customer_alerts: [],
    monitor_incidents: [],
    stamps: [],
    duty: [],
    duty_plans: [],
    meetings: [],
    supervision: [],
    supervision_items: [],
    photos: [],
    supervision_leaders: [],
  });
  const params = { id: person.id };
  const only = await app.admin.get(leaving.handOver, {
    params,
    body: { target_username: to.username, kinds: ['parts'] },
  });
  expect(only).toEqual({ moved: 2, kept: [] });
  const rest = await app.admin.get(leaving.handOver, { params, body: { target_username: to.username } });
  expect(rest).toEqual({ moved: 3, kept: [] });
  expect(Object.values(await held(app.admin, person.id)).flat()).toEqual([]);
  expect(Object.values(await held(app.admin, to.id)).flat()).toHaveLength(5);
  const told = (await away.get(messages.unread)).value.map((one) => one.title);
  expect(told).toContain('代出差人办理的人由离岗人改为接手人');
  const taken = await (await app.signIn(to)).get(delegations.list, { query: { side: 'taken' } as never });
  expect(taken.value.map((row) => row.delegator.alias)).toEqual(['出差人']);
});

test('what the one who hands over may not change stays, with the reason; a delegation does not go to whom it is from', async () => {
  const { person, principal } = await leaver();
  const keeper = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
  const { moved, kept } = await keeper.get(leaving.handOver, {
    params: { id: person.id },
    body: { target_username: principal.username },
  });
  expect([moved, kept.map((one) => one.key)]).toEqual([0, ['workflows', 'parts', 'parts', 'delegations', 'folders']]);
  expect(kept.every((one) => /\p{Script=Han}/u.test(one.msg))).toBe(true);
  expect((await held(keeper, person.id))['parts']).toHaveLength(2);
});

test('is nobody’s business who does not administer the person, and goes to nobody who is not there', async () => {
  const { person } = await leaver();
  const stranger = await app.clerk({ 'system/user': ['Retrieve', 'Update'] }, { dataScope: 3, dept: await app.dept() });
  const params = { id: person.id };
  expect((await stranger.ask(leaving.open, { params })).code).toBe(4004);
  expect((await stranger.ask(leaving.handOver, { params, body: { target_username: 'admin' } })).code).toBe(4004);
  for (const target_username of ['nobody', person.username])
    expect((await app.admin.ask(leaving.handOver, { params, body: { target_username } })).msg).toMatch(
      /不存在或已停用，请重新选择接收人/,
    );
});

test('a part that the other has already is theirs once', async () => {
  const { person } = await leaver();
  const to = await app.person();
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${to.id}, 'approver')`);
  const body = { target_username: to.username, kinds: ['parts'] };
  expect(await app.admin.get(leaving.handOver, { params: { id: person.id }, body })).toEqual({ moved: 2, kept: [] });
  expect((await held(app.admin, to.id))['parts']).toEqual(['财务处 审批人', '财务处 负责人']);
});

test('a hand-over says how many went over, and says so where nothing did', async () => {
  const [person, to] = [await app.person({ alias: '两手空空' }), await app.person({ alias: '接手人' })];
  const send = async (id: number) =>
    (await app.admin.ask(leaving.handOver, { params: { id }, body: { target_username: to.username } })).msg;
  expect(await send(person.id)).toBe('没有移交任何事项');
  const { person: busy } = await leaver();
  expect(await send(busy.id)).toBe('已移交 5 项');
  const { person: another, principal } = await leaver();
  const keeper = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
  const body = { target_username: principal.username };
  const answer = await keeper.ask(leaving.handOver, { params: { id: another.id }, body });
  expect(answer.msg).toBe('没有移交任何事项，5 项未能移交');
});

test('who left is named by their own name in what refuses them, and who was never there as they were written', async () => {
  const [person, gone] = [await app.person({}), await app.person({ alias: '李离职', active: false })];
  const over = (target_username: string) =>
    app.admin.ask(leaving.handOver, { params: { id: person.id }, body: { target_username } });
  expect((await over(gone.username)).msg).toBe('用户“李离职”不存在或已停用，请重新选择接收人');
  expect((await over('ghost')).msg).toBe('用户“ghost”不存在或已停用，请重新选择接收人');
});
