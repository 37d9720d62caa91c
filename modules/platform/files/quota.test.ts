import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { files } from './contract.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.services.databases.write((tx) => tx.execute(sql`delete from file`)));

const kb = 1024;
async function limits(file_quota_mb: number, file_site_gb: number): Promise<void> {
  await app.admin.get(settings.saveSite, { body: { file_quota_mb, file_site_gb } });
  await eventually(async () =>
    expect(await app.services.settings.get('site')).toMatchObject({ file_quota_mb, file_site_gb }),
  );
}
async function send(who: Client, bytes: number, nth = 0): Promise<{ code: number; msg: string; data: { id: number } }> {
  const form = new FormData();
  form.set('module', 'tickets');
  const text = `${nth} `.padEnd(bytes, 'x');
  form.set('file', new Blob([text]), `${nth}.txt`);
  return (await who.fetch('/api/file/upload/', { method: 'POST', body: form })).json() as never;
}
const newcomer = async () => app.signIn(await app.person());
const told = async (who: Client) => {
  const { rows } = await app.db.execute<{ title: string }>(
    sql`select m.title from msg m join msg_user u on u.msg_id = m.id where u.user_id = ${who.userId} and m.module = 'files' order by m.id`,
  );
  return rows.map(({ title }) => title);
};
/** Fills the site's quota to this number of bytes: an entry with another file's content and a larger size makes up the rest. */
const already = (bytes: number) =>
  app.services.databases.write(async (tx) => {
    await tx.execute(sql`insert into file (name, ext, mime, size, sha256, uploader_id, module)
      select '大.bin', 'bin', 'application/octet-stream', ${bytes}::bigint - u.bytes, (select min(sha256) from file_content), 0, 'tickets'
      from file_usage u where u.id = 0`);
    await tx.execute(sql`update file_usage set told = 0 where id = 0`);
  });

test('of twenty uploads at once at the limit of a person’s quota exactly those that fit are stored', async () => {
  await limits(1, 0);
  const who = await newcomer();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, nth) => {
      for (;;) {
        const answer = await send(who, 100 * kb, nth);
        // Eight parallel uploads of one person; a ninth retries.
        if (answer.code !== 4010) return answer;
      }
    }),
  );
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(10);
  const refused = answers.filter(({ code }) => code !== 0);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([-1]));
  expect(refused.map(({ msg }) => msg)).toContain(
    '个人文件空间不够：已用 1000 KB，上限 1 MB，这个文件 100 KB；请删除不再需要的文件，或联系管理员调整上限',
  );
  expect((await who.get(files.usage)).own).toEqual({ used: 1000 * kb, most: 2 ** 20 });
  const { rows } = await app.db.execute(
    sql`select u.bytes::int as counted, (select sum(size)::int from file f where f.uploader_id = u.id) as there from file_usage u where id = ${who.userId}`,
  );
  expect(rows).toEqual([{ counted: 1000 * kb, there: 1000 * kb }]);
});

test('removed files free quota, and each person has their own', async () => {
  await limits(1, 0);
  const [who, other] = [await newcomer(), await newcomer()];
  const first = await send(who, 700 * kb);
  expect((await send(who, 700 * kb, 1)).code).toBe(-1);
  expect((await send(other, 700 * kb, 1)).code).toBe(0);
  await who.get(files.discard, { params: { id: first.data.id } });
  expect((await who.get(files.usage)).own.used).toBe(0);
  expect((await send(who, 700 * kb, 2)).code).toBe(0);
});

test('an upload in portions reserves its quota at its beginning', async () => {
  await limits(1, 0);
  const who = await newcomer();
  const begin = async (size: number) => {
    const form = new FormData();
    form.set('module', 'tickets');
    form.set('size', String(size));
    form.set('file', new Blob([]), '大.txt');
    return (await (await who.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as { code: number };
  };
  const codes = await Promise.all(Array.from({ length: 5 }, () => begin(400 * kb)));
  expect(codes.map(({ code }) => code).toSorted()).toEqual([-1, -1, -1, 0, 0]);
  expect((await who.get(files.usage)).own.used).toBe(800 * kb);
});

test('a person is warned at 80 and at 95 %, once each, and administrators about the site’s total', async () => {
  await limits(1, 0);
  const who = await newcomer();
  for (const [bytes, titles] of [
    [500, []],
    [350, ['个人文件空间已用 80%']],
    [20, ['个人文件空间已用 80%']],
    [130, ['个人文件空间已用 80%', '个人文件空间已用 95%']],
  ] as const) {
    expect((await send(who, bytes * kb, bytes)).code).toBe(0);
    expect(await told(who)).toEqual(titles);
  }
  await limits(0, 1);
  await already(Math.floor(0.96 * 2 ** 30));
  expect((await send(who, kb, 9)).code).toBe(0);
  expect(await told(app.admin)).toEqual(['全站文件空间已用 95%']);
  await already(2 ** 30);
  const full = await send(who, kb, 10);
  expect(full).toMatchObject({
    code: -1,
    msg: '全站文件空间不够：已用 1 GB，上限 1 GB，这个文件 1 KB；请联系管理员',
  });
  expect((await who.get(files.usage)).site).toBeNull();
  expect((await app.admin.get(files.usage)).site).toMatchObject({ most: 2 ** 30 });
  await limits(0, 0);
  expect((await send(who, kb, 11)).code).toBe(0);
});

test('the used quota follows every removal of files, and a file’s size stays', async () => {
  await limits(0, 0);
  const who = await newcomer();
  for (const nth of [1, 2, 3]) await send(who, 10 * kb, nth);
  await app.services.databases.write((tx) =>
    tx.execute(sql`delete from file where uploader_id = ${who.userId} and name <> '2.txt'`),
  );
  expect((await who.get(files.usage)).own).toEqual({ used: 10 * kb, most: null });
  await expect(app.services.databases.pool.query('update file set size = 1')).rejects.toThrow('do not change');
});
