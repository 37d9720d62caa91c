import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { sql } from 'drizzle-orm';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { lookups } from './contract/lookups.ts';
import { users } from './contract/users.ts';

let app: TestOffice;
let dept: number;
let other: number;
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('一处');
  other = await app.dept('二处');
});
afterAll(() => app.close());

const owner = async (visible: number, phone: string) => {
  const person = await app.person({ dept, phone });
  await app.admin.get(users.update, { params: { id: person.id }, body: { phone_visible: visible } });
  return person;
};
const shownTo = async (client: Client, id: number) =>
  (await client.get(lookups.allStaff, { query: { ids: String(id) as never } })).value[0];

test('phone numbers are masked for everybody, and absent if not open to the viewer', async () => {
  const colleague = await app.signIn(await app.person({ dept }));
  const stranger = await app.signIn(await app.person({ dept: other }));
  const leader = await app.signIn(await app.person({ dept: other, roles: ['xld'] }));
  const open = await owner(1, '13800000001');
  const inside = await owner(2, '13800000002');
  const hidden = await owner(3, '13800000003');
  const seen = async (client: Client) =>
    Promise.all([open, inside, hidden].map(async ({ id }) => (await shownTo(client, id))?.phone));
  expect(await seen(stranger)).toEqual(['138****0001', '', '']);
  expect(await seen(colleague)).toEqual(['138****0001', '138****0002', '']);
  expect(await shownTo(stranger, open.id)).toMatchObject({ phone_masked: '138****0001', dept: '一处', is_yg: true });
  expect(await seen(leader)).toEqual(['138****0001', '138****0002', '138****0003']);
  expect((await stranger.ask(users.phone, { params: { id: hidden.id } })).code).toBe(4003);
  expect((await stranger.get(users.phone, { params: { id: open.id } })).phone).toBe('13800000001');
});

test('a search reveals no more of a number than its mask', async () => {
  const client = await app.signIn(await app.person({ dept: other }));
  const open = await owner(1, '13812340077');
  const hidden = await owner(3, '13812340088');
  const found = async (search_value: string) =>
    (await client.get(lookups.allStaff, { query: { search_value } })).value.map((one) => one.id);
  expect(await found('0077')).toEqual([open.id]);
  for (const digits of ['40077', '13812340077', '0088', '13812340088']) expect(await found(digits)).toEqual([]);
  expect(await found('0088')).not.toContain(hidden.id);
});

test('showing a number is logged without the number, and limited to fifty a day including refusals', async () => {
  const client = await app.signIn(await app.person({ dept: other }));
  const open = await owner(1, '13811112222');
  for (let i = 0; i < 50; i += 1) {
    const id = i % 2 ? open.id : 999_999;
    expect((await client.ask(users.phone, { params: { id } })).code).toBe(i % 2 ? 0 : 4004);
  }
  const late = await client.ask(users.phone, { params: { id: open.id } });
  expect(late.code).toBe(4029);
  const { rows } = await app.db.execute<{ text: string }>(
    sql`select row_to_json(log)::text as text from log where action = '查看手机号' and user_id = ${client.userId}`,
  );
  expect(rows).toHaveLength(25);
  expect(rows.some((row) => row.text.includes('13811112222'))).toBe(false);
});

test('the address book is exported only with the permission for it, with masked numbers', async () => {
  const clerk = await app.signIn(await app.person({ dept }));
  const path = '/api/oauth/staff/all_staff/?export=xlsx';
  expect(await (await clerk.fetch(path)).json()).toMatchObject({ code: 4003 });
  const keeper = await app.clerk({ address: ['daochu'] }, { dept });
  const person = await owner(1, '13877778888');
  const [titles = [], ...rows] = await readSheet(Buffer.from(await (await keeper.fetch(path)).arrayBuffer()));
  const row = rows.find((cells) => cells[titles.indexOf('姓名')] === person.alias)!;
  expect(row[titles.indexOf('手机')]).toBe('138****8888');
  expect(JSON.stringify(rows)).not.toMatch(/1[3-9]\d{9}/);
});

test('the address book shows who is away and who decides for them, while that lasts', async () => {
  const reader = await app.signIn(await app.person({ dept: other }));
  const [away, half] = [await app.signIn(await app.person({ dept })), await app.signIn(await app.person())];
  const deputy = await app.person({ dept, username: 'deputy', alias: '代办者' });
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from workflow order by id limit 1`);
  const at = (hours: number) =>
    new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const passesOn = (who: Client, hours: [number, number], workflow_ids: number[] = []) =>
    who.get(delegations.create, {
      body: { delegate: deputy.username, start: at(hours[0]), end: at(hours[1]), workflow_ids } as never,
    });
  const where = async (who: Client) => (await shownTo(reader, who.userId))?.whereabouts;
  await passesOn(away, [2, 3]);
  expect(await where(away)).toEqual({ state: 'here', stand_ins: [] });
  const { id } = (await passesOn(away, [-1, 1])) as { id: number };
  await passesOn(half, [-1, 1], [rows[0]!.id]);
  expect(await where(away)).toEqual({ state: 'out', stand_ins: ['代办者'] });
  expect(await where(half)).toEqual({ state: 'delegated', stand_ins: ['代办者'] });
  const keeper = await app.clerk({ address: ['daochu'] }, { dept });
  const answer = await keeper.fetch(`/api/oauth/staff/all_staff/?export=xlsx&ids=${away.userId},${half.userId}`);
  const [titles = [], ...lines] = await readSheet(Buffer.from(await answer.arrayBuffer()));
  expect(lines.map((line) => line[titles.indexOf('状态')])).toEqual([
    '外出，由 代办者 代办',
    '委托 代办者 代办部分事项',
  ]);
  await away.get(delegations.end, { params: { id } });
  expect(await where(away)).toEqual({ state: 'here', stand_ins: [] });
});

test('the number of a new leader is hidden from everybody unless set otherwise', async () => {
  const { rows } = await app.db.execute(sql`select id, code from role where code in ('xld', 'staff')`);
  const roleIds = new Map(rows.map((row) => [row['code'] as string, row['id'] as number]));
  const visible = async (username: string, more: object) => {
    const { id } = (await app.admin.get(users.create, {
      body: { username, alias: username, ...more },
    })) as { id: number };
    return (await app.admin.get(users.list, { query: { search_value: username } as never })).value.find(
      (row) => row.id === id,
    )?.phone_visible;
  };
  expect(await visible('new.leader', { roles: [roleIds.get('xld')!] })).toBe(3);
  expect(await visible('open.leader', { roles: [roleIds.get('xld')!], phone_visible: 1 })).toBe(1);
  expect(await visible('new.clerk', { roles: [roleIds.get('staff')!] })).toBe(1);
});
