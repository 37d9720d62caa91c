import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import { codeNamedByFlows, namedByFlows } from '#modules/platform/access/contract/roles.ts';
import { depts, placeGives } from '#modules/platform/people/contract/depts.ts';
import { decidesBeyond, deptDecides, rightsBeyond, roleBeyond } from '#modules/platform/people/contract/refusals.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { userGroups } from './contract/groups.ts';
import { customNotices } from './contract/notices.ts';

// An administrator of a school's people, departments and roles, and of the sections below it, who administers no workflow.
let app: TestOffice;
let admin: Client;
let school: number;
const sections = new Map<string, number>();
const section = (name: string) => sections.get(name)!;
let serial = 0;
const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
const pages = { 'system/user': whole, 'system/dept': whole, 'system/role': whole };
const schoolAndBelow = 4;
beforeAll(async () => {
  app = await openTestApp();
  school = await app.dept('理学院');
  // Before she comes: whom her rights reach is believed for a while.
  for (const name of ['教研室', '调度室', '采购组', '学生科']) sections.set(name, await app.dept(name, school));
  sections.set('值班组', await app.dept('值班组', section('调度室')));
  admin = await app.clerk(pages, { dept: school, dataScope: schoolAndBelow });
});
afterAll(() => app.close());

const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute<{ id: number }>(text));
/** Publishes what a workflow of its own says; answers its id. */
const published = async (definition: object) => {
  const key = `named${++serial}`;
  const made = await write(sql`insert into workflow (key, name) values (${key}, ${`点名${serial}`}) returning id`);
  const { id } = made.rows[0]!;
  await write(sql`insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
    values (${id}, 1, 'published', ${JSON.stringify({ states: [], transitions: [], ...definition })}::jsonb, repeat('0', 64), now())`);
  return { id, name: `点名${serial}` };
};
const asking = (state: object) => published({ states: [state] });
const reset = (id: number, by = admin) => by.ask(users.resetPassword, { params: { id } });
const change = (id: number, body: object, by = admin) => by.ask(users.update, { params: { id }, body: body as never });
const add = (body: object, by = admin) =>
  by.ask(users.create, { body: { username: `named${++serial}`, alias: '新来的', ...body } as never });

describe('a role counts as powerful in a workflow', () => {
  const naming: Record<string, (code: string) => object> = {
    'up to whose holder the superiors are asked': (role) => ({
      states: [{ participants: [{ type: 14, until: { role }, gaps: 'skip' }] }],
    }),
    'that a condition asks of superiors': (role) => ({
      transitions: [{ conditions: [{ expression: { op: 'superior_of', level: 1, value: [role] } }] }],
    }),
    'that a field asks of who applies': (role) => ({
      fields: [{ shown_when: { op: 'not', of: { op: 'role_of', value: [role] } } }],
    }),
  };
  test.each(Object.entries(naming))('%s: it cannot be granted, deleted or recreated', async (_what, definition) => {
    const code = await app.role({ 'system/user': ['Retrieve'] }, schoolAndBelow);
    const role = (await write(sql`select id, name from role where code = ${code}`)).rows[0]! as unknown as {
      id: number;
      name: string;
    };
    const person = await app.person({ alias: '科员', dept: school });
    expect((await change(person.id, { roles: [role.id] })).code, 'as long as nothing names it').toBe(0);
    expect((await change(person.id, { roles: [] })).code).toBe(0);
    const flow = await published(definition(code));
    expect(await change(person.id, { roles: [role.id] })).toRefuse(roleBeyond, role.name);
    expect(await app.admin.ask(access.removeRole, { params: { id: role.id } })).toRefuse(namedByFlows, role.name, [
      flow.name,
    ]);
    const gone = `gone${++serial}`;
    await published(definition(gone));
    const anew = { body: { name: '重建的角色', code: gone } as never };
    expect(await admin.ask(access.addRole, anew)).toRefuse(codeNamedByFlows, gone);
  });
});

describe('an object named by the version of running tickets is not deleted', () => {
  const named: Record<string, (key: string) => Promise<{ definition: object; remove(): ReturnType<Client['ask']> }>> = {
    'a role': async () => {
      const code = await app.role({});
      const { id } = (await write(sql`select id from role where code = ${code}`)).rows[0]!;
      return {
        definition: { states: [{ participants: [{ type: 4, roles: [code] }] }] },
        remove: () => app.admin.ask(access.removeRole, { params: { id } }),
      };
    },
    'a user group': async (name) => {
      const { id } = await app.admin.get(userGroups.add, { body: { name, people: [app.admin.userId] } as never });
      return {
        definition: { states: [{ participants: [{ type: 16, groups: [id] }] }] },
        remove: () => app.admin.ask(userGroups.remove, { params: { id } }),
      };
    },
    'a way of notice': async (name) => {
      const { id } = await app.admin.get(customNotices.add, { body: { name, type_id: 1 } as never });
      return {
        definition: { settings: { notices: [id] } },
        remove: () => app.admin.ask(customNotices.remove, { params: { id: id! } }),
      };
    },
  };
  test.each(Object.entries(named))('%s', async (what, made) => {
    const { definition, remove } = await made(`${what} ${++serial}`);
    const flow = await published(definition);
    const ticket =
      await write(sql`insert into ticket (sn, title, workflow_id, version_id, act_state, state_id, creator_id, seq, submitted_at)
      select ${`RETIRED-${serial}`}, '', v.workflow_id, v.id, 1, 0, ${app.admin.userId}, 1, now() from workflow_version v
      where v.workflow_id = ${flow.id} returning id`);
    await write(sql`update workflow_version set status = 'retired' where workflow_id = ${flow.id}`);
    const refused = await remove();
    expect([refused.code, refused.msg]).toEqual([
      -1,
      expect.stringContaining(what === 'a user group' ? '1 个流程' : flow.name),
    ]);
    await write(sql`update ticket set act_state = 4, finished_at = now() where id = ${ticket.rows[0]!.id}`);
    expect((await remove()).code).toBe(0);
  });
});

describe('an account that a workflow names cannot be taken over', () => {
  const naming: Record<string, (user: number) => object> = {
    'for where nobody else is found': (user) => ({ participants: [], on_empty: 3, on_empty_users: [user] }),
    'for what is late': (user) => ({ participants: [], timeout: { hours: 1, action: 5, users: [user] } }),
  };
  test.each(Object.entries(naming))(
    '%s: not by password, number, address, second factor or delegation',
    async (_what, state) => {
      const person = await app.person({ alias: '替补', dept: school });
      const made = await app.person({ alias: '她建的', dept: school });
      expect((await reset(person.id)).code).toBe(0);
      await asking(state(person.id));
      const period = { start: '2098-06-01 09:00', end: '2098-07-01 09:00' };
      const ways = [
        reset(person.id),
        change(person.id, { phone: `139000${20_000 + serial}` }),
        change(person.id, { email: `a${serial}@example.edu` }),
        admin.ask(users.forgetSecond, { params: { id: person.id } }),
        admin.ask(delegations.create, {
          body: { delegator: person.username, delegate: made.username, ...period } as never,
        }),
      ];
      for (const way of ways) expect(await way).toRefuse(rightsBeyond, '替补');
      expect((await reset(person.id, app.admin)).code).toBe(0);
    },
  );
});

describe('members of a department', () => {
  const grant = (flow: number, permission: string, id: number) =>
    write(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      values (${flow}, ${permission}, 'dept', ${String(id)})`);

  test('that may intervene in a workflow are added only by its own people or that workflow’s administrators', async () => {
    const [free, held, below] = [section('教研室'), section('调度室'), section('值班组')];
    const name = '调度室';
    const { id: flow } = await asking({});
    const [member, other] = [
      await app.person({ alias: '调度员', dept: held }),
      await app.person({ alias: '教研员', dept: free }),
    ];
    await grant(flow, 'view', held);
    expect((await add({ dept: held })).code, 'who may only look decides nothing').toBe(0);
    await grant(flow, 'intervene', held);
    expect(await add({ dept: held })).toRefuse(deptDecides, name);
    expect(await add({ dept: below })).toRefuse(deptDecides, '值班组');
    expect(await add({ dept: free, depts: [held] })).toRefuse(deptDecides, name);
    expect(await change(other.id, { dept: held })).toRefuse(deptDecides, name);
    expect((await change(member.id, { dept: below })).code, 'who is of it gains nothing').toBe(0);
    expect((await change(member.id, { dept: held })).code).toBe(0);
    expect(await reset(member.id)).toRefuse(decidesBeyond, '调度员', `部门“${name}”`);
    expect(await admin.ask(depts.move, { params: { id: free }, body: { parent: held } })).toRefuse(
      placeGives,
      '教研室',
      '教研员',
    );
    const own = await app.clerk(pages, { dept: held, dataScope: schoolAndBelow });
    expect((await add({ dept: held }, own)).code, 'who has it gives it').toBe(0);
    const flows = await app.clerk({ ...pages, 'workflow/list': ['Retrieve', 'Update'] });
    expect((await add({ dept: held }, flows)).code, 'who administers the workflow gives it').toBe(0);
  });

  test('that handles a state are administered by their own administrators, except those also in another such department', async () => {
    const asked = section('采购组');
    const elsewhere = await app.dept('审计处');
    await asking({ participants: [{ type: 3, depts: [asked, elsewhere] }] });
    expect((await add({ dept: asked })).code).toBe(0);
    const [one, both] = [
      await app.person({ alias: '采购员', dept: asked }),
      await app.person({ alias: '兼职审计员', dept: asked }),
    ];
    await write(sql`insert into user_dept (user_id, dept_id) values (${both.id}, ${elsewhere})`);
    expect((await reset(one.id)).code).toBe(0);
    expect(await reset(both.id)).toRefuse(decidesBeyond, '兼职审计员', '部门“审计处”');
  });

  test('that may start a workflow, or appears in its conditions, are added as in any other department', async () => {
    const started = section('学生科');
    await published({
      settings: { limit: { depts: [started] } },
      transitions: [{ conditions: [{ expression: { op: 'dept_in', value: [started] } }] }],
    });
    expect((await add({ dept: started })).code).toBe(0);
  });
});
