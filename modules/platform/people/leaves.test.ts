import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { leaving, notToOneself } from './contract/leaves.ts';
import { partBeyond, rightsBeyond } from './contract/refusals.ts';

let app: TestOffice;
let dept: number;
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('财务处');
});
afterAll(() => app.close());

const held = async (who: Client, id: number) =>
  Object.fromEntries(
    (await who.get(leaving.open, { params: { id } })).value.flatMap(({ key, rows }) =>
      rows.length > 0 ? [[key, rows.map((row) => `${row.title} ${row.note}`.trim())] as const] : [],
    ),
  );
const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));

/**
 * Somebody who is named for a workflow, is a colleague's delegate and, by default, is head and approver of a department and administers a category,
 * which both give roles.
 */
async function leaver({ roles = true } = {}) {
  const [person, principal] = [await app.person({ alias: '离岗人', dept }), await app.person({ alias: '出差人' })];
  await write(sql`delete from dept_person where dept_id = ${dept}`);
  if (roles) {
    await write(
      sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${person.id}, 'leader'), (${dept}, ${person.id}, 'approver')`,
    );
    await write(
      sql`update folder_category set manager_ids = array[${person.id}::int] where id = (select min(id) from folder_category)`,
    );
  }
  await write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
    select min(id), 'admin', 'user', ${String(person.id)} from workflow where not is_deleted`);
  const away = await app.signIn(principal);
  const period = { start: '2098-06-01 09:00', end: '2099-01-01 09:00', workflow_ids: [], chain_limit: 1, reason: '' };
  await away.get(delegations.create, { body: { delegate: person.username, ...period } });
  return { person, principal, away };
}

test('a leaver’s work of all modules is listed and handed over together, except the choice of their delegate', async () => {
  const { person, away } = await leaver();
  const to = await app.person({ alias: '接手人' });
  const [name] = (
    await app.db.execute<{ name: string }>(sql`select name from workflow where not is_deleted order by id limit 1`)
  ).rows;
  const [category] = (await app.db.execute<{ name: string }>(sql`select name from folder_category order by id limit 1`))
    .rows;
  expect(await held(app.admin, person.id)).toEqual({
    workflows: [`${name!.name} 管理`],
    parts: ['财务处 审批人', '财务处 负责人'],
    delegations: ['代出差人办理 至 2099-01-01 09:00'],
    folders: [`${category!.name} 分类管理员`],
  });
  const params = { id: person.id };
  const only = await app.admin.get(leaving.handOver, {
    params,
    body: { target_username: to.username, kinds: ['parts'] },
  });
  expect(only).toEqual({ moved: 2, ended: 0, kept: [] });
  const rest = await app.admin.get(leaving.handOver, { params, body: { target_username: to.username } });
  expect(rest).toEqual({ moved: 2, ended: 1, kept: [] });
  expect(Object.values(await held(app.admin, person.id)).flat()).toEqual([]);
  expect(Object.values(await held(app.admin, to.id)).flat()).toHaveLength(4);
  const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
  expect(await titles(away)).toContain('您对离岗人的委托已结束');
  const taker = await app.signIn(to);
  expect(await titles(taker)).toContain('离岗人名下的 2 项事项已移交给您');
  expect((await taker.get(delegations.list, { query: { side: 'taken' } as never })).value).toEqual([]);
});

/** Administers people everywhere, and no workflow. */
const keeping = () => app.clerk({ 'system/user': ['Retrieve', 'Update'] });

test('work that the person handing over may not change stays, with the reason', async () => {
  const { person, principal } = await leaver({ roles: false });
  const keeper = await keeping();
  const { moved, ended, kept } = await keeper.get(leaving.handOver, {
    params: { id: person.id },
    body: { target_username: principal.username },
  });
  expect([moved, ended, kept.map((one) => one.key)]).toEqual([0, 1, ['workflows']]);
  expect(kept.every((one) => /\p{Script=Han}/u.test(one.msg))).toBe(true);
  expect((await held(keeper, person.id))['workflows']).toHaveLength(1);
});

test('a hand-over is refused for people outside the administrator’s scope and to absent receivers', async () => {
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

test('a department part that the receiver already has is not duplicated by a hand-over', async () => {
  const { person } = await leaver();
  const to = await app.person();
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${to.id}, 'approver')`);
  const body = { target_username: to.username, kinds: ['parts'] };
  expect(await app.admin.get(leaving.handOver, { params: { id: person.id }, body })).toEqual({
    moved: 2,
    ended: 0,
    kept: [],
  });
  expect((await held(app.admin, to.id))['parts']).toEqual(['财务处 审批人', '财务处 负责人']);
});

test('a hand-over reports how many items moved and ended, and says when nothing moved', async () => {
  const [person, to] = [await app.person({ alias: '两手空空' }), await app.person({ alias: '接手人' })];
  const send = async (id: number) =>
    (await app.admin.ask(leaving.handOver, { params: { id }, body: { target_username: to.username } })).msg;
  expect(await send(person.id)).toBe('没有移交任何事项');
  const { person: busy } = await leaver();
  expect(await send(busy.id)).toBe('已移交 4 项，1 项已结束');
  const { person: another, principal } = await leaver({ roles: false });
  const keeper = await keeping();
  const sent = async (kinds: string[]) => {
    const body = { target_username: principal.username, kinds };
    return (await keeper.ask(leaving.handOver, { params: { id: another.id }, body })).msg;
  };
  expect(await sent(['workflows'])).toBe('没有移交任何事项，1 项未能移交');
  expect(await sent(['delegations'])).toBe('没有移交任何事项，1 项已结束');
});

test('a refused receiver is named by their own name if they left, and as typed if unknown', async () => {
  const [person, gone] = [await app.person({}), await app.person({ alias: '李离职', active: false })];
  const over = (target_username: string) =>
    app.admin.ask(leaving.handOver, { params: { id: person.id }, body: { target_username } });
  expect((await over(gone.username)).msg).toBe('用户“李离职”不存在或已停用，请重新选择接收人');
  expect((await over('ghost')).msg).toBe('用户“ghost”不存在或已停用，请重新选择接收人');
});

test('nobody hands over work of a person with more rights, or hands anything to themselves', async () => {
  const { person } = await leaver();
  const keeper = await keeping();
  const to = await app.person();
  const params = { id: person.id };
  expect(await keeper.ask(leaving.open, { params })).toRefuse(rightsBeyond, '离岗人');
  const asked = { params, body: { target_username: to.username } };
  expect(await keeper.ask(leaving.handOver, asked)).toRefuse(rightsBeyond, '离岗人');
  const { person: equal } = await leaver({ roles: false });
  const own = { params: { id: equal.id }, body: { target_username: keeper.username } };
  expect(await keeper.ask(leaving.handOver, own)).toRefuse(notToOneself);
  expect((await held(keeper, equal.id))['delegations']).toHaveLength(1);
});

test('a department part is handed over by those who may change the department, to people they may appoint', async () => {
  const person = await app.person({ alias: '离岗人', dept });
  await write(sql`delete from dept_person where dept_id = ${dept}`);
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${person.id}, 'approver')`);
  const give = (by: Client, to: { username: string }) =>
    by.get(leaving.handOver, { params: { id: person.id }, body: { target_username: to.username, kinds: ['parts'] } });
  const equal = await app.person({ alias: '同级', dept });
  const above = await app.person({ alias: '上级', dept, roles: [await app.role({ 'system/log': ['Retrieve'] })] });
  const kept = (msg: unknown) => ({ moved: 0, ended: 0, kept: [expect.objectContaining({ key: 'parts', msg })] });
  const asked = { params: { id: person.id }, body: { target_username: equal.username, kinds: ['parts'] } };
  expect(await (await keeping()).ask(leaving.handOver, asked)).toRefuse(rightsBeyond, '离岗人');
  const whole = ['Retrieve', 'Update'] as ('Retrieve' | 'Update')[];
  const inside = await app.clerk({ 'system/user': whole, 'system/dept': whole }, { dept, dataScope: 3 });
  expect(await give(inside, above)).toEqual(kept(partBeyond('上级', '审批人').message));
  expect(await give(inside, equal)).toEqual({ moved: 1, ended: 0, kept: [] });
});
