import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { createExportPlaces } from '#kernel/server/export/export-places.ts';
import { openSheet } from '#kernel/server/export/export.ts';
import { openProbe, type Probe } from './testing/probe.ts';

let probe: Probe;
let url: string;
beforeAll(async () => {
  probe = await openProbe();
  url = await probe.app.server.listen({ host: '127.0.0.1', port: 0 });
  // Even compressed, the rows exceed the buffers between two programs.
  await probe.databases.pool.query(`alter table probe drop constraint probe_word_key`);
  await probe.databases.pool.query(`insert into probe (word)
    select string_agg(encode(sha512(random()::text::bytea), 'base64'), '')
    from generate_series(1, 500) line, generate_series(1, 360) part group by line`);
});
const readers = new Set<IncomingMessage>();
// After each test, whatever happened in it, every place is free for the next one.
afterEach(async () => {
  for (const reader of readers) reader.destroy();
  readers.clear();
  await vi.waitUntil(async () => (await held()) === 0, { timeout: 60_000 });
});
afterAll(() => probe.close());

/** The number of connections held by transactions whose reader is slow. */
const held = async () => {
  const { rows } = await probe.databases.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`,
  );
  return rows[0]!.n;
};
/** Requests a sheet and stops reading when it begins to arrive. */
async function stalled(who: string): Promise<IncomingMessage> {
  const [answer] = (await once(
    get(`${url}/api/probe/?export=xlsx`, { agent: false, headers: { authorization: `JWT ${who}` } }),
    'response',
  )) as [IncomingMessage];
  expect(answer.headers['content-type']).toContain('spreadsheetml');
  answer.on('error', () => undefined);
  readers.add(answer);
  return answer;
}
const exporting = (who: string) => probe.ask(who, 'GET', '/api/probe/?export=xlsx');

test(
  'stalled readers of exports leave database connections for the lists, and one export too many is refused with a sentence',
  { timeout: 180_000 },
  async () => {
    const first = await stalled('holder');
    for (const who of ['holder', 'keeper', 'keeper']) await stalled(who);
    await eventually(async () => expect(await held()).toBe(4));
    expect(await exporting('holder')).toMatchObject({
      status: 200,
      code: 4029,
      msg: '您有 2 个导出正在进行，请等其中一个完成，或关闭不需要的下载后再导出',
    });
    expect(await exporting('clerk')).toMatchObject({
      code: 4029,
      msg: '系统正在进行 4 个导出，没有多余的位置，请几分钟后再导出',
    });
    const lists = await Promise.all(
      Array.from({ length: 30 }, () => probe.ask('reader', 'GET', '/api/probe/?per_page=1')),
    );
    expect(lists.map(({ code }) => code)).toEqual(lists.map(() => 0));
    await eventually(async () => expect(await held()).toBe(4));
    first.destroy();
    await eventually(() => stalled('holder'));
  },
);

test(
  'an export beyond the limit starts as soon as another ends, in the order requested',
  { timeout: 180_000 },
  async () => {
    const take = createExportPlaces(60_000);
    const [first, second, other] = [await take(1), await take(1), await take(2)];
    const came: string[] = [];
    const waits = (name: string, person: number) => take(person).then((leave) => (came.push(name), leave));
    const [third, fourth] = [waits('third', 1), waits('fourth', 1)];
    (await waits('another', 3))();
    expect(came).toEqual(['another']);
    second();
    const leaveThird = await third;
    first();
    await fourth;
    expect(came).toEqual(['another', 'third', 'fourth']);
    leaveThird();
    other();
  },
);

test('an export that is not read in time is aborted and releases its connection', { timeout: 180_000 }, async () => {
  let ended = 0;
  const columns = [{ key: 'word', title: '词' }];
  const sheet = await openSheet(
    probe.databases,
    { title: '样例', columns },
    () => void (ended += 1),
    async (tx) => {
      const { rows } = await tx.$client.query(`select word from probe`);
      return { value: rows, total: rows.length, page: 1, per_page: 1000 };
    },
    500,
  );
  expect(await held()).toBe(1);
  await sheet.ended;
  await eventually(() => expect(ended).toBe(1));
  expect(sheet.bytes.destroyed).toBe(true);
  await eventually(async () => expect(await held()).toBe(0));
});

test('an export that cannot begin releases its slot', { timeout: 180_000 }, async () => {
  await probe.databases.pool.query('alter table probe rename to elsewhere');
  for (let one = 0; one < 3; one++) expect((await exporting('clerk')).code).toBe(5000);
  await probe.databases.pool.query('alter table elsewhere rename to probe');
  (await stalled('clerk')).destroy();
});

test('a download given up before its first byte closes its source, and is no fault in the log', async () => {
  probe.logged.length = 0;
  const asked = get(`${url}/api/probe/file/`, { agent: false, headers: { authorization: 'JWT plain' } });
  asked.on('error', () => undefined);
  await vi.waitUntil(() => probe.opened.length > 0, { timeout: 20_000 });
  const closed = once(probe.opened[0]!, 'close');
  asked.destroy();
  await closed;
  // One more answer, so that what the closing led to has been done.
  await probe.ask('plain', 'GET', '/api/probe/open/');
  expect(probe.logged).toEqual([]);
});
