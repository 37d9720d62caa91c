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

const mine = (who: Client, rows = 0) => who.get(waiting.mine, { query: { rows } });
const counts = async (who: Client) => Object.fromEntries((await mine(who)).value.map((one) => [one.page, one.count]));

/** One of everything that may wait for whoever reads. */
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

test('what waits is counted by kind, named with what is due first, and goes as it is done', async () => {
  const { reader, write, head, stranger } = giving;
  expect(await counts(reader)).toEqual({});
  const made = await give(reader);
  const all = { 'document/dist': 1, 'document/notice': 1, msg: 1, 'folder/index': 1 };
  expect(await counts(reader)).toEqual(all);
  expect(await counts(stranger)).toEqual({});
  const { total, overdue, value } = await mine(reader, 5);
  expect([total, overdue]).toEqual([4, 1]);
  expect(value.flatMap((kind) => kind.rows.map((row) => [kind.title, row.title, row.due_at, row.web_path]))).toEqual(
    expect.arrayContaining([
      ['待阅公文', '关于等待的通知', '2099-01-01 09:00:00', `/document/dist/detail/${made.dist}`],
      ['待确认公文通知', '请确认格式', null, `/document/notice/detail/${made.notice}`],
      ['待确认通知', '请回执', null, `/msg?notice=${made.message}`],
      ['必读文件', '必读办法', '2026-03-02 23:59:59', `/folder/detail/${made.paper}`],
    ]),
  );
  const { id } = await write({ title: '关于待办的通知' });
  const duty = (await mine(head, 5)).value.find((kind) => kind.page === 'ticket/duty')!;
  expect(duty.rows.map((row) => row.web_path)).toContain(`/document/detail/${id}`);
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

test('the morning says of everybody what each is told of themselves', async () => {
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

test('all modules together are one statement, besides what says who asks', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const { head } = giving;
  await mine(head);
  const statements = await counted(head, () => mine(head, 5));
  expect(statements.filter((text) => text.includes('waits_0'))).toHaveLength(1);
  expect(statements.length, JSON.stringify(statements, null, 1)).toBeLessThanOrEqual(6);
});
