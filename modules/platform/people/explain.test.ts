import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { repairCast, type RepairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { explainCalls } from './contract/explain.ts';

let app: TestOffice;
let desk: Client;
let cast: RepairCast;
beforeAll(async () => {
  app = await openTestApp();
  desk = await app.clerk({ 'system/user': ['Retrieve'], 'system/role': ['Retrieve'] }, { dataScope: 1 });
  cast = await repairCast(app);
});
afterAll(() => app.close());

const pageOf = async (component: string) =>
  (await desk.get(explainCalls.things)).pages.find((page) => page.component === component)!;
const why = async (id: number, query: object, who = desk) =>
  who.get(explainCalls.explain, { params: { id }, query: query as never });

test('the explanation of a button names the role, its scope and its departments', async () => {
  const dept = await app.dept('基建处');
  const head = await app.person({ alias: '周处长', dept, roles: ['dept_fzr'] });
  const staff = await app.person({ alias: '小吴', dept, roles: ['staff'] });
  const { id: menu, name } = await pageOf('contract/performance');
  expect(await why(head.id, { menu, code: 'Retrieve' })).toEqual({
    allowed: true,
    says: expect.stringMatching(new RegExp(`^“周处长”可以使用“${name} - `)) as string,
    reasons: ['角色“部门负责人”授予，数据范围：本部门及下级（基建处）'],
    now: [],
  });
  const not = await why(staff.id, { menu, code: 'Retrieve' });
  expect(not).toMatchObject({ allowed: false, says: expect.stringContaining('“员工”') as string });
  expect(not.reasons[0]).toMatch(/^有这项权限的角色：.*“部门负责人”/);
});

test('the explanation of a page names the role or super administrator, and says that a disabled account sees nothing', async () => {
  const { id: menu } = await pageOf('system/log');
  const auditor = await app.person({ roles: ['auditor'] });
  expect((await why(auditor.id, { menu })).reasons).toEqual(['角色“审计员”授予，数据范围：全部数据']);
  expect((await why(app.admin.userId, { menu })).allowed).toBe(true);
  const closed = await app.person({ roles: ['auditor'], active: false });
  expect(await why(closed.id, { menu })).toMatchObject({
    allowed: false,
    says: expect.stringContaining('已停用') as string,
  });
});

test('the explanation of a record says why it belongs to somebody, and nothing to an administrator who does not see it', async () => {
  const { id: record } = await cast.begin();
  const viewer = await app.clerk(
    { 'system/user': ['Retrieve'], 'system/role': ['Retrieve'], 'ticket/all': ['Retrieve'] },
    { dataScope: 1 },
  );
  const kind = 'tickets';
  expect((await why(cast.staff.userId, { kind, record }, viewer)).reasons).toEqual([
    expect.stringContaining('与本人有关') as string,
  ]);
  const other = await app.person({ roles: ['staff'] });
  expect(await why(other.id, { kind, record }, viewer)).toMatchObject({ allowed: false });
  const all = await app.person({ roles: ['workflow_admin'] });
  expect((await why(all.id, { kind, record }, viewer)).reasons).toEqual(['角色“流程管理员”授予，数据范围：全部数据']);
  const asked = { params: { id: other.id }, query: { kind, record } } as never;
  expect((await desk.ask(explainCalls.explain, asked)).msg).toContain('记录不存在');
  expect((await viewer.get(explainCalls.records, { query: { kind, words: '' } })).map(({ id }) => id)).toContain(
    record,
  );
});

test('the explanation of a record says what its state lets the person do, and who must do the rest', async () => {
  const { id: record } = await cast.begin();
  const viewer = await app.clerk(
    { 'system/user': ['Retrieve'], 'system/role': ['Retrieve'], 'ticket/all': ['Retrieve'] },
    { dataScope: 1 },
  );
  const now = async (id: number, who = viewer) => (await why(id, { kind: 'tickets', record }, who)).now;
  const [where, head] = await now(cast.head.userId);
  expect(where).toMatch(/^状态“待审”，环节“.+”，等待.+办理$/);
  expect(head).toMatch(/^此刻可以：.*同意/);
  const staff = await now(cast.staff.userId);
  expect(staff[0]).toBe(where);
  expect(staff[1]).not.toContain('同意');
  const other = await app.person({ roles: ['staff'] });
  expect(await now(other.id)).toEqual([]);
});

test('a user who may not see a person gets no explanation of that person’s rights', async () => {
  const near = await app.dept();
  const stranger = await app.person({ dept: await app.dept() });
  const narrow = await app.clerk(
    { 'system/user': ['Retrieve'], 'system/role': ['Retrieve'] },
    { dept: near, dataScope: 3 },
  );
  const { id: menu } = await pageOf('system/log');
  const asked = { params: { id: stranger.id }, query: { menu } };
  expect((await narrow.ask(explainCalls.explain, asked)).msg).toContain('用户不存在');
  const plain = await app.clerk({ 'system/user': ['Retrieve'] });
  expect((await plain.ask(explainCalls.explain, asked)).code).toBe(4003);
});
