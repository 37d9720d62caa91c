import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { alumnusTable } from '#modules/platform/alumni/tables.ts';
import { logTable, refusalTable } from '#modules/platform/audit/tables.ts';
import { fileTable, uploadTable } from '#modules/platform/files/tables.ts';
import { tokens } from './contract.ts';
import { sendSigned, type Sending } from './testing/signed.ts';

let running: TestOffice;
let owner: Client;
let app: { app: string; key: string };
beforeAll(async () => {
  running = await openTestApp();
  owner = await running.clerk({ 'system/app_token': ['Create', 'Retrieve'], 'alumnus/list': ['Create', 'Retrieve'] });
  const apis = ['POST /api/file/upload/', 'GET /api/file/upload/{id}/', 'POST /api/alumnus/import/'];
  const made = await owner.get(tokens.add, { body: { app_name: '附件对接', apis } });
  app = { app: String(made.id), key: made.key };
});
afterAll(() => running.close());

let moments = Date.now() - 60_000;
const send = (body: FormData, more: Sending = {}) =>
  sendSigned(running.url, app, { method: 'POST', url: '/api/file/upload/', body, time: ++moments, ...more });

const words = '会议纪要：第一项，讨论经费。\n'.repeat(20_000);
function attachment(fields: Record<string, string> = {}, text = words): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ module: 'tickets', ...fields })) form.append(name, value);
  form.append('file', new Blob([text]), '纪要.txt');
  return form;
}
async function sheet(): Promise<FormData> {
  const columns = ['姓名*', '学号'].map((title, i) => ({
    title,
    kind: 'text' as const,
    value: (line: string[]) => line[i] ?? '',
  }));
  const bytes = await buffer(writeSheet({ title: '校友', columns, rows: [['李若兰', '2014001']] }));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), '校友.xlsx');
  return form;
}
const kept = async () => ({
  files: (await running.db.select({ id: fileTable.id }).from(fileTable)).length,
  uploads: (await running.db.select({ id: uploadTable.id }).from(uploadTable)).length,
  alumni: (await running.db.select({ id: alumnusTable.id }).from(alumnusTable)).length,
});
/** Replaces a text in the bytes by another of the same length. */
const put = (text: string, instead: string) => (bytes: Buffer) => {
  const at = bytes.indexOf(text);
  expect([at > 0, Buffer.byteLength(instead)]).toEqual([true, Buffer.byteLength(text)]);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(instead), bytes.subarray(at + Buffer.byteLength(text))]);
};

test('an application sends a file, and a sheet, whose bytes it has signed', async () => {
  const sent = await send(attachment());
  expect(sent).toMatchObject({ code: 0, data: { name: '纪要.txt', size: Buffer.byteLength(words) } });
  const [row] = await running.db.select().from(fileTable).where(eq(fileTable.uploader_id, owner.userId));
  expect(row?.sha256).toBe(createHash('sha256').update(words).digest('hex'));
  const imported = await send(await sheet(), { url: '/api/alumnus/import/' });
  expect(imported).toMatchObject({ code: 0, data: { imported: 1 } });
});

test('an upload that differs from its signature is refused, logged, and not stored', async () => {
  const before = await kept();
  const url = '/api/alumnus/import/';
  const refused = [
    await send(attachment(), { instead: { alter: put('经费', '人员') } }),
    // In a field beside the file, and in the file's name.
    await send(attachment(), { instead: { alter: put('tickets', 'folders') } }),
    await send(attachment(), { instead: { alter: put('纪要.txt', '纪录.txt') } }),
    // The file itself is not read, only its fields.
    await send(attachment({ size: '1000000' }), { instead: { alter: put('1000000', '1000001') } }),
    await send(attachment({ size: '1000000' }, ''), { instead: { alter: put('1000000', '1000001') } }),
    await send(await sheet(), { url, instead: { alter: put('校友.xlsx', '同学.xlsx') } }),
    // After the end of the form, where no parser looks.
    await send(await sheet(), { url, instead: { alter: (bytes) => Buffer.concat([bytes, Buffer.from('more')]) } }),
  ];
  expect(refused.map((answer) => answer.code)).toEqual(refused.map(() => 401));
  expect(await kept()).toEqual(before);
  const rows = await running.db.select().from(logTable).where(eq(logTable.result, 401));
  // The first of each call; the others are counted.
  const told = rows.filter((row) => row.user_id === owner.userId);
  expect(told).toHaveLength(2);
  const counted = await running.db.select().from(refusalTable).where(eq(refusalTable.result, 401));
  expect(told.length + counted.reduce((sum, row) => sum + row.more, 0)).toBe(refused.length);
});

test('an upload form without the hash of its bytes, or with unsigned fields, is refused', async () => {
  const before = await kept();
  const none = createHash('sha256').update('').digest('hex');
  const hashes = [null, none, 'A'.repeat(64), 'x'];
  for (const hash of hashes) {
    expect((await send(attachment({}, '短'), { instead: { hash } })).code).toBe(401);
    expect((await send(await sheet(), { url: '/api/alumnus/import/', instead: { hash } })).code).toBe(401);
  }
  expect(await kept()).toEqual(before);
});

test('calls that take raw bytes are not offered to applications', async () => {
  const offered = (await owner.get(tokens.grantableApis)).map(({ api }) => api);
  expect(offered).toContain('POST /api/file/upload/');
  expect(offered).not.toContain('PATCH /api/file/upload/{id}/');
});
