import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { documents } from './contract.ts';
import { documentFiles } from './contract/files/files.ts';
import { documentSettings } from './contract/settings.ts';
import { documentStatistics } from './contract/statistics.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const secret = { secret_level: 1, secret_period: '10年', copy_no: '000001' };
const allow = (allow_secret: boolean) => school.office.admin.get(settings.saveSite, { body: { allow_secret } });
async function whileAllowed<T>(work: () => Promise<T>): Promise<T> {
  await allow(true);
  return work().finally(() => allow(false));
}
const errorsOf = (answer: { data: unknown }) =>
  (answer.data as { errors?: { field: string; msg: string }[] } | null)?.errors?.map((one) => [one.field, one.msg]) ??
  [];
const sheet = async (who: Client, path: string) =>
  JSON.stringify(await readSheet(Buffer.from(await (await who.fetch(path)).arrayBuffer())));

describe('while the site forbids secret documents', () => {
  test('they are refused however they are written or submitted', async () => {
    const { author, ask, write, detail } = school;
    const refused = ['secret_level', '本系统不处理涉密公文，请勿录入，按保密规定在涉密系统中办理'];
    expect(errorsOf(await ask(secret))).toEqual([refused]);
    expect(errorsOf(await ask({ ...secret, submit: false }))).toEqual([refused]);
    const { id } = await write({ submit: false });
    const params = { id };
    expect(errorsOf(await author.ask(documents.update, { params, body: secret }))).toEqual([refused]);
    expect(errorsOf(await author.ask(documents.again, { params, body: secret }))).toEqual([refused]);
    await whileAllowed(async () => {
      expect(errorsOf(await author.ask(documents.update, { params, body: { secret_level: 1 } }))).toEqual([
        ['secret_period', '涉密公文必须填写'],
        ['copy_no', '涉密公文必须填写 6 位份号'],
      ]);
      expect((await author.ask(documents.update, { params, body: secret })).code).toBe(0);
    });
    const { ticket_id } = await detail(author, id);
    expect(errorsOf(await school.handle(author, ticket_id, 2))).toContainEqual(refused);
    expect((await author.ask(documents.again, { params, body: {} })).code).toBe(4000);
  });

  test('existing ones get no new file and cannot be distributed', async () => {
    const { author, clerk, librarian, goOn, write } = school;
    const [draft, finished] = await whileAllowed(async () => {
      const attachments = [await send(author, '正文', '正文.txt')];
      const file = await write({ ...secret, submit: false, body_html: '', attachments });
      const done = await write(secret);
      await goOn(done.ticket_id);
      return [file.id, done.id];
    });
    const said = '本系统不处理涉密公文，请按保密规定在涉密系统中办理';
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: draft } })).value;
    const version = { id: place!.id, file: await send(author, '新的', '正文.txt'), reason: '' };
    expect((await author.ask(documentFiles.addVersion, { body: version })).msg).toBe(said);
    const recipients = { users: [librarian.userId], depts: [], roles: [] };
    const body = { document_id: finished, recipients };
    expect((await clerk.ask(distributions.create, { body })).msg).toBe(said);
    expect((await clerk.get(distributions.list, { query: { document_id: finished } })).total).toBe(0);
  });
});

describe('a secret document', () => {
  test('is left out of the exports of lists and figures, though counted on the page for those who see it', async () => {
    const { clerk, write } = school;
    await whileAllowed(async () => {
      await write({ title: '关于普通事项的通知' });
      await write({ ...secret, level: 2, title: '关于金丝雀的通知' });
      const figures = await clerk.get(documentStatistics.call, { query: { dim: 'level' } });
      expect(JSON.stringify(figures)).toContain('特急');
      const told = await sheet(clerk, '/api/document/statistics/?dim=level&export=xlsx');
      expect([told.includes('普通'), told.includes('特急')]).toEqual([true, false]);
      expect(await school.listed(clerk, 'all')).toHaveLength(
        (await clerk.get(documents.list, { query: { category: 'all' } })).total,
      );
      const rows = await sheet(clerk, '/api/document/?category=all&export=xlsx');
      expect([rows.includes('普通事项'), rows.includes('金丝雀')]).toEqual([true, false]);
    });
  });

  test('has no title in a subscribed calendar, even for a person who sees it', async () => {
    const { author, head, office: app, write } = school;
    await whileAllowed(async () => {
      const { ticket_id } = await write({ ...secret, title: '关于百灵的通知' });
      const open = await write({ title: '关于公开事项的通知' });
      await app.services.databases.write((tx) =>
        tx.execute(
          sql`update ticket set due_at = now() + interval '2 days' where id in (${ticket_id}, ${open.ticket_id})`,
        ),
      );
      const { path } = await head.get(feeds.add, { body: { name: '手机', keys: ['tickets'] } });
      const calendar = await (await author.fetch(path)).text();
      expect(calendar).not.toContain('百灵');
      expect(calendar).toContain('关于公开事项的通知');
      expect(calendar).toContain('不公开的事项');
      expect(calendar).toContain(`/document/detail/${open.id}`);
    });
  });

  test('is left out of exported tickets, and named neither by the log nor by the number book', async () => {
    const { author, clerk, goOn, rule, write, office: app } = school;
    await whileAllowed(async () => {
      const open = await write({ title: '关于公开事项的通知' });
      const hidden = await write({ ...secret, title: '关于云雀的通知' });
      await author.get(documents.urge, { params: { id: hidden.id }, body: { content: '云雀请快办' } });
      for (const { ticket_id } of [open, hidden]) await goOn(ticket_id, 16);
      const rows = await sheet(app.admin, '/api/tickets/?category=all&export=xlsx');
      expect([rows.includes('公开事项'), rows.includes('云雀')]).toEqual([true, false]);
      const { value } = await clerk.get(documentSettings.book, { query: { rule_id: rule, per_page: 100 } });
      const named = value.map((row) => row.document_title);
      expect([named.includes('关于公开事项的通知'), named.includes('关于云雀的通知')]).toEqual([true, false]);
    });
    const { rows } = await app.db.execute(sql`select title, diff from log`);
    const told = JSON.stringify(rows);
    expect([told.includes('公开事项'), told.includes('云雀')]).toEqual([true, false]);
  }, 180_000);

  test('is named in no message', async () => {
    const { author, head, write, handle } = school;
    const heard = async (who: Client) =>
      (await who.get(messages.unread, { query: { per_page: 100 } })).value.map((one) => one.title);
    const { id, ticket_id } = await whileAllowed(() => write({ ...secret, title: '关于夜莺的通知' }));
    await author.get(documents.urge, { params: { id }, body: { content: '夜莺请快办' } });
    const [urged, asked] = await heard(head);
    expect(urged).toMatch(/^张拟稿 催办：一份涉密公文/);
    expect(asked).toMatch(/^待办：一份涉密公文/);
    await handle(head, ticket_id, 3, { transition_id: 4, suggestion: '夜莺另报' });
    expect((await heard(author))[0]).toMatch(/退回了：一份涉密公文/);
    const { rows } = await school.office.db.execute(sql`select title, content from msg`);
    expect(JSON.stringify(rows)).not.toContain('夜莺');
  });

  test('is named in the operation log by no action on its ticket, nor is its text', async () => {
    const { author, head, write, handle, office: app } = school;
    const { ticket_id } = await whileAllowed(() => write({ ...secret, title: '关于杜鹃的通知' }));
    const params = { id: ticket_id };
    await head.get(ticketActions.comment, { params, body: { suggestion: '杜鹃待核', mentions: [] } });
    expect((await handle(head, ticket_id, 4, { suggestion: '杜鹃另报' })).code).toBe(0);
    await author.get(ticketActions.close, { params, body: { suggestion: '杜鹃不办了' } });
    const { rows } = await app.db.execute<{ title: string }>(
      sql`select title, diff from log where object_type = '工单' and object_id = ${String(ticket_id)} order by id`,
    );
    expect(rows.map((row) => row.title.replace(/^\S+ /, ''))).toEqual(Array.from({ length: 3 }, () => '一份涉密公文'));
    expect(JSON.stringify(rows)).not.toContain('杜鹃');
  });

  test('cannot be opened in an editor, and its text reaches nobody who does not see it', async () => {
    const { author, stranger, write } = school;
    const { id } = await whileAllowed(async () => {
      const attachments = [await send(author, '正文', '正文.docx.txt')];
      return write({ ...secret, title: '关于黄鹂的通知', submit: false, attachments });
    });
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    const answer = await author.ask(documentFiles.open, { params: { id: place!.id } });
    expect(answer.msg).toMatch(/属于涉密公文，不能在线打开或编辑/);
    expect((await stranger.get(documents.list, { query: { search_value: '黄鹂' } })).total).toBe(0);
  });
});
