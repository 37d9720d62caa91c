import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { startS3 } from '#kernel/server/testing/s3-server.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { form, repairCast, submit } from '#modules/workflow/tickets/testing/repair.ts';
import { openTestApp, testSecret, type Client, type TestOffice } from './testing.ts';
import { startNode, type Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';
import { openStandby, type Standby } from './testing/standby.ts';

// Two nodes in separate processes. Each connection of the first can be cut or hang: the primary, which alone carries messages from the other node,
// the replica, and the bucket.
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-parted-'));
/**
 * The ways in which a connection breaks. A hang is noticed only by its time limit, which takes long, so it is tried by night, and with one node by
 * `outage.test.ts`.
 */
const breaks = [['is cut', 'cut'] as const, ...(process.env['NIGHTLY'] ? [['hangs', 'hang'] as const] : [])];
const nodes: Node[] = [];
let app: TestOffice;
let standby: Standby;
let s3: Awaited<ReturnType<typeof startS3>>;
let cast: Awaited<ReturnType<typeof repairCast>>;
let ways: { primary: Line; replica: Line; bucket: Line };

beforeAll(async () => {
  standby = await openStandby(inject('databaseAdminUrl'));
  s3 = await startS3();
  app = await openTestApp({ files: { s3: s3.place } });
  cast = await repairCast(app);
  const replica = await standby.of(app.databaseUrl);
  const { endpoint, bucket, region, accessKey, secretKey } = s3.place;
  ways = {
    primary: await openLine(app.databaseUrl),
    replica: await openLine(replica),
    bucket: await openLine(endpoint),
  };
  const node = async (urls: { primary: string; replica: string; bucket: string }) =>
    startNode(await quietPort(), {
      DATABASE_URL: urls.primary,
      READ_DATABASE_URL: urls.replica,
      DATA_DIR: dataDir,
      SESSION_SECRET: testSecret,
      S3_ENDPOINT: urls.bucket,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      LOG_LEVEL: 'silent',
    });
  const cut = { primary: ways.primary.url, replica: ways.replica.url, bucket: new URL(ways.bucket.url).origin };
  nodes.push(...(await Promise.all([node(cut), node({ primary: app.databaseUrl, replica, bucket: endpoint })])));
}, 300_000);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  for (const way of Object.values(ways ?? {})) way.close();
  await app?.close();
  await s3?.stop();
  await standby?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 180_000);

const on = (index: 0 | 1, who: Client) => who.at(nodes[index]!.url);
async function begin(index: 0 | 1, title: string, key = randomUUID()) {
  const { status, headers, bytes } = await on(index, cast.staff).send(tickets.start.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ workflow_id: cast.repair, transition_id: submit, ...form, title }),
  });
  const { code, msg, data } = JSON.parse(bytes.toString()) as { code: number; msg: string; data: { id: number } };
  return { status, retryAfter: headers.get('retry-after'), code, msg, id: data?.id };
}
async function titles(index: 0 | 1): Promise<string[]> {
  const { value } = await on(index, cast.staff).get(tickets.list, { query: { category: 'owner', per_page: 100 } });
  return value.map((row) => row.title);
}
async function upload(index: 0 | 1) {
  const body = new FormData();
  body.set('module', 'tickets');
  body.set('file', new Blob(['投影仪的照片']), '照片.txt');
  const response = await on(index, cast.staff).fetch('/api/file/upload/', { method: 'POST', body });
  return (await response.json()) as { code: number; msg: string; data: { id: number } };
}
const download = async (index: 0 | 1, id: number) => (await on(index, cast.staff).fetch(`/api/file/${id}/`)).text();

test.each(breaks)(
  'a node whose path to the primary %s says once that saving waits and goes on reading; no acknowledged write is lost or doubled',
  { timeout: 180_000 },
  async (_said, how) => {
    const before = await begin(0, `${how}前`);
    await eventually(async () => expect(await titles(0)).toContain(`${how}前`));
    await new Promise((done) => setTimeout(done, 2500));
    ways.primary[how]();
    const key = randomUUID();
    await eventually(async () => {
      expect(await begin(0, `${how}中`, key)).toMatchObject({
        status: 503,
        retryAfter: '3',
        msg: '数据库正在恢复，现在只能查看、不能保存，请稍后再试',
      });
    });
    const beside = await begin(1, `${how}时在旁`);
    expect([before.code, beside.code]).toEqual([0, 0]);
    expect(await titles(0)).toContain(`${how}前`);
    expect(await titles(1)).toContain(`${how}时在旁`);
    // The browser sends it again under the same key, to whichever node answers.
    const again = await begin(1, `${how}中`, key);
    expect(again.code).toBe(0);
    ways.primary.mend();
    await eventually(async () => expect((await begin(0, `${how}中`, key)).id).toBe(again.id));
    for (const index of [0, 1] as const)
      await eventually(async () => {
        const ours = (await titles(index)).filter((title) => title.startsWith(how));
        expect(ours.toSorted()).toEqual([`${how}中`, `${how}前`, `${how}时在旁`].toSorted());
      });
  },
);

test.each(breaks)(
  'a node whose path to the replica %s answers as before, including what was just saved',
  { timeout: 180_000 },
  async (_said, how) => {
    ways.replica[how]();
    for (let round = 0; round < 3; round++) {
      const title = `副本${how}${round}`;
      expect((await begin(round === 1 ? 1 : 0, title)).code).toBe(0);
      for (const index of [0, 1] as const) await eventually(async () => expect(await titles(index)).toContain(title));
    }
    ways.replica.mend();
  },
);

test(
  'a node cut off from the bucket says so in a sentence for each file, serves the rest, and opens stored files afterwards',
  { timeout: 180_000 },
  async () => {
    const there = await upload(0);
    expect(there.code).toBe(0);
    ways.bucket.cut();
    expect(await upload(0)).toMatchObject({ code: 4010, msg: '“照片.txt”暂时无法保存，请稍后重试或联系管理员' });
    expect(JSON.parse(await download(0, there.data.id))).toMatchObject({
      code: 4010,
      msg: '“照片.txt”暂时无法打开，请稍后重试或联系管理员',
    });
    expect((await begin(0, '没有附件')).code).toBe(0);
    const beside = await upload(1);
    expect(beside.code).toBe(0);
    ways.bucket.mend();
    for (const { data } of [there, beside]) expect(await download(0, data.id)).toBe('投影仪的照片');
    expect((await upload(0)).code).toBe(0);
  },
);
