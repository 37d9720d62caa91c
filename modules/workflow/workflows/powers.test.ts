import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import { codeNamedByFlows, namedByFlows } from '#modules/platform/access/contract/roles.ts';
import { rightsBeyond, roleBeyond } from '#modules/platform/people/contract/refusals.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';

// An administrator of a school's people, departments and roles, and of the sections below it, who administers no workflow.
let app: TestOffice;
let admin: Client;
let school: number;
let serial = 0;
const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
const pages = { 'system/user': whole, 'system/dept': whole, 'system/role': whole };
const schoolAndBelow = 4;
beforeAll(async () => {
  app = await openTestApp();
  school = await app.dept('理学院');
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

describe('a role counts as power', () => {
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
  test.each(Object.entries(naming))('%s: it is not given, deleted or made anew', async (_what, definition) => {
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

describe('nobody takes over an account that a workflow names', () => {
  const naming: Record<string, (user: number) => object> = {
    'for where nobody else is found': (user) => ({ participants: [], on_empty: 3, on_empty_users: [user] }),
    'for what is late': (user) => ({ participants: [], timeout: { hours: 1, action: 5, users: [user] } }),
  };
  test.each(Object.entries(naming))(
    '%s: by no password, number, address, second step or delegation',
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
