import { sql } from 'drizzle-orm';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { Call } from '#kernel/contract/call.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { access } from '#modules/platform/access/contract.ts';
import { codeNamedByFlows, namedByFlows } from '#modules/platform/access/contract/roles.ts';
import { online } from '#modules/platform/accounts/contract/online.ts';
import { seeingCalls } from '#modules/platform/accounts/contract/seeing.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { userGroups } from '#modules/workflow/workflows/contract/groups.ts';
import { depts } from './contract/depts.ts';
import { bulk } from './contract/users/bulk.ts';
import { peopleImport } from './contract/users/import.ts';
import { leaving } from './contract/leaves.ts';
import { members } from './contract/members.ts';
import { actsForBeyond, decidesBeyond, notOneself, postAsked, roleBeyond } from './contract/refusals.ts';
import { users } from './contract/users.ts';

/*
 * An administrator of one department, its people and roles, who administers no workflow. `plain` has no rights beyond hers; `chief` has more; `named`
 * holds a role that a workflow names and that gives one harmless button; `posted` has a post a workflow asks; `delegate` acts for a head elsewhere,
 * whose secretary is `secretary`.
 */
let app: TestOffice;
let admin: Client;
/** Administers user groups for the whole organisation, and no workflow. */
let keeper: Client;
/** A group that a workflow asks, of which she is no member. */
let group: number;
let dept: number;
let harmless: string;
let ids: Record<'deputy' | 'free', number>;
type Person = Awaited<ReturnType<TestOffice['person']>>;
type Who = 'plain' | 'chief' | 'named' | 'posted' | 'delegate' | 'secretary';
let people: Record<Who, Person>;
let made: Person;
const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));
const roleId = async (code: string) =>
  (await app.db.execute<{ id: number }>(sql`select id from role where code = ${code}`)).rows[0]!.id;
const grantTo = (code: string) =>
  write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
    select min(id), 'intervene', 'role', ${code} from workflow where not is_deleted`);

beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('财务处');
  const elsewhere = await app.dept('校办');
  const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
  const ends = ['Retrieve', 'Delete'] as ('Retrieve' | 'Delete')[];
  const pages = { 'system/user': whole, 'system/dept': whole, 'system/role': whole, 'system/online': ends };
  admin = await app.clerk(pages, { dept, dataScope: 3 });
  keeper = await app.clerk({ 'workflow/group': whole });
  harmless = await app.role({ 'system/user': ['Retrieve'] }, 3);
  const [free, more] = [
    await app.role({ 'system/user': ['Retrieve'] }, 3),
    await app.role({ 'system/log': ['Retrieve'] }),
  ];
  ids = { deputy: await roleId(harmless), free: await roleId(free) };
  const one = (alias: string, roles: string[] = []) => app.person({ alias, dept, roles });
  people = {
    plain: await one('科员'),
    chief: await one('处长', [more]),
    named: await one('干预人', [harmless]),
    posted: await one('总会计'),
    delegate: await one('代办人'),
    secretary: await one('文秘'),
  };
  made = await one('她建的账号');
  await grantTo(harmless);
  group = (await app.admin.get(userGroups.add, { body: { name: '流程问的组', people: [app.admin.userId] } })).id!;
  const participants = [
    { type: 15, posts: ['总会计师'] },
    { type: 16, groups: [group] },
  ];
  const asking = JSON.stringify({ states: [{ participants }] });
  await write(sql`insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
    select min(id), 998, 'retired', ${asking}::jsonb, repeat('0', 64), now() from workflow where not is_deleted`);
  await write(sql`update app_user set post = '总会计师' where id = ${people.posted.id}`);
  const head = await app.person({ alias: '校办主任', dept: elsewhere });
  await write(sql`insert into dept_person (dept_id, user_id, part) values (${elsewhere}, ${head.id}, 'leader')`);
  await write(sql`insert into secretary (secretary_id, leader_id) values (${people.secretary.id}, ${head.id})`);
  const away = await app.signIn(head);
  await away.get(delegations.create, {
    body: { delegate: people.delegate.username, start: '2098-06-01 09:00', end: '2099-01-01 09:00' } as never,
  });
});
afterAll(() => app.close());

const update = (who: Person, body: object) => admin.ask(users.update, { params: { id: who.id }, body: body as never });
const imported = async (post: string, role: string) => {
  const titles = ['姓名', '用户名', '部门', '职务', '角色'];
  const columns = titles.map((title, i) => ({
    title,
    kind: 'text' as const,
    value: (line: string[]) => line[i] ?? '',
  }));
  const rows = [['新来的', 'newcomer1', '财务处', post, role]];
  const form = new FormData();
  const bytes = await buffer(writeSheet({ title: '用户', columns, rows }));
  form.append('file', new Blob([new Uint8Array(bytes)]), '用户.xlsx');
  const answer = await admin.fetch('/api/accounts/users/import/?dry_run=true', { method: 'POST', body: form });
  const { data } = (await answer.json()) as { data: { errors: { field: string }[] } };
  return data.errors.map((error) => error.field);
};
let serial = 0;
const fresh = () => ({ username: `giving${++serial}`, alias: '新来的', dept });

describe('an administrator with fewer rights', () => {
  const everybody: readonly Who[] = ['plain', 'chief', 'named', 'posted', 'delegate', 'secretary'];
  const beyond = everybody.filter((who) => who !== 'plain');
  interface Way {
    what: string;
    call: Call;
    ask(who: Person, name: Who): Promise<{ code: number; msg: string }>;
    barred: readonly Who[];
  }
  /** People with more rights than hers, of their own or as somebody's delegate. */
  const aboveHer: readonly Who[] = ['chief', 'secretary'];
  const bulkOf = (who: Person) => ({ ids: [who.id], change: { what: 'give' as const, roles: [ids.free] } });
  const leaves = (who: Person, target_username: string) =>
    admin.ask(leaving.handOver, { params: { id: who.id }, body: { target_username } });
  /** Each way that names another person, and the people for whom it is barred; for the others it succeeds, or fails for another reason than rights. */
  const ways: readonly Way[] = [
    {
      what: '看待移交',
      call: leaving.open,
      ask: (who) => admin.ask(leaving.open, { params: { id: who.id } }),
      barred: beyond,
    },
    { what: '移交给她建的账号', call: leaving.handOver, ask: (who) => leaves(who, made.username), barred: beyond },
    { what: '移交给自己', call: leaving.handOver, ask: (who) => leaves(who, admin.username), barred: everybody },
    {
      what: '重置密码',
      call: users.resetPassword,
      ask: (who) => admin.ask(users.resetPassword, { params: { id: who.id } }),
      barred: beyond,
    },
    {
      what: '关闭二次验证',
      call: users.forgetSecond,
      ask: (who) => admin.ask(users.forgetSecond, { params: { id: who.id } }),
      barred: beyond,
    },
    {
      what: '解除微信',
      call: users.unbindWechat,
      ask: (who) => admin.ask(users.unbindWechat, { params: { id: who.id } }),
      barred: beyond,
    },
    {
      what: '解除单点登录',
      call: users.releaseSso,
      ask: (who) => admin.ask(users.releaseSso, { params: { id: who.id } }),
      barred: beyond,
    },
    {
      what: '手机号',
      call: users.update,
      ask: (who) => update(who, { phone: `139000${10_000 + ++serial}` }),
      barred: beyond,
    },
    {
      what: '邮箱',
      call: users.update,
      ask: (who) => update(who, { email: `a${++serial}@example.edu` }),
      barred: beyond,
    },
    {
      what: '授予流程指定的角色',
      call: users.update,
      ask: (who) => update(who, { roles: [ids.deputy] }),
      // Somebody who has it already keeps it.
      barred: everybody.filter((who) => who !== 'named'),
    },
    {
      what: '取消流程指定的角色',
      call: users.update,
      ask: (who, name) => (name === 'named' ? update(who, { roles: [] }) : update(who, { office_room: '301' })),
      barred: ['chief', 'named', 'secretary'],
    },
    {
      what: '流程指定的职务',
      call: users.update,
      ask: (who) => update(who, { post: who === people.posted ? '' : '总会计师' }),
      barred: everybody,
    },
    {
      what: '新增秘书',
      call: users.create,
      ask: (who) => admin.ask(users.create, { body: { ...fresh(), leader_of: [who.username] } as never }),
      barred: ['chief', 'named', 'posted', 'delegate', 'secretary'],
    },
    {
      what: '添加角色成员',
      call: members.add,
      ask: (who) => admin.ask(members.add, { params: { id: ids.deputy }, body: { user_ids: [who.id] } }),
      barred: everybody,
    },
    {
      what: '移除角色成员',
      call: members.remove,
      ask: (who) => admin.ask(members.remove, { params: { id: ids.deputy, userId: who.id } }),
      barred: everybody,
    },
    {
      what: '部门负责人',
      call: depts.update,
      // A head has the rights of heads while they are one.
      ask: async (who) => {
        await app.admin.get(depts.update, { params: { id: dept }, body: { leader: '' } as never });
        return admin.ask(depts.update, { params: { id: dept }, body: { leader: who.username } as never });
      },
      barred: ['chief', 'secretary'],
    },
    {
      what: '以他人权限查看',
      call: seeingCalls.see,
      ask: (who) => admin.ask(seeingCalls.see, { body: { user: who.id } }),
      barred: everybody,
    },
    {
      what: '以他人名义委托',
      call: delegations.create,
      ask: (who) => {
        const body = {
          delegator: who.username,
          delegate: made.username,
          start: '2098-06-01 09:00',
          end: '2098-07-01 09:00',
        };
        return admin.ask(delegations.create, { body: body as never });
      },
      barred: beyond,
    },
    {
      what: '退出一处登录',
      call: online.end,
      ask: async (who) => {
        await app.signIn(who);
        const { rows } = await app.db.execute<{ id: number }>(
          sql`select max(id)::int id from session where user_id = ${who.id}`,
        );
        return admin.ask(online.end, { params: { id: rows[0]!.id } });
      },
      barred: aboveHer,
    },
    {
      what: '退出所有登录',
      call: online.endPerson,
      ask: async (who) => {
        await app.signIn(who);
        return admin.ask(online.endPerson, { params: { id: who.id } });
      },
      barred: aboveHer,
    },
    {
      what: '预览批量修改',
      call: bulk.preview,
      ask: async (who) => {
        const [row] = (await admin.get(bulk.preview, { body: bulkOf(who) })).value;
        return { code: row!.why === '' ? 0 : 4003, msg: row!.why };
      },
      barred: aboveHer,
    },
    {
      what: '批量修改',
      call: bulk.apply,
      // All or nothing: if nobody can be changed, it is one refusal with the reason of the first.
      ask: async (who) => {
        const { code, msg } = await admin.ask(bulk.apply, { body: bulkOf(who) });
        return { code: code === 0 ? 0 : 4003, msg };
      },
      barred: aboveHer,
    },
    {
      what: '列入流程所问的用户组',
      call: userGroups.change,
      ask: (who) =>
        keeper.ask(userGroups.change, { params: { id: group }, body: { people: [app.admin.userId, who.id] } }),
      barred: everybody,
    },
    {
      what: '删除流程所问的用户组',
      call: userGroups.remove,
      ask: () => keeper.ask(userGroups.remove, { params: { id: group } }),
      barred: everybody,
    },
    {
      what: '新增没有流程问的用户组',
      call: userGroups.add,
      ask: (who) => keeper.ask(userGroups.add, { body: { name: `新组${who.id}`, people: [who.id] } }),
      barred: [],
    },
    {
      what: '删除用户',
      call: users.remove,
      // People who may be deleted are not deleted here.
      ask: (who, name) =>
        ['chief', 'secretary'].includes(name)
          ? admin.ask(users.remove, { params: { id: who.id } })
          : Promise.resolve({ code: 0, msg: '' }),
      barred: ['chief', 'secretary'],
    },
  ];

  test('is refused where an action gives more than she may give, and nowhere else', async () => {
    for (const { what, ask, barred } of ways) {
      const answers: string[] = [];
      for (const who of everybody) {
        const { code, msg } = await ask(people[who], who);
        if (code === 4003) answers.push(who);
        if (code === 4003) expect(msg, what).toMatch(/请|只能/);
      }
      expect([what, answers], what).toEqual([what, barred]);
    }
  });

  /** System pages that name no people: they concern the organisation as a whole. */
  const ofTheHouse = new Set(
    ['menu', 'button', 'menu_button', 'setup', 'site', 'login', 'interface', 'log', 'delivery', 'job', 'app_token'].map(
      (page) => `system/${page}`,
    ),
  );
  /** Calls that name nobody, or only in ways that tests of their own cover. */
  const elsewhere: readonly Call[] = [
    users.create,
    depts.create,
    depts.replace,
    depts.move,
    depts.remove,
    ...Object.values(peopleImport.calls),
    access.addRole,
    access.changeRole,
    access.saveRole,
    access.removeRole,
    // Only one's own delegation, or one that one made.
    delegations.end,
    // Reaches the same people as `end`, and nobody else.
    online.endAll,
    // Numbers are shown by a rule of their own.
    users.phone,
  ];

  test('is tested with every call that administers people, in every module', () => {
    const keyOf = ({ method, path }: Call) => `${method} ${path}`;
    const pagesOf = ({ access: asked }: Call) => (asked.kind === 'grant' ? asked.pages : []);
    const administers = (module: string, call: Call) =>
      ['people', 'delegations'].includes(module) ||
      pagesOf(call).some((page) => page === 'workflow/group' || (page.startsWith('system/') && !ofTheHouse.has(page)));
    const mounted = app.services.product.servers().flatMap(({ calls }) => [...calls]);
    const changes = mounted.filter(({ module, call }) => call.method !== 'GET' && administers(module, call));
    expect(changes.length).toBeGreaterThan(30);
    const known = new Set([...ways.map(({ call }) => call), ...elsewhere].map(keyOf));
    expect(changes.map(({ call }) => keyOf(call)).filter((key) => !known.has(key))).toEqual([]);
    const pages = new Set(mounted.flatMap(({ call }) => pagesOf(call)));
    expect([...ofTheHouse].filter((page) => !pages.has(page))).toEqual([]);
  });
});

test('a refusal names the person for whom somebody acts, and the rule by which they decide', async () => {
  const reset = (who: Person) => admin.ask(users.resetPassword, { params: { id: who.id } });
  expect(await reset(people.delegate)).toRefuse(actsForBeyond, '代办人', '校办主任');
  expect(await reset(people.secretary)).toRefuse(actsForBeyond, '文秘', '校办主任');
  expect(await reset(people.posted)).toRefuse(decidesBeyond, '总会计', '职务“总会计师”');
  const { msg } = await reset(people.named);
  expect(msg).toContain('有流程按角色“');
});

test('a role with a harmless button is granted freely, but once a workflow names it only by its holders and workflow administrators', async () => {
  const body = (roles: number[]) => ({ body: { ...fresh(), roles } as never });
  expect((await admin.ask(users.create, body([ids.free]))).code).toBe(0);
  const [{ name }] = (await app.db.execute<{ name: string }>(sql`select name from role where id = ${ids.deputy}`))
    .rows as [{ name: string }];
  expect(await admin.ask(users.create, body([ids.deputy]))).toRefuse(roleBeyond, name);
  expect((await admin.get(users.grantable)).map((role) => role.id)).not.toContain(ids.deputy);
  expect(await imported('', name)).toEqual(['角色']);
  const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
  const holder = await app.clerk({ 'system/user': whole }, { dept, dataScope: 3, roles: [harmless] });
  expect((await holder.ask(users.create, body([ids.deputy]))).code).toBe(0);
  const flows = await app.clerk({ 'system/user': whole, 'workflow/list': ['Retrieve', 'Update'] });
  expect((await flows.ask(users.create, body([ids.deputy]))).code).toBe(0);
});

test('a post that a workflow asks for is set by no import, and by nobody for themselves', async () => {
  expect(await imported('总会计师', '')).toEqual(['职务']);
  expect(await imported('科员', '')).toEqual([]);
  expect(await admin.ask(users.create, { body: { ...fresh(), post: '总会计师' } as never })).toRefuse(
    postAsked,
    '总会计师',
  );
  const own = { params: { id: admin.userId }, body: { post: '总会计师' } as never };
  expect(await admin.ask(users.update, own)).toRefuse(notOneself, '修改自己的职务');
});

test('a role that a workflow names is not deleted, and its former code cannot be reused', async () => {
  const code = await app.role({});
  await grantTo(code);
  const [{ id, name, flow }] = (
    await app.db.execute<{ id: number; name: string; flow: string }>(sql`select r.id, r.name, w.name flow
      from role r, workflow w where r.code = ${code} and w.id = (select min(id) from workflow where not is_deleted)`)
  ).rows as [{ id: number; name: string; flow: string }];
  expect(await app.admin.ask(access.removeRole, { params: { id } })).toRefuse(namedByFlows, name, [flow]);
  await grantTo('gone_role');
  const anew = { body: { name: '重建的角色', code: 'gone_role' } as never };
  expect(await admin.ask(access.addRole, anew)).toRefuse(codeNamedByFlows, 'gone_role');
  expect((await app.admin.ask(access.addRole, anew)).code).toBe(0);
});
