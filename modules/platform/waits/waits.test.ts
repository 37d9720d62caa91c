import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { openGiving, type Giving } from '#modules/office/distributions/testing/giving.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { folderCategories, folders } from '#modules/office/folders/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { documentNotices } from '#modules/office/notices/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { waiting } from './contract.ts';
import { dutiesOf } from './service.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

const mine = (who: Client) => who.get(waiting.mine, {});
const list = (who: Client, query = {}) => who.get(waiting.list, { query: { per_page: 100, ...query } });
const counts = async (who: Client) => Object.fromEntries((await mine(who)).value.map((one) => [one.page, one.count]));

/** Creates one of everything that may wait for a person. */
async function give(who: Client) {
  const { finished, given, office: app } = giving;
  const to = { users: [who.userId] };
  const dist = await given(await finished({ title: '关于等待的通知' }), to, { deadline: '2099-01-01 09:00' });
  const notice = await app.admin.get(documentNotices.publish, {
    body: { title: '请确认格式', content: '请确认', recipients: to, need_receipt: true },
  });
  const message = await app.admin.get(messages.send, {
    body: { title: '请回执', content: '请回执', recipients: to, need_receipt: true },
  });
  const [category] = await app.admin.get(folderCategories.list);
  const paper = await app.admin.get(folders.createPaper, {
    body: {
      title: '必读办法',
      category_id: category!.id,
      dept: giving.dept,
      publish_date: '2026-03-01',
      read_deadline: '2099-03-02',
      content: '第一条',
      scope: to,
      must_read: true,
      status: 1,
    } as never,
  });
  // The deadline has passed meanwhile.
  await app.services.databases.write((tx) =>
    tx.execute(sql`update folder_paper set read_deadline = '2026-03-02' where id = ${paper.id!}`),
  );
  return { dist, notice: notice.id, message: message.id, paper: paper.id! };
}

test('waiting items are counted by kind with the most urgent named, and disappear when done', async () => {
  const { reader, write, head, stranger } = giving;
  expect(await counts(reader)).toEqual({});
  const made = await give(reader);
  const all = { 'document/dist': 1, 'document/notice': 1, msg: 1, 'folder/index': 1 };
  expect(await counts(reader)).toEqual(all);
  expect(await counts(stranger)).toEqual({});
  const { total, overdue } = await mine(reader);
  expect([total, overdue]).toEqual([4, 1]);
  const { value } = await list(reader);
  expect(value[0]).toMatchObject({ title: '必读办法', light: { word: '已逾期', tone: 'error' } });
  expect(value.map((row) => [row.kind, row.title, row.due_at, row.web_path])).toEqual(
    expect.arrayContaining([
      ['待阅公文', '关于等待的通知', '2099-01-01 09:00:00', `/document/dist/detail/${made.dist}`],
      ['待确认公文通知', '请确认格式', null, `/document/notice/detail/${made.notice}`],
      ['待确认通知', '请回执', null, `/msg?notice=${made.message}`],
      ['必读文件', '必读办法', '2026-03-02 23:59:59', `/folder/detail/${made.paper}`],
    ]),
  );
  const { id } = await write({ title: '关于待办的通知' });
  const duty = (await mine(head)).value.find((kind) => kind.page === 'ticket/duty')!;
  const rows = (await list(head, { category: duty.key })).value;
  expect(rows.map((row) => row.web_path)).toContain(`/document/detail/${id}`);
  expect(duty.count).toBe((await head.get(tickets.list, { query: { category: 'duty' } })).total);

  await reader.get(distributions.get, { params: { id: made.dist } });
  await reader.get(documentNotices.get, { params: { id: made.notice } });
  expect(await counts(reader)).toEqual({ 'document/notice': 1, msg: 1, 'folder/index': 1 });
  await reader.get(documentNotices.read, { params: { id: made.notice } });
  await reader.get(folders.read, { query: { paper_id: made.paper } });
  await reader.get(folders.answer, { body: { paper_id: made.paper, confirm: true } });
  const own = (await reader.get(messages.unread)).value.find((one) => one.msg_id === made.message)!;
  await reader.get(messages.setRead, { params: { id: own.id }, body: { confirmed: true } });
  expect(await counts(reader)).toEqual({});
});

test('the morning digest counts for everybody what each person sees in their own list', async () => {
  const { librarian, head, write, office: app } = giving;
  await give(librarian);
  await write({ title: '关于早上的通知' });
  const duties = await app.services.databases.write((tx) => dutiesOf(tx, tx.services.product.waits));
  for (const who of [librarian, head, giving.stranger]) {
    const said = duties.filter(({ people }) => people.includes(who.userId)).flatMap((one) => one.kinds);
    const { value } = await mine(who);
    const shown = value.flatMap(({ title, count, overdue }) => (count > 0 ? [{ title, count, overdue }] : []));
    expect([who.userId, said]).toEqual([who.userId, shown]);
  }
  await app.services.databases.write((tx) =>
    tx.execute(sql`update app_user set is_active = false where id = ${librarian.userId}`),
  );
  const without = await app.services.databases.write((tx) => dutiesOf(tx, tx.services.product.waits));
  expect(without.flatMap((one) => one.people)).not.toContain(librarian.userId);
});

test('late items stand first, then those due within a day, then by waiting time, each once over all pages', async () => {
  const { office: app } = giving;
  const to = await app.clerk({});
  const [category] = await app.admin.get(folderCategories.list);
  const dept = giving.dept;
  const paper = async (title: string, read_deadline: string) => {
    const body = {
      title,
      category_id: category!.id,
      dept,
      publish_date: '2026-03-01',
      read_deadline,
      content: '第一条',
    };
    const scope = { users: [to.userId] };
    await app.admin.get(folders.createPaper, { body: { ...body, scope, must_read: true, status: 1 } as never });
  };
  const message = (title: string) =>
    app.admin.get(messages.send, {
      body: { title, content: '请回执', recipients: { users: [to.userId] }, need_receipt: true },
    });
  await paper('晚些到期', '2099-03-02');
  await message('先发的');
  await paper('已经逾期', '2099-03-03');
  await message('后发的');
  await app.services.databases.write((tx) =>
    tx.execute(sql`update folder_paper set read_deadline = current_date - 3 where title = '已经逾期'`),
  );
  await app.services.databases.write((tx) =>
    tx.execute(sql`update msg set publish_at = publish_at - interval '2 days' where title in ('先发的', '后发的')`),
  );
  const titles = ['已经逾期', '先发的', '后发的', '晚些到期'];
  expect((await list(to)).value.map((row) => row.title)).toEqual(titles);
  const paged = [];
  for (const page of [1, 2]) paged.push(...(await list(to, { page, per_page: 2 })).value);
  expect(paged.map((row) => row.title)).toEqual(titles);
  expect(new Set(paged.map((row) => row.id)).size).toBe(4);
  expect(await list(to, { page: 9, per_page: 3 })).toMatchObject({ page: 2, total: 4, value: [{ title: '晚些到期' }] });
});

test('the counts of the kinds add up to the total and equal their lists, and a search looks in titles', async () => {
  const { head, stranger } = giving;
  const { total, value: kinds } = await mine(head);
  expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  expect((await list(head)).total).toBe(total);
  for (const { key, title, count } of kinds) {
    const { total: of, value } = await list(head, { category: key });
    expect([of, new Set(value.map((row) => row.kind))]).toEqual([count, new Set([title])]);
  }
  const found = await list(head, { search_value: '早上' });
  expect(found.value.map((row) => row.title)).toEqual(['关于早上的通知']);
  expect((await list(head, { search_value: '没有这样的事' })).total).toBe(0);
  expect((await list(stranger)).value).toEqual([]);
  expect(await head.ask(waiting.list, { query: { category: 'nonsense' } })).toMatchObject({ code: 4004 });
});

test('no two kinds of waiting items have the same name', () => {
  const keys = giving.office.services.product.waits.map((one) => one.key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('all modules are asked in one statement, besides those for the details', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const { head } = giving;
  await mine(head);
  for (const ask of [mine, list]) {
    const statements = await counted(head, () => ask(head));
    expect(statements.filter((text) => text.includes('waits_0'))).toHaveLength(1);
    expect(statements.length, JSON.stringify(statements, null, 1)).toBeLessThanOrEqual(8);
  }
});
