import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { startS3 } from '#kernel/server/testing/s3-server.ts';
import { zipSync } from 'fflate';
import { files, type Progress } from './contract.ts';
import { keyOf } from './store/content.ts';
import { purgePortions, sweepContents, verifyFiles } from './service.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.stop());

interface Sent<D> {
  code: number;
  msg: string;
  data: D;
}
type Card = NonNullable<Progress['file']>;

/** A zip with one uncompressed entry: bytes of any length that pass the checks. */
const zipOf = (length: number) => Buffer.from(zipSync({ 'a.bin': new Uint8Array(randomBytes(length)) }, { level: 0 }));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each(['local', 's3'])('uploads in the %s store', (kind) => {
  let app: TestOffice;
  let owner: Client;
  beforeAll(async () => {
    app = await openTestApp({ files: kind === 's3' ? { s3: s3.place } : {} });
    owner = await app.signIn(await app.person());
  });
  afterAll(() => app.close());

  async function whole(bytes: Buffer, name = '资料.zip', client = owner): Promise<Sent<Card>> {
    const form = new FormData();
    form.set('module', 'tickets');
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    return (await (await client.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as Sent<Card>;
  }
  async function begin(size: number, name = '资料.zip', client = owner): Promise<Sent<Progress>> {
    const form = new FormData();
    form.set('module', 'tickets');
    form.set('size', String(size));
    form.set('file', new Blob([]), name);
    return (await (await client.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as Sent<Progress>;
  }
  async function append(id: number, offset: number, bytes: Buffer, client = owner): Promise<Sent<Progress>> {
    const response = await client.fetch(`/api/file/upload/${id}/?offset=${offset}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    });
    return (await response.json()) as Sent<Progress>;
  }
  const far = (id: number) => owner.get(files.progress, { params: { id } });
  const saved = async (id: number, client = owner) => {
    const response = await client.fetch(`/api/file/${id}/`);
    return response.headers.get('content-type') === 'application/zip'
      ? Buffer.from(await response.arrayBuffer())
      : null;
  };
  const rowsOf = async (table: string) =>
    (await app.db.execute<{ n: number }>(sql`select count(*)::int n from ${sql.identifier(table)}`)).rows[0]!.n;
  const write: Databases['write'] = (work) => app.services.databases.write(work);
  const comeSoFar = async () => {
    const folder = join(app.folder, 'incoming');
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    return Math.max(0, ...sizes);
  };
  const sweep = async () => {
    while (await write((tx) => sweepContents(tx, app.services.fileStore.store)));
  };
  /** Hours after the last upload the first sweep marks unused contents, and a day passes. */
  const aDayLater = async () => {
    await write((tx) => tx.execute(sql`update file_content set touched_at = now() - interval '2 hours'`));
    await sweep();
    await write((tx) =>
      tx.execute(sql`update file_content set left_at = now() - interval '25 hours'
      where left_at is not null`),
    );
  };
  const stored = async () => (await app.services.fileStore.store.list('content')).length;

  test('are limited in the number of tiny portions, with more allowed for a large file', async () => {
    const { data } = await begin(5000);
    const crumbs = JSON.stringify(Array.from({ length: 1000 }, (_, at) => `portion/${data.upload_id}/${at}-x`));
    const asOf = (size: number) =>
      write((tx) =>
        tx.execute(sql`update file_upload set come = 1000, portions = ${crumbs}::jsonb, size = ${size}
          where id = ${data.upload_id}`),
      );
    await asOf(5000);
    expect((await append(data.upload_id, 1000, Buffer.from('a'))).msg).toBe('上传已分成 1000 段，请重新上传');
    await asOf(200 * 2 ** 20);
    expect((await append(data.upload_id, 1000, Buffer.from('a'))).code).toBe(0);
    await owner.get(files.cancel, { params: { id: data.upload_id } });
  });

  test('in portions of any length give the file that was sent', async () => {
    const bytes = zipOf(700_000);
    const { data } = await begin(bytes.length);
    let at = 0;
    while (at < bytes.length) {
      const length = randomInt(1, 250_000);
      const answer = await append(data.upload_id, at, bytes.subarray(at, at + length));
      expect(answer.code).toBe(0);
      at = Math.min(bytes.length, at + length);
      expect(answer.data.offset).toBe(at);
      expect(await far(data.upload_id)).toMatchObject({ offset: at, size: bytes.length });
    }
    const { file } = await far(data.upload_id);
    expect(file).toMatchObject({ name: '资料.zip', size: bytes.length, sha256: sha256(bytes) });
    expect((await saved(file!.id))!.equals(bytes)).toBe(true);
  });

  test('continue after an interruption from what was already received', async () => {
    const bytes = zipOf(400_000);
    const { data } = await begin(bytes.length);
    const path = `/api/file/upload/${data.upload_id}/?offset=0`;
    const headers = {
      authorization: `JWT ${owner.token}`,
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    };
    const cut = request(app.url + path, { method: 'PATCH', headers }).on('error', () => undefined);
    cut.write(bytes.subarray(0, 150_000));
    await eventually(async () => expect(await comeSoFar()).toBeGreaterThan(0));
    cut.destroy();
    await eventually(async () => expect((await far(data.upload_id)).offset).toBeGreaterThan(0));
    const { offset } = await far(data.upload_id);
    expect(offset).toBeLessThanOrEqual(150_000);
    const answer = await append(data.upload_id, offset, bytes.subarray(offset));
    expect(answer.data.file?.sha256).toBe(sha256(bytes));
  });

  test('appended to at one offset by several clients accept one, tell the others the position and drop their data', async () => {
    const bytes = zipOf(90_000);
    const { data } = await begin(bytes.length);
    for (const [from, to] of [
      [0, 50_000],
      [50_000, bytes.length],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => append(data.upload_id, from, bytes.subarray(from, to))),
      );
      expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
      for (const lost of answers.filter((one) => one.code !== 0))
        expect(lost).toMatchObject({ code: 4009, data: { offset: to } });
      const kept = await app.services.fileStore.store.list(`portion/${data.upload_id}`);
      expect(kept.length).toBeLessThanOrEqual(1);
    }
    expect((await far(data.upload_id)).file?.sha256).toBe(sha256(bytes));
  });

  test('belong to their sender, and refuse a wrong offset and more than the announced size', async () => {
    const bytes = zipOf(1000);
    const { data } = await begin(bytes.length);
    const other = await app.signIn(await app.person());
    expect((await append(data.upload_id, 0, bytes, other)).code).toBe(4004);
    expect((await other.ask(files.progress, { params: { id: data.upload_id } })).code).toBe(4004);
    expect(await append(data.upload_id, 10, bytes)).toMatchObject({ code: 4009, data: { offset: 0 } });
    expect((await append(data.upload_id, 0, Buffer.concat([bytes, bytes]))).msg).toContain('超出所报');
    expect((await append(data.upload_id, 0, Buffer.alloc(0))).code).toBe(-1);
    const json = await owner.fetch(`/api/file/upload/${data.upload_id}/?offset=0`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(((await json.json()) as Sent<null>).code).toBe(4000);
    expect((await append(data.upload_id, 0, bytes)).data.file).not.toBeNull();
  });

  test('pass as a whole the checks of a file sent at once, and end when those refuse', async () => {
    const { data } = await begin(2000, 'a.pdf');
    await append(data.upload_id, 0, randomBytes(1000));
    expect((await append(data.upload_id, 1000, randomBytes(1000))).msg).toContain('内容与扩展名不符');
    expect((await owner.ask(files.progress, { params: { id: data.upload_id } })).code).toBe(4004);
    expect((await begin(2000, 'a.exe')).msg).toContain('不能上传');
    expect((await begin(51 * 2 ** 20)).msg).toContain('文件超过 50 MB');
  });

  test('store equal content once, and remove it a day after the last file that has it', async () => {
    const bytes = zipOf(5000);
    const before = await stored();
    const sent = await Promise.all(['甲.zip', '乙.zip', '丙.zip'].map((name) => whole(bytes, name)));
    expect(sent.map((one) => one.code)).toEqual([0, 0, 0]);
    expect(await stored()).toBe(before + 1);
    const drop = (ids: number[]) => write((tx) => tx.execute(sql`delete from file where id in ${ids}`));
    const [first, ...others] = sent.map((one) => one.data.id);
    await drop(others);
    await aDayLater();
    await sweep();
    expect((await saved(first!))!.equals(bytes)).toBe(true);
    await drop([first!]);
    await aDayLater();
    // A backup of the files that began after that of the database may not have copied it yet.
    expect(await stored()).toBe(before + 1);
    await sweep();
    expect(await stored()).toBe(before);
    const again = await whole(bytes);
    expect((await saved(again.data.id))!.equals(bytes)).toBe(true);
  });

  test('of content that is just being removed lose nothing', async () => {
    const bytes = zipOf(3000);
    for (let round = 0; round < 5; round++) {
      const { data } = await whole(bytes);
      await write((tx) => tx.execute(sql`delete from file where id = ${data.id}`));
      await aDayLater();
      const [, again] = await Promise.all([sweep(), whole(bytes)]);
      expect(again.code).toBe(0);
      await sweep();
      expect((await saved(again.data.id))!.equals(bytes)).toBe(true);
      await write((tx) => tx.execute(sql`delete from file where id = ${again.data.id}`));
    }
  });

  test('are verified, and content that is lost or changed in the store is reported', async () => {
    const { store } = app.services.fileStore;
    const verify = () => verifyFiles(app.db, store);
    const [lost, changed] = [(await whole(zipOf(900))).data.sha256, (await whole(zipOf(901))).data.sha256];
    expect((await verify()).broken).toEqual([]);
    await store.remove(keyOf(lost));
    await store.put(keyOf(changed), Readable.from([Buffer.from('others')]));
    expect((await verify()).broken).toEqual([lost, changed].toSorted());
    await write((tx) => tx.execute(sql`delete from file where sha256 in ${[lost, changed]}`));
  });

  test('remove their portions when the file is complete or a day has passed', async () => {
    const bytes = zipOf(4000);
    const [done, left] = [(await begin(bytes.length)).data, (await begin(bytes.length)).data];
    await append(done.upload_id, 0, bytes.subarray(0, 2000));
    await append(done.upload_id, 2000, bytes.subarray(2000));
    await append(left.upload_id, 0, bytes.subarray(0, 2000));
    const purge = async () => {
      while (await write((tx) => purgePortions(tx, app.services.fileStore.store)));
      return app.services.fileStore.store.list('portion');
    };
    expect((await purge()).every((key) => key.startsWith(`portion/${left.upload_id}/`))).toBe(true);
    expect((await far(done.upload_id)).file).not.toBeNull();
    await write((tx) => tx.execute(sql`update file_upload set moved_at = now() - interval '25 hours'`));
    expect(await purge()).toEqual([]);
    expect(await rowsOf('file_upload')).toBe(0);
  });

  test('are limited to a hundred unattached ones a person', async () => {
    const hoarder = await app.person();
    await write((tx) =>
      tx.execute(sql`insert into file_upload (uploader_id, module, name, size)
        select ${hoarder.id}, 'tickets', 'a.zip', 10 from generate_series(1, 99)`),
    );
    const client = await app.signIn(hoarder);
    const answers = await Promise.all([1, 2, 3].map(() => whole(zipOf(100), 'a.zip', client)));
    expect(answers.map((one) => one.code).toSorted()).toEqual([0, 4029, 4029]);
  });

  test('leave no file and report it when the store fails', async () => {
    const broken = await openTestApp({ files: kind === 's3' ? { s3: { ...s3.place, bucket: 'missing' } } : {} });
    if (kind === 'local') {
      await rm(join(broken.folder, 'files'), { recursive: true });
      await writeFile(join(broken.folder, 'files'), 'in the way');
    }
    const client = await broken.signIn(await broken.person());
    const answer = await whole(zipOf(90_000), '资料.zip', client);
    expect(answer).toMatchObject({ code: 4010, msg: '“资料.zip”暂时无法保存，请稍后重试或联系管理员' });
    const { data } = await begin(500, 'a.zip', client);
    expect((await append(data.upload_id, 0, randomBytes(100), client)).code).toBe(4010);
    expect((await client.get(files.progress, { params: { id: data.upload_id } })).offset).toBe(0);
    const { rows } = await broken.db.execute(sql`select id from file`);
    expect([rows, await readdir(join(broken.folder, 'incoming'))]).toEqual([[], []]);
    await broken.close();
  });

  test('serve a part of a file when a range is requested', async () => {
    const bytes = zipOf(50_000);
    const { data } = await whole(bytes);
    const ask = async (range: string, more: Record<string, string> = {}) => {
      const response = await owner.fetch(`/api/file/${data.id}/`, { headers: { range, ...more } });
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const middle = await ask('bytes=100-299');
    expect([middle.status, middle.headers.get('content-range')]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(middle.bytes).toEqual(bytes.subarray(100, 300));
    expect((await ask('bytes=-10')).bytes).toEqual(bytes.subarray(-10));
    expect((await ask(`bytes=${bytes.length - 5}-`)).bytes).toEqual(bytes.subarray(-5));
    expect((await ask(`bytes=${bytes.length}-`)).status).toBe(416);
    for (const whole of ['bytes=5-1', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=x'])
      expect((await ask(whole)).status, whole).toBe(200);
    const tag = middle.headers.get('etag')!;
    expect((await ask('bytes=0-9', { 'if-range': tag })).status).toBe(206);
    expect((await ask('bytes=0-9', { 'if-range': '"other"' })).status).toBe(200);
  });
});
