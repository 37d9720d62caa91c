import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { repairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { depts } from './contract/depts.ts';
import { lookups } from './contract/lookups.ts';
import { members } from './contract/members.ts';

let app: TestOffice;
let root: number;
let child: number;
let away: number;
let keeper: Client;
beforeAll(async () => {
  app = await openTestApp();
  root = await app.dept('机关');
  child = await app.dept('办公室', root);
  away = await app.dept('基建处');
  keeper = await app.clerk({ 'system/dept': ['Create', 'Retrieve', 'Update', 'Delete'] }, { dept: root, dataScope: 4 });
});
afterAll(() => app.close());

/** New rights reach the node by a notification, a moment after the commit. */
async function reached(id: number): Promise<void> {
  await expect.poll(async () => (await keeper.ask(depts.get, { params: { id } })).code, { timeout: 5000 }).toBe(0);
}

test('a department is added, read and partly changed', async () => {
  const boss = await app.person({ dept: child, alias: '赵处长' });
  const made = await keeper.get(depts.create, {
    body: { name: '信息科', parent: child, code: 'XX', leader: boss.username, approver: [boss.username] },
  });
  expect(made).toMatchObject({ parent: child, parent_name: '办公室', leader_info: { alias: '赵处长' } });
  await reached(made.id);
  const changed = await keeper.get(depts.update, { params: { id: made.id }, body: { phone: '62001', version: 0 } });
  expect(changed).toMatchObject({ phone: '62001', name: '信息科', leader: boss.username, version: 1 });
  expect((await keeper.ask(depts.update, { params: { id: made.id }, body: { name: '旧', version: 0 } })).code).toBe(
    4011,
  );
  expect(await app.admin.get(lookups.heads, { query: { dept: made.id } })).toMatchObject([{ alias: '赵处长' }]);
  expect((await keeper.get(depts.list, { query: { search_value: 'xxk' } })).total).toBe(1);
  expect((await keeper.get(depts.list, { query: { parent: child } })).value.map((row) => row.name)).toEqual(['信息科']);
  for (const beyond of [{ parent: 2 ** 31 }, { type: 40_000 }])
    expect((await keeper.ask(depts.list, { query: beyond })).code).toBe(4000);
  const emptied = await keeper.get(depts.update, { params: { id: made.id }, body: { leader: '', approver: [] } });
  expect(emptied).toMatchObject({ leader: '', approver: [], leader_info: null });
  const wrong = await keeper.ask(depts.update, { params: { id: made.id }, body: { secretary: ['ghost'] } });
  expect(wrong).toMatchObject({ code: -1, msg: '用户“ghost”不存在或已停用，请重新选择' });
});

test('a department is saved as a whole with the version that was read, and refused with an older one', async () => {
  const { id } = await keeper.get(depts.create, { body: { name: '文印室', parent: child, phone: '62002' } });
  await reached(id);
  const save = (version: number) =>
    keeper.ask(depts.replace, { params: { id }, body: { name: '文印中心', parent: child, version } });
  expect((await save(0)).code).toBe(0);
  expect(await keeper.get(depts.get, { params: { id } })).toMatchObject({
    name: '文印中心',
    parent: child,
    version: 1,
  });
  expect((await save(0)).code).toBe(4011);
});

test('sibling departments have different names, others may share one', async () => {
  await keeper.get(depts.create, { body: { name: '综合科', parent: root } });
  const again = await keeper.ask(depts.create, { body: { name: '综合科', parent: root } });
  expect(again).toMatchObject({ code: -1, msg: '同一上级下已有部门“综合科”，请换个名称' });
  expect((await keeper.ask(depts.create, { body: { name: '综合科', parent: child } })).code).toBe(0);
});

test('a department cannot be placed below itself, even by two simultaneous moves', async () => {
  const ring = await app.admin.ask(depts.update, { params: { id: root }, body: { parent: child } });
  expect(ring).toMatchObject({ code: -1, msg: '“办公室”是本部门或在本部门之下，不能作为上级部门' });
  const a = await app.dept('甲');
  const b = await app.dept('乙');
  const codes = await Promise.all([
    app.admin.ask(depts.update, { params: { id: a }, body: { parent: b } }),
    app.admin.ask(depts.update, { params: { id: b }, body: { parent: a } }),
  ]);
  expect(codes.map((answer) => answer.code).sort()).toEqual([-1, 0]);
});

test('a department with people or subdepartments is not deleted, and says how many', async () => {
  const { id: full } = await keeper.get(depts.create, { body: { name: '后勤', parent: root } });
  await reached(full);
  await keeper.get(depts.create, { body: { name: '食堂', parent: full } });
  await app.person({ dept: full });
  expect(await keeper.ask(depts.remove, { params: { id: full } })).toMatchObject({
    code: -1,
    msg: '“后勤”下还有 1 个部门、1 名人员，请先移走后再删除',
  });
  const { id: empty } = await keeper.get(depts.create, { body: { name: '撤销处', parent: root } });
  await reached(empty);
  expect((await keeper.ask(depts.remove, { params: { id: empty } })).code).toBe(0);
  expect((await keeper.ask(depts.get, { params: { id: empty } })).code).toBe(4004);
});

test('departments outside the scope are neither seen nor changed nor used as parents', async () => {
  const list = await keeper.get(depts.list, { query: { per_page: 100 } });
  expect(list.value.map((dept) => dept.id)).not.toContain(away);
  expect((await keeper.get(depts.list, { query: { search_value: '基建处' } })).total).toBe(0);
  for (const attempt of [
    (id: number) => keeper.ask(depts.get, { params: { id } }),
    (id: number) => keeper.ask(depts.update, { params: { id }, body: { name: '改' } }),
    (id: number) => keeper.ask(depts.replace, { params: { id }, body: { name: '改' } }),
    (id: number) => keeper.ask(depts.remove, { params: { id } }),
  ])
    expect(await attempt(away)).toEqual(await attempt(999_999));
  for (const parent of [0, away]) {
    expect((await keeper.ask(depts.create, { body: { name: '新', parent } })).code).toBe(4003);
    expect((await keeper.ask(depts.update, { params: { id: child }, body: { parent } })).code).toBe(4003);
  }
});

test('a new department is within reach at once for those who administer its parent', async () => {
  const made = await keeper.get(depts.create, { body: { name: '新设科', parent: root } });
  await expect
    .poll(async () => (await keeper.ask(depts.get, { params: { id: made.id } })).code, { timeout: 5000 })
    .toBe(0);
});

test('every look-up is answered for signed-in users, also under its alias, and refused to strangers', async () => {
  const clerk = await app.signIn(await app.person({ dept: child, alias: '钱多多' }));
  const plain = [members.leaders, ...Object.values(lookups)];
  for (const call of plain) {
    const query = call.path.endsWith('/dept_user/') ? `?dept_id=${child}` : '';
    for (const named of [call.path, ...('aliases' in call ? (call.aliases ?? []) : [])]) {
      const path = named.replace('{id}', `${clerk.userId}`);
      expect(await (await clerk.fetch(path + query)).json()).toMatchObject({ code: 0 });
      expect(await (await app.stranger.fetch(path + query)).json()).toMatchObject({ code: 401 });
    }
  }
  expect(await clerk.get(lookups.simpleUsers, { query: { search_value: 'qdd' } })).toMatchObject([{ alias: '钱多多' }]);
  const tree = await clerk.get(lookups.deptsUsers, { query: { dept: root } });
  expect(tree[0]?.children.find((dept) => dept.id === child)?.users.map((one) => one.alias)).toContain('钱多多');
  const wide = await app.clerk({ 'msg/send': ['Create'] });
  const narrow = await app.clerk({ 'msg/send': ['Create'] }, { dataScope: 4 });
  const mayAll = async (who: typeof clerk) => (await who.get(lookups.messageable, {})).can_all;
  expect([await mayAll(wide), await mayAll(narrow), await mayAll(clerk)]).toEqual([true, false, false]);
});

test('a tree with too many people asks for a department instead', async () => {
  const one = await app.dept();
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into app_user (username, alias, password, search, dept_id)
      select 'many' || n, '众' || n, '', '', ${one}::int from generate_series(1, 5001) n`),
  );
  expect(await app.admin.ask(lookups.deptsUsers)).toMatchObject({
    code: -1,
    msg: expect.stringContaining('5000 人'),
  });
  const other = await app.dept();
  expect((await app.admin.get(lookups.deptsUsers, { query: { dept: other } }))[0]!.users).toEqual([]);
});

test('a department is not moved to a place where the mover’s own rights would reach further', async () => {
  const own = await app.dept('本处');
  const target = await app.dept('他处');
  const inner = await app.dept('本处下级', own);
  const person = await app.person({
    dept: own,
    roles: [
      await app.role({ 'system/dept': ['Retrieve', 'Update'] }, 1),
      await app.role({ 'system/user': ['Retrieve', 'Update'] }, 4),
    ],
  });
  const mover = await app.signIn(person);
  const move = (by: Client, id: number, parent: number) => by.ask(depts.update, { params: { id }, body: { parent } });
  for (const parent of [own, inner])
    expect(await move(mover, target, parent)).toMatchObject({
      code: 4003,
      msg: '移动“他处”会扩大您自己的管理范围，请由其他管理员操作',
    });
  expect((await app.admin.get(depts.get, { params: { id: target } })).parent).toBe(0);
  expect((await move(mover, target, away)).code).toBe(0);
  expect((await move(app.admin, target, own)).code).toBe(0);
});

test('only a super administrator appoints themselves head or approver of a department, but a present one keeps it', async () => {
  const dept = await app.dept('自设处');
  const person = await app.person({ roles: [await app.role({ 'system/dept': ['Create', 'Update'] }, 1)] });
  const mover = await app.signIn(person);
  const oneself = person.username;
  const [leader, approver] = [{ leader: oneself }, { approver: [oneself] }];
  for (const body of [leader, approver, { dept_ld: oneself }, { secretary: [oneself] }]) {
    expect(await mover.ask(depts.update, { params: { id: dept }, body })).toMatchObject({
      code: 4003,
      msg: expect.stringContaining('不能把自己设为部门的'),
    });
    expect((await mover.ask(depts.create, { body: { name: '自设科', parent: dept, ...body } })).code).toBe(4003);
  }
  expect((await app.admin.ask(depts.update, { params: { id: dept }, body: leader })).code).toBe(0);
  expect((await mover.ask(depts.update, { params: { id: dept }, body: { ...leader, phone: '62002' } })).code).toBe(0);
  expect((await mover.ask(depts.update, { params: { id: dept }, body: approver })).code).toBe(4003);
});

test('a department with open tickets is not deleted, and says how many', async () => {
  const dept = await app.dept('有单处');
  const { begin } = await repairCast(app);
  const { id } = await begin({ amount: 300 });
  const { pool } = app.services.databases;
  await pool.query('update ticket set dept_id = $1 where id = $2', [dept, id]);
  const remove = () => app.admin.ask(depts.remove, { params: { id: dept } });
  expect(await remove()).toMatchObject({ code: -1, msg: '“有单处”下还有 1 件未办结的工单，请先移走后再删除' });
  await pool.query('update ticket set submitted_at = null, is_deleted = true where id = $1', [id]);
  expect((await remove()).code).toBe(0);
});

test('departments are sorted by dragging within the scope, and not beyond it', async () => {
  const names = async () =>
    (await app.admin.get(depts.list, { query: { parent: root, per_page: 100 } })).value.map((row) => row.name);
  const a = await app.dept('移一', root);
  const b = await app.dept('移二', root);
  await reached(a);
  await reached(b);
  const move = (id: number, body: object) => keeper.ask(depts.move, { params: { id }, body });
  expect((await move(b, { before: a })).code).toBe(0);
  expect((await names()).filter((name) => name.startsWith('移'))).toEqual(['移二', '移一']);
  expect((await move(a, { parent: away })).msg).toBe('上级部门不在您的管理范围内，请选择范围内的部门');
  expect((await move(a, { parent: 0 })).code).toBe(4003);
  expect((await move(root, { parent: a })).code).toBe(-1);
  expect((await move(away, { before: root })).code).toBe(4004);
});
