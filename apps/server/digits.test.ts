import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { addDemoSchool } from '#modules/platform/people/demo.ts';
import type { Client, TestOffice } from './testing.ts';
import { each, turnOf } from './testing/asking.ts';
import { cast, number, plant, plantSecrets } from './testing/canaries.ts';
import { everyGrant, openWalk, unlimited } from './testing/walk.ts';

vi.setConfig({ testTimeout: unlimited, hookTimeout: unlimited });

/** A number that belongs to nobody; queries with its digits show the answer to arbitrary digits. */
const nobodys = '17460935821';

let app: TestOffice;
let mounted: readonly Mounted[];
let readers: Record<string, Client>;
let hidden: string[];
beforeAll(async () => {
  ({ app, mounted } = await openWalk());
  const people = await cast(app);
  await plantSecrets(app);
  await plant(app, people);
  await app.admin.get(users.update, { params: { id: people.staff.userId }, body: { phone_visible: 3 } });
  await app.services.databases.write((tx) => addDemoSchool(tx, 'none'));
  readers = {
    chief: await app.clerk(await everyGrant(app), { dept: await app.dept('别的部门'), dataScope: 3 }),
    anybody: await app.signIn(await app.person()),
  };
  const leaders = await app.db.$client.query<{ phone: string }>(
    `select phone from app_user where phone_visible = 3 and phone <> $1 order by phone desc limit 1`,
    [number],
  );
  hidden = [number, ...leaders.rows.map(({ phone }) => phone)];
});
afterAll(() => app.close());

/** The beginnings, ends and middle of a number, as a person would guess their way along it. */
const partsOf = (whole: string) =>
  [4, 7, 8, 11]
    .flatMap((length) => [whole.slice(0, length), whole.slice(-length)])
    .concat(whole.slice(3, 7), whole.slice(2, 9));

/** Parameters with ids of records, and parameters that do not filter. */
const noText = new Set(['ids', 'users', 'fields', 'export', 'reason']);
const queryOf = (call: Call) =>
  call.query ? ((wireSchema(call.query)['properties'] ?? {}) as Record<string, Json>) : {};
/** Parameters that take any text: a search, or a filter by words or digits. */
const textual = (schema: Json) =>
  (schema['type'] === 'string' || schema['type'] === undefined) && !('enum' in schema) && !('format' in schema);
const asked = () =>
  mounted.flatMap(({ call }) =>
    call.method === 'GET' && !call.path.includes('{')
      ? Object.entries(queryOf(call)).flatMap(([name, schema]) =>
          !noText.has(name) && textual(schema) ? [{ path: call.path, name }] : [],
        )
      : [],
  );

async function heard(who: Client, path: string): Promise<string> {
  const { bytes } = await who.send(path);
  return (
    bytes
      .toString('utf8')
      .replace(/\?u=\d+&e=\d+&s=[\w-]+/g, '')
      .replace(/"trace_id":"[^"]*"/g, '')
      // Failed searches in papers, made by this test itself.
      .replace(/"by_miss":\[[^\]]*\]/g, '"by_miss":[]')
  );
}

test('no call distinguishes the digits of a hidden number from those of an unknown one', async () => {
  const told: string[] = [];
  let compared = 0;
  expect(hidden).toHaveLength(2);
  for (const [who, client] of Object.entries(readers))
    await each(asked(), async ({ path, name }, nth) => {
      const first = await heard(client, `${path}?${name}=${nobodys}`);
      const refused = (JSON.parse(first) as { code: number }).code;
      if (refused === codes.forbidden || refused === codes.signedOut) return;
      for (const [at, other] of turnOf([...partsOf(nobodys).entries()], nth, 3)) {
        const without = (await heard(client, `${path}?${name}=${other}`)).replaceAll(other, '#');
        for (const part of hidden.map((whole) => partsOf(whole)[at]!)) {
          const answer = await heard(client, `${path}?${name}=${part}`);
          compared += 1;
          // A caller who asks too often gets only that answer.
          const tooOften = [answer, without].some((said) => said.startsWith(`{"code":${codes.tooMany}`));
          if (!tooOften && answer.replaceAll(part, '#') !== without)
            told.push(`${who}: ${path}?${name}=${part} ${answer.slice(0, 300)}`);
        }
      }
    });
  expect(compared).toBeGreaterThan(500);
  expect(told).toEqual([]);
});

test('no list can be sorted by phone numbers', async () => {
  const orders = mounted.filter(({ call }) => 'order_by' in queryOf(call));
  expect(orders.length).toBeGreaterThan(20);
  const taken: string[] = [];
  await each(orders, async ({ call }) => {
    if (call.path.includes('{')) return;
    for (const by of ['phone', '-phone', 'mobile', '-mobile', 'phone_masked', 'mobile_tail']) {
      const answer = JSON.parse(await heard(app.admin, `${call.path}?order_by=${by}`)) as { code: number };
      if (answer.code === codes.ok) taken.push(`${call.path}?order_by=${by}`);
    }
  });
  expect(taken).toEqual([]);
});
