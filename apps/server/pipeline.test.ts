import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { databaseFault, savepoint, sendAlong } from '#kernel/server/db/db.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { openProbe, probeSecret, safeJson, type Probe } from './testing/probe.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const ask: Probe['ask'] = (...asked) => probe.ask(...asked);

describe('the order of checks in a call', () => {
  test('answers a stranger with 401 in a 200 before anything they sent is looked at', async () => {
    expect(await ask(null, 'POST', '/api/probe/', { word: '太长太长太长' })).toMatchObject({ status: 200, code: 401 });
  });
  test('refuses a user without the permission before anything they sent is looked at, and logs it', async () => {
    probe.remembered.length = 0;
    expect(await ask('reader', 'POST', '/api/probe/', { word: '太长太长太长' })).toMatchObject({
      status: 200,
      code: 4003,
      msg: '没有“新增样例”的权限，请联系管理员开通',
    });
    expect(probe.remembered).toMatchObject([{ action: '新增样例', result: 4003 }]);
  });
  test('lets a one-time password open only the calls meant for it', async () => {
    expect((await ask('fresh', 'GET', '/api/probe/1/mark/')).code).toBe(4003);
    expect((await ask('fresh', 'GET', '/api/probe/open/')).data).toEqual({ who: 'p4' });
  });
  test('names an unfit field by its title, without logging its value', async () => {
    const answer = await ask('holder', 'POST', '/api/probe/', { word: '一二三四五六' });
    expect(answer).toMatchObject({ status: 200, code: 4000, msg: '词：最多 5 个字' });
    expect(answer.data.errors).toEqual([{ field: 'word', label: '词', msg: '最多 5 个字' }]);
  });
  test('tells a signed-in user of an unknown query parameter, and ignores it from outside', async () => {
    const asked = await ask('plain', 'GET', '/api/probe/7/mark/?act_state=3');
    expect([asked.status, asked.code, asked.msg]).toEqual([200, 4000, '“act_state”：没有这一项，请删去或改正后再提交']);
    expect((await ask(null, 'GET', '/api/probe/open/?from=singlemessage')).data).toEqual({ who: 'nobody' });
  });
  test('refuses half a character with its field, in any place', async () => {
    const half = '\u{d83d}';
    const answers = [
      await ask('holder', 'POST', '/api/probe/', { word: `半${half}` }),
      await ask('holder', 'POST', '/api/probe/', { word: `${'\udc00'}反` }),
    ];
    for (const { status, code, data } of answers) {
      expect([status, code]).toEqual([200, 4000]);
      expect(data.errors).toEqual([{ field: 'word', label: '词', msg: '含有不完整的字符，请删去或重新输入' }]);
    }
    expect((await ask('holder', 'POST', '/api/probe/', { word: '整😀' })).code).toBe(0);
  });
  test('accepts paths with and without the trailing slash, and ids of digits only', async () => {
    expect((await ask('plain', 'GET', '/api/probe/7/mark')).data).toEqual({ id: 7 });
    expect((await ask('plain', 'GET', '/api/probe/seven/mark/')).status).toBe(404);
    expect((await ask('plain', 'GET', '/api/probe/99999999999/mark/')).code).toBe(4004);
  });
});

describe('a write answered as done', () => {
  test('is remembered by the node with person and action, unless it was refused or repeated', async () => {
    const before = probe.acknowledged.all().length;
    const key = { 'idempotency-key': randomUUID() };
    await ask('holder', 'POST', '/api/probe/', { word: '答' }, key);
    await ask('holder', 'POST', '/api/probe/', { word: '答' }, key);
    await ask('holder', 'POST', '/api/probe/', { word: '拒', mode: 'refuse' });
    const [one, ...more] = probe.acknowledged.all().slice(before);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ who: expect.any(String), path: '/api/probe/' });
    expect(one!.what).toContain('新增样例');
    expect(one!.traceId).not.toBe('');
  });
});

describe('a transaction', () => {
  test('is rolled back by a refusal, while counted attempts stay', async () => {
    expect(await ask('holder', 'POST', '/api/probe/', { word: '满', mode: 'refuse' })).toMatchObject({
      code: -1,
      msg: '“满”已满',
    });
    expect(await probe.count('满')).toBe(0);
    expect((await probe.attempts.look({ kind: 'probe', limit: 99, seconds: 60 }, '满')).count).toBe(1);
  });
  test('that hits a bug answers 500 with a number for the administrator and nothing internal', async () => {
    const answer = await ask('holder', 'POST', '/api/probe/', { word: '坏', mode: 'break' });
    expect(answer).toMatchObject({ status: 500, code: 5000 });
    expect(answer.data.trace_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.msg).not.toContain('internal');
    expect(await probe.count('坏')).toBe(0);
  });
  test('cannot write in a reading call', async () => {
    expect((await ask('plain', 'GET', '/api/probe/sneak/')).code).not.toBe(0);
    expect(await probe.count('sneaked')).toBe(0);
  });
  test('that violates an unnamed unique constraint still answers with a sentence', async () => {
    await ask('holder', 'POST', '/api/probe/', { word: '同' });
    expect(await ask('holder', 'POST', '/api/probe/', { word: '同' })).toMatchObject({ status: 200, code: 4009 });
  });
  test('holds no connection during the steps before it', async () => {
    expect((await ask('plain', 'POST', '/api/probe/slow/')).data).toEqual({ held: 0 });
  });
  test('fails if a statement sent along in it fails, and nothing of it stays', async () => {
    const { databases } = probe;
    const put = (key: string) =>
      sql`insert into sequence (scope, key, period, last_no) values ('along', ${key}, '', 1)`;
    const bad = sql`insert into sequence (scope, key, period, last_no) values ('along', null, '', 1)`;
    const kept = async () =>
      (await databases.fresh.execute<{ key: string }>(sql`select key from sequence where scope = 'along' order by key`))
        .rows;
    const atTheEnd = databases.write(async (tx) => {
      await sendAlong(tx, tx.execute(put('a')));
      await sendAlong(tx, tx.execute(bad));
    });
    await expect(atTheEnd).rejects.toSatisfy((error) => databaseFault(error)?.code === '23502');
    const before = databases.write(async (tx) => {
      await sendAlong(tx, tx.execute(bad));
      await tx.execute(put('b'));
    });
    await expect(before).rejects.toSatisfy((error) => databaseFault(error)?.code === '23502');
    expect(await kept()).toEqual([]);
    const heard = await databases.write(async (tx) => {
      await sendAlong(tx, tx.execute(put('c')));
      const inside = await savepoint(tx, () => sendAlong(tx, tx.execute(bad))).catch((error: unknown) => error);
      await sendAlong(tx, tx.execute(put('d')));
      return databaseFault(inside)?.code;
    });
    expect(heard).toBe('23502');
    expect(await kept()).toEqual([{ key: 'c' }, { key: 'd' }]);
  });
  test('never returns a column that the reply does not name', async () => {
    const answer = await ask('reader', 'GET', '/api/probe/');
    expect(JSON.stringify(answer.data)).not.toContain('secret');
    expect(answer.data).toMatchObject({ page: 1, per_page: 10 });
  });
});

describe('an idempotency key', () => {
  test('sent eight times at once makes one record and one answer', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask('holder', 'POST', '/api/probe/', { word: '一次' }, { 'idempotency-key': key }),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify([answer.code, answer.data]))).size).toBe(1);
    expect(answers[0]?.code).toBe(0);
    expect(await probe.count('一次')).toBe(1);
  });
  test('of a refused attempt can be used again once the cause is fixed', async () => {
    const key = randomUUID();
    const send = (mode: string) =>
      ask('holder', 'POST', '/api/probe/', { word: '再试', mode }, { 'idempotency-key': key });
    expect((await send('refuse')).code).toBe(-1);
    expect((await send('keep')).code).toBe(0);
    expect(await send('refuse')).toMatchObject({ code: -1, data: { sent_before: true } });
  });
  test('is stored with nothing of the request that could be guessed without the secret', async () => {
    const key = randomUUID();
    await ask('holder', 'POST', '/api/probe/', { word: '密语' }, { 'idempotency-key': key });
    const { rows } = await probe.databases.pool.query('select fingerprint from idempotency_record where key = $1', [
      key,
    ]);
    const sent = JSON.stringify([null, null, { word: '密语', mode: 'keep' }]);
    expect(rows[0].fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[0].fingerprint).not.toBe(createHash('sha256').update(sent).digest('hex'));
    expect(rows[0].fingerprint).toBe(createSecretBox(probeSecret).keyedHash(sent));
  });
  test.each([
    ['quoted, as the draft of the IETF writes it', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
    ['with signs in it', 'order.2026/11:22+a~b'],
    ['of one character', '7'],
    ['of 255 characters', 'k'.repeat(255)],
  ])('%s is honoured', async (_name, key) => {
    const word = key.replaceAll('"', '').slice(-5);
    const send = (headers: Record<string, string>) => ask('keeper', 'POST', '/api/probe/', { word }, headers);
    const [first, again] = [await send({ 'idempotency-key': key }), await send({ 'idempotency-key': key })];
    expect([first.code, again.code, again.data]).toEqual([0, 0, first.data]);
    expect(await probe.count(word)).toBe(1);
    const bare = key.startsWith('"') ? key.slice(1, -1) : `"${key}"`;
    expect((await send({ 'idempotency-key': bare })).data, 'quoted or not, it is the same key').toEqual(first.data);
  });
  test.each([
    ['an empty one', ''],
    ['an empty one in quotes', '""'],
    ['one that is too long', 'k'.repeat(256)],
    ['one with spaces', 'two words'],
    ['one with a quote that is not closed', '"open'],
    ['one with a parameter behind it', '"one";of=two'],
    ['one that is not ASCII', Buffer.from('编号').toString('latin1')],
  ])('that is invalid, %s, is refused with a sentence and nothing is written', async (_name, key) => {
    const answer = await ask('keeper', 'POST', '/api/probe/', { word: '不写' }, { 'idempotency-key': key });
    expect([answer.code, answer.data?.errors]).toEqual([
      4000,
      [{ field: 'Idempotency-Key', label: '提交编号', msg: '请用 1–255 个字母、数字或半角符号，不含空格' }],
    ]);
    expect(await probe.count('不写')).toBe(0);
  });
  test('of a reading call that writes is not kept', async () => {
    const key = randomUUID();
    expect((await ask('plain', 'GET', '/api/probe/7/mark/', undefined, { 'idempotency-key': key })).code).toBe(0);
    const { rows } = await probe.databases.pool.query('select 1 from idempotency_record where key = $1', [key]);
    expect(rows).toEqual([]);
  });
});

describe('an export', () => {
  test('needs its own permission on the page', async () => {
    expect((await ask('reader', 'GET', '/api/probe/?export=xlsx')).code).toBe(4003);
  });
  test('of a call without one is refused instead of ignored', async () => {
    const answer = await ask('plain', 'GET', '/api/probe/7/mark/?export=xlsx');
    expect([answer.code, answer.msg]).toEqual([-1, expect.stringMatching(/^“.+”不能导出/)]);
  });
  test('is a sheet of all rows, announced with their number and logged', async () => {
    probe.remembered.length = 0;
    const answer = await ask('holder', 'GET', '/api/probe/?export=xlsx');
    expect(answer.headers['content-type']).toContain('spreadsheetml');
    expect(Number(answer.headers['x-export-rows'])).toBeGreaterThan(0);
    expect(answer.raw.subarray(0, 2).toString()).toBe('PK');
    expect(probe.remembered).toMatchObject([{ changes: [{ type: '导出' }] }]);
  });
  test('of more rows than a list counts is announced and logged with their exact number', async () => {
    const { pool } = probe.databases;
    await pool.query(`insert into probe (word) select 'many ' || n from generate_series(1, 10001) n`);
    const rows = Number((await pool.query('select count(*) from probe')).rows[0].count);
    probe.remembered.length = 0;
    const answer = await ask('holder', 'GET', '/api/probe/?export=xlsx');
    expect(Number(answer.headers['x-export-rows'])).toBe(rows);
    expect(probe.remembered).toMatchObject([{ changes: [{ title: `样例 ${rows} 行` }] }]);
    expect((await ask('reader', 'GET', '/api/probe/')).data).toMatchObject({ total: 1000, total_capped: true });
    await pool.query(`insert into probe (word) select 'more ' || n from generate_series(1, 90000) n`);
    expect((await ask('holder', 'GET', '/api/probe/?export=xlsx')).msg).toContain('超过 100000 条');
    await pool.query(`delete from probe where word like 'many %' or word like 'more %'`);
  });
  test('contains masked mobile numbers only', async () => {
    await probe.databases.pool.query(`insert into probe (word) values ('联系 +86 138-1234-5678 或 13987654321')`);
    const cells = JSON.stringify(await readSheet((await ask('holder', 'GET', '/api/probe/?export=xlsx')).raw));
    expect(cells).toContain('联系 +86 138****5678 或 139****4321');
  });
});

describe('a request', () => {
  test('from another site does not trigger a GET that writes', async () => {
    expect((await ask('plain', 'GET', '/api/probe/7/mark/', undefined, { 'sec-fetch-site': 'cross-site' })).code).toBe(
      4003,
    );
    expect((await ask('plain', 'GET', '/api/probe/7/mark/', undefined, { 'sec-fetch-site': 'same-origin' })).code).toBe(
      0,
    );
  });
  test('with a broken or poisoned body is refused with a sentence and without a fault', async () => {
    for (const payload of ['{', '{"__proto__":{"x":1},"word":"毒"}', '[]', '"x"', 'null']) {
      const response = await probe.app.server.inject({
        method: 'POST',
        url: '/api/probe/',
        payload,
        headers: { authorization: 'JWT holder', 'content-type': 'application/json' },
      });
      expect([response.statusCode, safeJson(response.body).code]).toEqual([200, 4000]);
    }
  });
  test('over a megabyte answers 413 in the envelope', async () => {
    expect(await ask('holder', 'POST', '/api/probe/', { word: 'x'.repeat(1_100_000) })).toMatchObject({
      status: 413,
      code: 413,
    });
  });
  test('gets security headers on every kind of answer', async () => {
    for (const url of ['/api/probe/', '/api/none/', '/elsewhere']) {
      const { headers } = await ask('holder', 'GET', url);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      if (url.startsWith('/api')) expect(headers['cache-control']).toBe('no-store');
    }
  });
});

test('a call that finds no free connection is told that the system is busy and when to return, and is no fault', async () => {
  const small = await openProbe({ size: 1, patience: 200 });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const held1 = [small.databases.write(() => held), small.databases.snapshot(() => held)];
  try {
    for (const answer of [
      await small.ask('holder', 'POST', '/api/probe/', { word: '忙' }),
      await small.ask('holder', 'GET', '/api/probe/'),
    ]) {
      expect(answer).toMatchObject({ status: 503, code: 503, msg: '系统繁忙，请稍后再试', data: null });
      expect(answer.headers['retry-after']).toBe('5');
    }
  } finally {
    letGo();
    await Promise.all(held1);
  }
  expect((await small.ask('holder', 'POST', '/api/probe/', { word: '忙' })).code).toBe(0);
  await small.close();
});

test('numbers taken by fifty simultaneous requests are unique and without a gap', async () => {
  const taken = await Promise.all(
    Array.from({ length: 50 }, () => probe.databases.write((tx) => nextNumber(tx, 'test', 'k', '2026'))),
  );
  expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});
