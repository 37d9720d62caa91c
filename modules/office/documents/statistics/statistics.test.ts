import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { documentStatistics, type Dim, type DocumentStatistics } from '../contract/statistics.ts';
import { openSchool, type School } from '../testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
  const { head, librarian, write, goOn, handle, elsewhere } = school;
  const done = await write();
  await goOn(done.ticket_id);
  await write({ level: 1 });
  const back = await write({ co_depts: [elsewhere] });
  await handle(head, back.ticket_id, 3);
  await handle(librarian, back.ticket_id, 6, { suggestion: '金丝雀的理由' });
  await write({ submit: false });
}, 180_000);
afterAll(() => school.office.close());

const asked = (who: Client, query: object = {}) => who.get(documentStatistics.call, { query });
const all = async (who: Client, query: object = {}) => (await asked(who, query)).value as DocumentStatistics;

test('documents are counted by state, month, type, department and level; drafts are not', async () => {
  const { clerk, dept } = school;
  const found = await all(clerk);
  expect(found.summary).toMatchObject({
    total: 3,
    by_act_state: { 0: 0, 1: 1, 2: 1, 3: 0, 4: 1, 5: 0, 6: 0 },
    overdue: 0,
  });
  const figures = (rows: DocumentStatistics['by_type']) =>
    rows.map((row) => [row.name, row.total, row.sent, row.finished]);
  expect(figures(found.by_type)).toEqual([['通知', 3, 3, 1]]);
  expect(figures(found.by_dept)).toEqual([['教务处', 3, 3, 1]]);
  expect(figures(found.by_level)).toEqual([
    ['普通', 2, 2, 1],
    ['加急', 1, 1, 0],
  ]);
  expect(found.by_month).toHaveLength(1);
  expect((await all(clerk, { dept, doc_kind: 2 })).summary.total).toBe(0);
  expect((await all(clerk, { end: '2020-01-01' })).summary.total).toBe(0);
});

test('statistics show who holds which documents, whose drafts were returned and why, and missing numbers', async () => {
  const { clerk, rule, office: app } = school;
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into number_book (rule_id, year, seq, state, title, reason)
      values (${rule}, extract(year from now())::int, 4, 4, '补登的文件', '在系统外印发')`),
  );
  const found = await all(clerk);
  expect(found.by_handler.map((row) => [row.name, row.waiting])).toContainEqual(['李处长', 1]);
  expect(found.by_return.map((row) => [row.name, row.returned, row.note])).toEqual([['张拟稿', 1, '金丝雀的理由']]);
  expect(found.by_gap).toMatchObject([{ total: 2, note: expect.stringMatching(/2号、校发〔\d{4}〕3号$/) }]);
});

test('distributed copies are counted as read or unread, and recalled copies are not counted', async () => {
  const { clerk, author, head, leader, office: app } = school;
  expect((await all(clerk)).summary.reading).toEqual({ dist: 0, read_rate: 0 });
  await app.services.databases.write((tx) =>
    tx.execute(sql`
      with given as (
        insert into document_dist (document_id, sender_id, total, read)
        select min(id), ${clerk.userId}, 2, 1 from document where act_state = 4 returning id, document_id)
      insert into document_dist_user (dist_id, document_id, user_id, source, state, read_time)
      select given.id, document_id, who, 1, state, case when state = 1 then now() end from given,
        (values (${author.userId}::int, 1), (${head.userId}::int, 0), (${leader.userId}::int, 3)) as v(who, state)`),
  );
  expect((await all(clerk)).summary.reading).toEqual({ dist: 2, read_rate: 50 });
});

test('a statistics table can be listed on its own, and its export holds the same rows', async () => {
  const { clerk } = school;
  for (const dim of ['month', 'type', 'dept', 'level', 'handler', 'return', 'gap'] satisfies Dim[]) {
    const { value, total } = await asked(clerk, { dim });
    expect([Array.isArray(value), total]).toEqual([true, (value as unknown[]).length]);
    const sheet = await clerk.fetch(`/api/document/statistics/?dim=${dim}&export=xlsx`);
    expect(
      Buffer.from(await sheet.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  }
});

test('only documents within the page’s scope are counted, and nothing is shown of others', async () => {
  const { office: app, elsewhere, author, dept } = school;
  expect((await author.ask(documentStatistics.call, {})).code).toBe(4003);
  const page = { 'document/statistics': ['Retrieve' as const] };
  const foreign = await app.clerk(page, { dept: elsewhere, dataScope: 3 });
  const nothing = await asked(foreign);
  expect((nothing.value as DocumentStatistics).summary.total).toBe(0);
  expect(JSON.stringify(nothing)).not.toMatch(/教务处|张拟稿|李处长|金丝雀|校发/);
  const near = await all(await app.clerk(page, { dept, dataScope: 3 }));
  expect([near.summary.total, near.by_gap]).toEqual([3, []]);
  // The page alone gives no right to open a document, so it shows no reasons either.
  expect(JSON.stringify(near.by_return)).not.toContain('金丝雀');
});

test('a secret document is counted only for people who may open it', async () => {
  const { office: app, clerk, dept, write } = school;
  const allow = (allow_secret: boolean) => app.admin.get(settings.saveSite, { body: { allow_secret } });
  await allow(true);
  try {
    await write({ level: 2, secret_level: 1, secret_period: '10年', copy_no: '000001' });
    const urgent = async (who: Client) => (await all(who)).by_level.some((row) => row.name === '特急');
    expect(await urgent(clerk)).toBe(true);
    const page = { 'document/statistics': ['Retrieve' as const] };
    expect(await urgent(await app.clerk(page, { dept, dataScope: 3 }))).toBe(false);
  } finally {
    await allow(false);
  }
});

test('document figures take a fixed number of statements, however many documents there are', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const { clerk, write } = school;
  const few = await counted(clerk, () => all(clerk));
  await write();
  await write();
  expect((await counted(clerk, () => all(clerk))).length).toBe(few.length);
  expect(few.length).toBeLessThan(12);
  expect((await counted(clerk, () => asked(clerk, { dim: 'return' }))).length).toBeLessThan(few.length - 3);
});
