import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { ask, each, named, nowhere } from './testing/asking.ts';
import { openWalk, unlimited } from './testing/walk.ts';
import type { TestOffice } from './testing.ts';

vi.setConfig({ testTimeout: unlimited });

let app: TestOffice;
let mounted: readonly Mounted[];
beforeAll(async () => {
  ({ app, mounted } = await openWalk());
});
afterAll(() => app.close());

const queryOf = (call: Call) =>
  call.query ? ((wireSchema(call.query)['properties'] ?? {}) as Record<string, Json>) : {};

test('a date in the year 0000 is refused by every call that takes a date', async () => {
  const asked = mounted.flatMap(({ call }) =>
    Object.entries(queryOf(call)).flatMap(([name, schema]) =>
      call.method === 'GET' && JSON.stringify(schema).includes('"date"') ? [{ call, name }] : [],
    ),
  );
  expect(asked.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  await each(asked, async ({ call, name }) => {
    for (const day of ['0000-01-01', '0000-12-31']) {
      const { code } = await ask(app.admin, call, `${nowhere(call, 1)}?${name}=${day}`);
      if (code !== codes.invalid) wrong.push(`${call.path}?${name}=${day}: ${code}`);
    }
  });
  expect(wrong).toEqual([]);
  const day = await app.admin.fetch('/api/calendars/days/0000-01-01/', { method: 'DELETE' });
  expect(day.status).toBeLessThan(500);
});

const nested = (depth: number, [open, close]: [string, string]) => open.repeat(depth) + '1' + close.repeat(depth);

test('an excessively nested body is refused by every call at once, with a sentence', async () => {
  const wrong: string[] = [];
  const writes = mounted.filter(({ call }) => call.method !== 'GET' && call.body && !call.upload);
  expect(writes.length).toBeGreaterThan(100);
  await each(writes, async (one) => {
    for (const [depth, signs] of [
      [65, ['[', ']']],
      [100_000, ['[', ']']],
      [60_000, ['{"a":', '}']],
    ] as [number, [string, string]][]) {
      const { status, code } = await ask(app.admin, one.call, nowhere(one.call), nested(depth, signs));
      if (code === codes.fault || status >= 500) wrong.push(`${named(one)}: ${depth} ${code}`);
    }
  });
  expect(wrong).toEqual([]);
});

test('preferences are kept as deep as a page writes them, and refused beyond', async () => {
  const keep = async (depth: number) => {
    const body = `{"key":"views:stamp/list","value":${nested(depth, ['[', ']'])}}`;
    return JSON.parse((await ask(app.admin, accounts.keepPreference, accounts.keepPreference.path, body)).text) as {
      code: number;
      msg: string;
    };
  };
  expect((await keep(60)).code).toBe(0);
  for (const depth of [64, 3000, 20_000])
    expect(await keep(depth)).toMatchObject({ code: codes.invalid, msg: '提交的内容嵌套过深，最多 64 层' });
  // Brackets inside a text do not count as nesting.
  const text = JSON.stringify({ key: 'phrases', value: ['[{"\\'.repeat(500)] });
  expect((await ask(app.admin, accounts.keepPreference, accounts.keepPreference.path, text)).code).toBe(0);
});
