import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { files, type Progress } from './contract.ts';
import { attach, detach, purgePortions } from './service.ts';

let app: TestOffice;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

interface Sent<D> {
  code: number;
  msg: string;
  data: D;
}
interface Difference {
  fields: { field: string; before: unknown; after: unknown }[];
}
/** Bytes of any length that pass the checks. */
const zipOf = (length: number) => Buffer.from(zipSync({ 'a.bin': new Uint8Array(randomBytes(length)) }, { level: 0 }));

async function send<D>(client: Client, bytes: Buffer, size?: number): Promise<Sent<D>> {
  const form = new FormData();
  form.set('module', 'tickets');
  if (size !== undefined) form.set('size', String(size));
  form.set('file', new Blob([new Uint8Array(bytes)]), '资料.zip');
  return (await (await client.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as Sent<D>;
}
const begin = (client: Client, size: number) => send<Progress>(client, Buffer.alloc(0), size);
const whole = (client: Client) => send<{ id: number }>(client, zipOf(100));
async function append(client: Client, id: number, bytes: Buffer, offset = 0): Promise<Sent<Progress>> {
  const body = new Uint8Array(bytes);
  const headers = { 'content-type': 'application/octet-stream' };
  const path = `/api/file/upload/${id}/?offset=${offset}`;
  return (await (await client.fetch(path, { method: 'PATCH', headers, body })).json()) as Sent<Progress>;
}
const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));
const portionsOf = (id: number) => app.services.fileStore.store.list(`portion/${id}`);

/** Begins twenty uploads of the largest size, which leaves no room for another. */
async function full(): Promise<{ client: Client; ids: number[] }> {
  const client = await app.signIn(await app.person());
  const { rows } = await write(sql`insert into file_upload (uploader_id, module, name, size)
    select ${client.userId}, 'tickets', '资料.zip', ${50 * 2 ** 20} from generate_series(1, 20) returning id`);
  expect((await whole(client)).code).toBe(4029);
  return { client, ids: rows.map((row) => Number(row['id'])) };
}

test('a cancelled upload frees its quota at once, and its portions are removed', async () => {
  const { client, ids } = await full();
  const [first] = ids as [number];
  await append(client, first, randomBytes(1000));
  expect(await portionsOf(first)).toHaveLength(1);
  const other = await app.signIn(await app.person());
  expect((await other.ask(files.cancel, { params: { id: first } })).code).toBe(4004);
  await client.get(files.cancel, { params: { id: first } });
  expect((await client.ask(files.progress, { params: { id: first } })).code).toBe(4004);
  expect((await append(client, first, randomBytes(1000), 1000)).code).toBe(4004);
  expect((await whole(client)).code).toBe(0);
  while (await app.services.databases.write((tx) => purgePortions(tx, app.services.fileStore.store)));
  expect(await portionsOf(first)).toEqual([]);
});

test('a new upload without free slots ends the person’s own stalled uploads, and no others', async () => {
  const { client, ids } = await full();
  const strangers = await full();
  const [quiet, ...moving] = ids as [number, ...number[]];
  await write(sql`update file_upload set moved_at = now() - interval '11 minutes'
    where id in ${[quiet, ...strangers.ids]}`);
  expect((await whole(client)).code).toBe(0);
  expect((await client.ask(files.progress, { params: { id: quiet } })).code).toBe(4004);
  for (const [who, id] of [
    [client, moving[0]],
    [strangers.client, strangers.ids[0]],
  ] as const)
    expect((await who.ask(files.progress, { params: { id: id! } })).code).toBe(0);
});

test('an upload left for hours continues if nobody needed its slot', async () => {
  const client = await app.signIn(await app.person());
  const bytes = zipOf(2000);
  const { data } = await begin(client, bytes.length);
  await append(client, data.upload_id, bytes.subarray(0, 500));
  await write(sql`update file_upload set moved_at = now() - interval '5 hours',
    gmt_created = now() - interval '30 hours' where id = ${data.upload_id}`);
  expect((await whole(client)).code).toBe(0);
  expect((await append(client, data.upload_id, bytes.subarray(500), 500)).data.file).not.toBeNull();
});

test('an unwanted upload is discarded at once by its sender, but not once a record has it', async () => {
  const person = await app.signIn(await app.person());
  const other = await app.signIn(await app.person());
  const [mine, kept] = [(await whole(person)).data.id, (await whole(person)).data.id];
  await app.services.databases.write((tx) =>
    attach(tx, { fileId: kept, module: 'tickets', recordId: 1, user: { id: person.userId } }),
  );
  const discard = (who: Client, id: number) => who.ask(files.discard, { params: { id } });
  expect((await discard(other, mine)).code).toBe(4004);
  expect((await discard(person, kept)).msg).toMatch(/^“.+”已经由一条记录使用，请在使用它的记录里移除$/);
  expect((await discard(person, mine)).code).toBe(0);
  const { rows } = await app.db.execute(sql`select id from file where id in ${[mine, kept]}`);
  expect(rows).toEqual([{ id: kept }]);
});

test('a discarded file that came in portions takes no quota, and its upload is over', async () => {
  const client = await app.signIn(await app.person());
  const arrive = async () => {
    const bytes = zipOf(2000);
    const { upload_id: id } = (await begin(client, bytes.length)).data;
    await append(client, id, bytes.subarray(0, 500));
    const { file } = (await append(client, id, bytes.subarray(500), 500)).data;
    return { id, fileId: file!.id };
  };
  const [discarded, dropped] = [await arrive(), await arrive()];
  await client.get(files.discard, { params: { id: discarded.fileId } });
  const record = { fileId: dropped.fileId, module: 'tickets', recordId: 2 };
  await app.services.databases.write(async (tx) => {
    await attach(tx, { ...record, user: { id: client.userId } });
    await detach(tx, record);
  });
  await write(sql`insert into file_upload (uploader_id, module, name, size)
    select ${client.userId}, 'tickets', '资料.zip', 10 from generate_series(1, 99)`);
  expect((await whole(client)).msg).toBe('已上传');
  while (await app.services.databases.write((tx) => purgePortions(tx, app.services.fileStore.store)));
  for (const { id } of [discarded, dropped]) {
    expect((await client.ask(files.progress, { params: { id } })).code).toBe(4004);
    expect(await portionsOf(id)).toEqual([]);
  }
});

test('the operation log identifies uploads by number, type, size and purpose, not by name', async () => {
  const person = await app.signIn(await app.person());
  const [begun, sent] = [(await begin(person, 3000)).data.upload_id, (await whole(person)).data.id];
  await person.get(files.cancel, { params: { id: begun } });
  await person.get(files.discard, { params: { id: sent } });
  const { rows } = await app.db.execute<{ object_id: string; title: string; diff: Difference[] }>(
    sql`select object_id, title, diff from log where module = 'files' and user_id = ${person.userId} order by id`,
  );
  const told = rows.map(({ diff: [one] }) =>
    Object.fromEntries(one!.fields.map((at) => [at.field, at.after ?? at.before])),
  );
  const size = zipOf(100).length;
  const portions = { 上传编号: begun, 类型: 'zip', 大小: 3000, 用途: 'tickets' };
  const file = { 类型: 'zip', 大小: size, 用途: 'tickets' };
  expect(told).toEqual([portions, file, portions, file]);
  expect(rows.map((row) => row.object_id)).toEqual(['', String(sent), '', String(sent)]);
  expect(JSON.stringify(rows)).not.toContain('资料');
});
