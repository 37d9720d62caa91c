import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { z } from 'zod';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { call, grant } from '#kernel/contract/call.ts';
import { refusal, codes } from '#kernel/contract/refusal.ts';
import { listOf, listQuery } from '#kernel/contract/shapes.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { implement, isStaged } from '#kernel/server/http/implement.ts';
import { seedMenus } from '#modules/platform/access/seed.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { exportCalls, mostWaiting, sentAtOnce } from './contract.ts';
import { purgeExports } from './service.ts';

const page = 'shelf/list';
const full = refusal(codes.refused, () => '仓库正在盘点');
/** Rows of a list of any length; each person's rows name them. A page may be delayed, or refused. */
const asked = { gate: null as Promise<void> | null, refuses: false };
const shelf = {
  list: call({
    method: 'GET',
    path: '/api/shelf/',
    access: grant('Retrieve', page),
    summary: '货架',
    query: listQuery({ sort: ['id'], filters: { many: z.coerce.number().int() } }),
    reply: listOf(z.object({ id: z.number(), whose: z.string() })),
    exports: {
      page,
      title: '货架',
      columns: [
        { key: 'id', title: '编号' },
        { key: 'whose', title: '归属' },
      ],
    },
  }),
};
const shelfModule = implement('exports', shelf, {
  async list({ query: { page: number, per_page, many } }, { user }) {
    if (number > 2) {
      await asked.gate;
      if (asked.refuses) throw full();
    }
    const from = (number - 1) * per_page;
    const value = Array.from({ length: Math.max(0, Math.min(per_page, many - from)) }, (_, at) => ({
      id: from + at + 1,
      whose: user.alias,
    }));
    return { value, total: many, page: number, per_page };
  },
});

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ modules: [{ servers: () => [shelfModule] }] });
  await app.services.databases.write((tx) =>
    seedMenus(
      tx,
      [
        {
          key: page,
          parent: 'ticket',
          title: '货架',
          path: 'shelves',
          icon: 'ShopOutlined',
          order: 990,
          codes: ['Retrieve', 'daochu'],
        },
      ],
      [],
    ),
  );
}, 180_000);
afterAll(() => app.close());

const keeper = (alias: string) => app.clerk({ [page]: ['Retrieve', 'daochu'] }, { alias });
const exporting = (who: Client, many: number) =>
  who.ask(shelf.list, { query: { many, export: 'xlsx' } as never }) as Promise<{ code: number; msg: string }>;
const mine = async (who: Client) => (await who.get(exportCalls.list, { query: {} as never })).value;
const write = (statement: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(statement));
const ended = (who: Client) =>
  eventually(async () => {
    const [row] = await mine(who);
    expect(['done', 'failed']).toContain(row?.state);
    return row!;
  });
const heard = async (who: Client) =>
  (await who.get(messages.unread, { query: {} as never })).value.map((row) => row.title);

test('a short export is sent at once, a long one is made in the background, announced, and fetched only by its owner', async () => {
  const [who, other] = [await keeper('库管员'), await keeper('别人')];
  const few = await who.fetch(`/api/shelf/?many=${sentAtOnce}&export=xlsx`);
  expect(few.headers.get('x-export-rows')).toBe(String(sentAtOnce));
  await few.arrayBuffer();
  expect(await mine(who)).toEqual([]);
  expect(await exporting(who, 12_345)).toMatchObject({
    code: 0,
    msg: '“货架”共 12345 行，正在后台生成，完成后会发消息给您，进度见“我的导出”',
  });
  const row = await ended(who);
  expect(row).toMatchObject({ title: '货架', state: 'done', rows: 12_345, written: 12_345, actions: ['remove'] });
  expect(row.file!.name).toMatch(/^货架 \d{4}-\d\d-\d\d\.xlsx$/);
  const path = `/api/file/${row.file!.id}/`;
  const cells = await readSheet(Buffer.from(await (await who.fetch(path)).arrayBuffer()));
  expect([cells.length, cells[0], cells[12_345]]).toEqual([12_346, ['编号', '归属'], ['12345', '库管员']]);
  expect(await heard(who)).toEqual(['“货架”已导出，共 12345 行']);
  expect(await mine(other)).toEqual([]);
  expect(JSON.parse(await (await other.fetch(path)).text())).toMatchObject({ code: 4004 });
  expect((await other.ask(exportCalls.remove, { params: { id: row.id } })).code).toBe(4004);
  const log = await app.admin.get(audit.list, { query: { search_value: '货架 12345 行' } as never });
  expect(log.value).toHaveLength(1);
  expect((await who.ask(exportCalls.remove, { params: { id: row.id } })).code).toBe(0);
  expect(JSON.parse(await (await who.fetch(path)).text())).toMatchObject({ code: 4004 });
});

test('a background export shows its progress, is not duplicated when requested twice, and can be cancelled', async () => {
  const who = await keeper('取消人');
  let open = () => {};
  asked.gate = new Promise((resolve) => (open = resolve));
  try {
    for (let again = 0; again < 2; again += 1) expect((await exporting(who, 20_000)).code).toBe(0);
    await eventually(async () =>
      expect(await mine(who)).toMatchObject([{ state: 'running', written: 2000, actions: ['cancel'] }]),
    );
    for (let more = 1; more < mostWaiting; more += 1) expect((await exporting(who, 20_000 + more)).code).toBe(0);
    expect(await exporting(who, 30_000)).toMatchObject({
      code: 4029,
      msg: expect.stringContaining(`${mostWaiting} 个`),
    });
    for (const { id } of await mine(who)) expect((await who.ask(exportCalls.remove, { params: { id } })).code).toBe(0);
  } finally {
    open();
    asked.gate = null;
  }
  // Later exports continue.
  const next = await keeper('下一位');
  await exporting(next, 11_000);
  expect((await ended(next)).state).toBe('done');
  expect([await mine(who), await heard(who)]).toEqual([[], []]);
  const left = await app.db.execute(
    sql`select 1 from file where owner_module = 'exports' and uploader_id = ${who.userId}`,
  );
  expect(left.rows).toEqual([]);
});

test('a person who lost the right meanwhile gets no export, and a refusing list gives its reason', async () => {
  const [dismissed, refused] = [await keeper('离任人'), await keeper('盘点人')];
  let open = () => {};
  asked.gate = new Promise((resolve) => (open = resolve));
  asked.refuses = true;
  await exporting(refused, 15_000);
  await exporting(dismissed, 15_000);
  await write(sql`delete from user_role where user_id = ${dismissed.userId}`);
  open();
  expect(await ended(refused)).toMatchObject({ state: 'failed', answer: '仓库正在盘点', file: null });
  [asked.gate, asked.refuses] = [null, false];
  expect(await ended(dismissed)).toMatchObject({ state: 'failed', answer: '没有“导出货架”的权限，请联系管理员开通' });
  expect(await heard(refused)).toEqual(['“货架”未能导出']);
});

test('an expired export is removed together with its file', async () => {
  const who = await keeper('过期人');
  await exporting(who, 10_500);
  const { file } = await ended(who);
  const purge = () => app.services.databases.write((tx) => purgeExports(tx));
  await purge();
  expect(await mine(who)).toHaveLength(1);
  await write(sql`update export set ended_at = now() - interval '8 days' where user_id = ${who.userId}`);
  await purge();
  expect(await mine(who)).toEqual([]);
  expect(JSON.parse(await (await who.fetch(`/api/file/${file!.id}/`)).text())).toMatchObject({ code: 4004 });
});

test('every exportable list can be read by a background job', () => {
  const lists = app.services.product.servers().flatMap(({ calls }) => calls.filter(({ call: one }) => one.exports));
  expect(lists.length).toBeGreaterThan(20);
  const unfit = lists.filter(({ call: one, handler }) => one.method !== 'GET' || isStaged(handler));
  expect(unfit.map(({ call: one }) => one.path)).toEqual([]);
});
