import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { Call, PermissionCode } from '#kernel/contract/call.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { favouriteKey, workflows } from './contract.ts';
import { designCalls } from './contract/design.ts';
import { partCalls } from './contract/parts.ts';
import { releaseCalls } from './contract/release.ts';

const all: PermissionCode[] = ['Create', 'Retrieve', 'Update', 'Delete'];
let app: TestOffice;
let keeper: Client;
let dept: number;
let below: number;
let mine: number;
let other: number;

beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('教务处');
  below = await app.dept('教务科', dept);
  keeper = await app.clerk({ 'workflow/list': all }, { alias: '流程员' });
  mine = (await keeper.get(designCalls.add, { body: { name: '我管的' } })).id;
  other = (await keeper.get(designCalls.add, { body: { name: '别人的' } })).id;
  for (const id of [mine, other]) await keeper.get(releaseCalls.publish, { params: { id }, body: {} });
}, 180_000);
afterAll(() => app.close());

const give = (id: number, grants: object[], by = keeper) =>
  by.ask(designCalls.change, { params: { id }, body: { grants: grants as never } });
const intervenes = async (who: Client, id: number) => {
  const answer = await who.ask(workflows.canIntervene, { params: { id } });
  return answer.code === 0 ? answer.data.can_intervene : answer.code;
};
/** Every call on one workflow that needs a page code, with a body that fits. */
const administering: [Call, object | undefined][] = [
  [designCalls.get, undefined],
  [designCalls.change, { description: '改' }],
  [designCalls.remove, undefined],
  [partCalls.states, undefined],
  [partCalls.addState, { name: '新环节', kind: 'handle', order: 5 }],
  [partCalls.changeState, { name: '改名' }],
  [partCalls.removeState, undefined],
  [partCalls.transitions, undefined],
  [partCalls.addTransition, { name: '走', source: 1, destination: 2, attribute: 1 }],
  [partCalls.changeTransition, { name: '改名' }],
  [partCalls.removeTransition, undefined],
  [partCalls.fields, undefined],
  [partCalls.addField, { key: 'extra', name: '字段', type: 5 }],
  [partCalls.changeField, { name: '改名' }],
  [partCalls.removeField, undefined],
  [releaseCalls.publish, { dry_run: true }],
  [releaseCalls.simulate, { applicant: 'admin' }],
  [releaseCalls.versions, undefined],
  [releaseCalls.migrate, {}],
];
const asks = (who: Client, [call, body]: [Call, object | undefined], id: number) =>
  who.ask(call, { params: { id, cid: 1 }, ...(body ? { body } : {}) } as never);

describe('a person who administers one workflow', () => {
  test('reaches that workflow and no other, by every call', async () => {
    const clerk = await app.clerk({ 'workflow/list': all }, { alias: '管一个', dataScope: 5 });
    await give(mine, [{ permission: 'admin', holder_type: 'user', holder: clerk.username }]);
    for (const one of administering) {
      const what = `${one[0].method} ${one[0].path}`;
      expect((await asks(clerk, one, other)).code, what).toBe(4004);
    }
    const reads = administering.filter(([call]) => call.method === 'GET' || call === releaseCalls.simulate);
    for (const one of reads) expect((await asks(clerk, one, mine)).code, one[0].path).toBe(0);
    expect((await asks(clerk, [designCalls.change, { description: '改' }], mine)).code).toBe(0);
    const rows = (await clerk.get(workflows.list, { query: { per_page: 100 } })).value;
    const actionsOn = (id: number) => rows.find((row) => row.id === id)?.actions;
    expect([actionsOn(mine), actionsOn(other)]).toEqual([['start', 'design', 'edit', 'retire', 'delete'], ['start']]);
    expect((await clerk.ask(designCalls.add, { body: { name: '偷看', copy_of: other } })).code).toBe(4004);
    expect(
      (await give(other, [{ permission: 'admin', holder_type: 'user', holder: clerk.username }], clerk)).code,
    ).toBe(4004);
  });

  test('reaches nothing without the permission for the page, and the page alone opens no workflow', async () => {
    const bare = await app.clerk({}, { alias: '没有页面', dataScope: 5 });
    const paged = await app.clerk({ 'workflow/list': all }, { alias: '只有页面', dataScope: 5 });
    const reader = await app.clerk({ 'workflow/list': ['Retrieve'] }, { alias: '只能看' });
    await give(mine, [{ permission: 'admin', holder_type: 'user', holder: bare.username }]);
    for (const one of administering) {
      expect((await asks(bare, one, mine)).code, one[0].path).toBe(4003);
      expect((await asks(paged, one, mine)).code, one[0].path).toBe(4004);
      const changes = one[0].access.kind === 'grant' && one[0].access.code !== 'Retrieve';
      if (changes) expect((await asks(reader, one, mine)).code, one[0].path).toBe(4003);
    }
  });

  test('needs no grant for a workflow that they created', async () => {
    const maker = await app.clerk({ 'workflow/list': all }, { alias: '自建', dataScope: 5 });
    const { id } = await maker.get(designCalls.add, { body: { name: '自建的' } });
    expect((await maker.ask(designCalls.get, { params: { id } })).code).toBe(0);
  });
});

describe('grants on a workflow', () => {
  test('to a person, a department with its subdepartments or a role count for just that workflow', async () => {
    const person = await app.clerk({}, { alias: '个人' });
    const member = await app.clerk({}, { alias: '下级部门的人', dept: below });
    const holder = await app.clerk({}, { alias: '角色的人', roles: ['finance'] });
    const outsider = await app.clerk({}, { alias: '外人', roles: ['legal'] });
    const saved = await give(mine, [
      { permission: 'intervene', holder_type: 'user', holder: person.username },
      { permission: 'intervene', holder_type: 'dept', holder: String(dept) },
      { permission: 'intervene', holder_type: 'role', holder: 'finance' },
    ]);
    expect(saved.data.grants.map((grant) => grant.holder_name)).toEqual(['个人', '教务处', '财务']);
    for (const who of [person, member, holder])
      expect([await intervenes(who, mine), await intervenes(who, other)]).toEqual([true, false]);
    expect(await intervenes(outsider, mine)).toBe(false);
    expect(await intervenes(app.admin, other)).toBe(true);
    await give(mine, [{ permission: 'view', holder_type: 'user', holder: person.username }]);
    expect([await intervenes(person, mine), await intervenes(member, mine)]).toEqual([false, false]);
    await give(mine, []);
    expect((await keeper.get(designCalls.get, { params: { id: mine } })).grants).toEqual([]);
  });

  test('may name only existing people, departments and roles', async () => {
    const gone = await app.person({ active: false });
    for (const [holder_type, holder] of [
      ['user', gone.username],
      ['user', 'no.such'],
      ['dept', '999999'],
      ['dept', 'x'],
      ['role', 'no_such_role'],
    ]) {
      const answer = await give(mine, [{ permission: 'view', holder_type, holder }]);
      expect([answer.code, answer.msg.includes('不存在或已停用')], `${holder_type} ${holder}`).toEqual([-1, true]);
    }
  });
});

describe('the right to start a workflow', () => {
  test('is set by its limits on departments and on open tickets', async () => {
    const { definition } = await keeper.get(designCalls.get, { params: { id: other } });
    const limit = { ...definition.settings.limit, depts: [dept], concurrent_open: 1 };
    const body = { definition: { ...definition, settings: { ...definition.settings, limit } } };
    await keeper.get(designCalls.change, { params: { id: other }, body });
    await keeper.get(releaseCalls.publish, { params: { id: other }, body: {} });
    const member = await app.clerk({}, { alias: '教务科的人', dept: below });
    const outsider = await app.clerk({}, { alias: '外面的人' });
    expect((await member.get(workflows.initState, { params: { id: other } })).workflow_version).toBe(2);
    expect((await outsider.ask(workflows.initState, { params: { id: other } })).code).toBe(4004);
    expect((await outsider.ask(workflows.simpleDescription, { params: { id: other } })).code).toBe(4004);
    const refused = await keeper.get(releaseCalls.simulate, {
      params: { id: other },
      body: { applicant: outsider.username, values: { title: '申请' } },
    });
    expect([refused.finishes, refused.stop, refused.steps]).toEqual([false, '您不在这个流程的发起范围内', []]);
  });
});

test('a workflow is a favourite only of the person who marked it', async () => {
  const [fan, other] = [await app.clerk({}), await app.clerk({})];
  const marked = async (who: Client) =>
    (await who.get(workflows.list, { query: { per_page: 100 } })).value
      .filter((flow) => flow.favourite)
      .map((flow) => flow.key);
  const { value } = await fan.get(workflows.list, { query: { per_page: 100 } });
  const leave = value.find((flow) => flow.key === 'leave')!;
  expect(await marked(fan)).toEqual([]);
  await fan.get(accounts.keepPreference, { body: { key: favouriteKey, value: [leave.id] } });
  expect([await marked(fan), await marked(other)]).toEqual([['leave'], []]);
  await fan.get(accounts.keepPreference, { body: { key: favouriteKey, value: 'nothing of the kind' } });
  expect(await marked(fan)).toEqual([]);
});
