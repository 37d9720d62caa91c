import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { z } from 'zod';
import { rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';
import { loginRules } from './contract/login.ts';
import { siteRules } from './contract/site.ts';
import { readRules, saveRules } from '#kernel/server/rules/rules.ts';

const shed = rules({
  key: 'shed',
  title: '库房规则',
  shape: {
    days: z
      .int()
      .min(1)
      .max(30)
      .meta(field('借用天数', { help: '超过须续借' })),
    names: z.array(z.string()).meta(field('保管人')),
    inner: z.boolean(),
  },
  defaults: { days: 7, names: [], inner: false },
});

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const changes: Change[] = [];
const save = (asked: object, saving = {}) =>
  app.services.databases.write((tx) =>
    saveRules(tx, shed, asked as Record<string, unknown>, (change) => void changes.push(change), saving),
  );
const read = () => app.services.databases.write((tx) => readRules(tx, shed));

test('an unset rule has its default, an unsent one is kept, and the log names both by title', async () => {
  expect(await read()).toEqual({ value: { days: 7, names: [], inner: false }, version: 0 });
  await save({ names: ['张三'], version: 0 });
  await save({ days: 9, version: 1 });
  expect(await read()).toEqual({ value: { days: 9, names: ['张三'], inner: false }, version: 2 });
  expect(changes.at(-1)).toMatchObject({
    id: 'shed',
    title: '库房规则',
    before: { 借用天数: 7, 保管人: ['张三'] },
    after: { 借用天数: 9, 保管人: ['张三'] },
  });
  expect(Object.keys(changes.at(-1)!.after!)).not.toContain('inner');
});

test('a stale change of rules is refused with the present values, and nothing of it is stored', async () => {
  await expect(save({ days: 20, version: 0 })).rejects.toMatchObject({
    code: 4011,
    message: '库房规则刚被他人修改，请核对最新内容后再提交',
    data: { current: { days: 9, version: 2 } },
  });
  expect((await read()).value.days).toBe(9);
});

test('of many simultaneous changes of rules none is lost', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => save(at % 2 ? { days: 10 + at } : { names: [`${at}`] })));
  const { value, version } = await read();
  expect([value.days > 9, value.names.length, version]).toEqual([true, 1, 22]);
});

test('rules are stored as the module normalises them, and a module’s refusal changes nothing', async () => {
  await save({ days: 30 }, { settle: (after: { days: number }) => ({ ...after, days: 14 }) });
  expect((await read()).value.days).toBe(14);
  const refuse = () => {
    throw new Error('no');
  };
  await expect(save({ days: 3 }, { settle: refuse })).rejects.toThrow('no');
  expect((await read()).value.days).toBe(14);
});

test('every node is notified of changed rules', async () => {
  expect((await app.services.settings.of(shed)).days).toBe(14);
  await save({ days: 21 });
  await eventually(async () => expect((await app.services.settings.of(shed)).days).toBe(21));
  await app.services.databases.write((tx) => tx.delete(settingTable).where(eq(settingTable.key, 'shed')));
  await app.services.databases.write((tx) => tx.execute(sql`select pg_notify('settings', 'shed')`));
});

test('the defaults of all settings pass their own checks', async () => {
  for (const { shape, defaults } of [siteRules, loginRules, smsRules])
    expect(z.object(shape).parse(defaults)).toEqual(defaults);
});
