import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { folderCategories, folders } from '#modules/office/folders/contract.ts';
import { links } from '#modules/platform/links/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { documentAdoption } from './contract/adopt.ts';
import { openSchool, type School } from './testing/school.ts';

vi.setConfig({ testTimeout: 180_000 });
let school: School;
let approved: { id: number; ticket_id: number };
let file: number;
beforeAll(async () => {
  school = await openSchool();
  file = await upload(school.author);
  approved = await school.write({ title: '关于印发差旅办法的通知', keywords: '差旅', attachments: [file] });
  await school.goOn(approved.ticket_id);
}, 180_000);
afterAll(() => school.office.close());

async function upload(who: Client, name = '附件.txt'): Promise<number> {
  const sent = new FormData();
  sent.set('module', 'documents');
  sent.set('file', new Blob(['附件内容']), name);
  const answer = await (await who.fetch('/api/file/upload/', { method: 'POST', body: sent })).json();
  return (answer as { data: { id: number } }).data.id;
}
const offered = async (who: Client, query: object = {}) =>
  (await who.get(documentAdoption.adoptable, { query: { per_page: 100, ...query } })).value.map((row) => row.id);
const adopt = (who: Client, document_id: number) => who.ask(documentAdoption.adopt, { body: { document_id } });

test('an approved document can be cited by everybody who sees it; one in progress, closed or revoked cannot', async () => {
  const { author, clerk, stranger, write, goOn } = school;
  const going = await write({ title: '关于途中的通知' });
  const dropped = await write({ title: '关于放弃的通知', submit: false });
  await author.get(ticketActions.close, { params: { id: dropped.ticket_id }, body: { suggestion: '不办了' } });
  const revoked = await write({ title: '关于作废的通知' });
  await goOn(revoked.ticket_id);
  await school.office.admin.get(ticketActions.revoke, {
    params: { id: revoked.ticket_id },
    body: { suggestion: '有误' },
  });
  for (const who of [author, clerk]) {
    const found = await offered(who);
    expect(found).toContain(approved.id);
    for (const other of [going, dropped, revoked]) expect(found).not.toContain(other.id);
  }
  expect(await offered(stranger)).toEqual([]);
  expect(await offered(author, { search_value: '差旅' })).toEqual([approved.id]);
  expect(await offered(author, { doc_kind: 2 })).toEqual([]);
});

test('an incoming letter can be answered while it is still being handled', async () => {
  const { registrar: author } = school;
  const { id } = await author.get(documents.create, {
    body: { doc_kind: 2, title: '关于来信的请示', from_org: '学院', received_date: '2026-11-20', submit: true },
  });
  expect(await offered(author)).not.toContain(id);
  expect(await offered(author, { reply: true })).toContain(id);
  const answer = await school.write({ title: '关于来信的批复', doc_type: 12, reply_to_id: id }, author);
  const { value } = await author.get(documents.get, { params: { id: answer.id } });
  expect(value.reply_to_info).toMatchObject({ id, title: '关于来信的请示' });
  const { value: linked } = await author.get(links.list, { query: { module: 'documents', id } });
  expect(linked.map((one) => [one.name, one.record.id])).toEqual([['答复', answer.id]]);
});

test('one click turns a document once into a draft regulation with its title, number, date, body and files', async () => {
  const { clerk, author, stranger, head, dept, office: app } = school;
  expect((await adopt(stranger, approved.id)).code).toBe(4004);
  expect((await adopt(author, approved.id)).code).toBe(4003);
  const { data } = await adopt(clerk, approved.id);
  const source = (await clerk.get(documents.get, { params: { id: approved.id } })).value;
  const paper = await clerk.get(folders.paper, { params: { id: data.id } });
  expect(paper).toMatchObject({
    title: source.title,
    fwh: source.doc_number,
    publish_date: source.written_date,
    content: '现将期末考试安排通知如下。',
    keywords: '差旅',
    dept,
    status: 0,
    source_document_id: approved.id,
  });
  expect(paper.attachments_info.map((one) => one.name)).toEqual(['附件.txt']);
  expect(paper.attachments).not.toContain(file);
  expect((await adopt(clerk, approved.id)).msg).toMatch(/已转为制度文件“关于印发差旅办法的通知”/);
  // The office sees the link; nobody else sees the draft.
  const sides = async (who: Client) =>
    (await who.get(links.list, { query: { module: 'documents', id: approved.id } })).value.length;
  expect([await sides(clerk), await sides(head)]).toEqual([1, 0]);
  // A user who may make papers and sees the document is not told of a draft that they may not see.
  await app.services.databases.write((tx) =>
    tx.execute(sql`update folder_paper set title = '未公开的草稿' where id = ${data.id}`),
  );
  const code = await app.role({ 'folder/papers': ['Create', 'Retrieve'] }, 5);
  await app.services.databases.write((tx) =>
    tx.execute(
      sql`insert into user_role (user_id, role_id) select ${author.userId}, id from role where code = ${code}`,
    ),
  );
  const again = await adopt(await app.signIn(author.userId), approved.id);
  expect([again.code, again.msg]).toEqual([-1, '这份公文已转为制度文件，不用重复操作']);
  const going = await school.write({ title: '关于未批的通知' });
  expect((await adopt(clerk, going.id)).code).toBe(4010);
});

test('a document that cites a repealed regulation warns of it, without naming one the reader does not see', async () => {
  const { clerk, author, write, detail, elsewhere, dept } = school;
  const [category] = await clerk.get(folderCategories.list);
  const repealed = async (title: string, fwh: string, scope: object) => {
    const { id } = await clerk.get(folders.createPaper, {
      body: {
        title,
        fwh,
        category_id: category!.id,
        dept,
        publish_date: '2024-01-01',
        content: '一、总则',
        scope,
        status: 1,
      } as never,
    });
    const body = { status: 3 as const, repeal_reason: '过时', repeal_date: '2026-06-01' };
    await clerk.get(folders.updatePaper, { params: { id: id! }, body });
  };
  await repealed('旧考试办法', '校教〔2024〕6号', { all: true });
  await repealed('金丝雀办法', '校密〔2024〕7号', { depts: [elsewhere] });
  const { id } = await write({ body_html: '根据校教[2024] 6 号和《金丝雀办法》（校密〔2024〕7号），安排如下。' });
  const outdated = (await detail(author, id)).warnings.filter((one) => one.includes('废止'));
  expect(outdated).toEqual(['正文引用的《旧考试办法》（校教〔2024〕6号）已废止']);
});

test('a secret document is neither offered to be turned into a regulation nor accepted', async () => {
  const { office: app, author, clerk, write } = school;
  const allow = (allow_secret: boolean) => app.admin.get(settings.saveSite, { body: { allow_secret } });
  await allow(true);
  try {
    const secret = { secret_level: 1, secret_period: '10年', copy_no: '000001' };
    const { id, ticket_id } = await write({ title: '关于秘密的通知', ...secret });
    await school.goOn(ticket_id);
    expect((await author.get(documents.get, { params: { id } })).value.act_state).toBe(4);
    for (const who of [author, clerk, app.admin]) expect(await offered(who)).not.toContain(id);
    expect((await adopt(clerk, id)).code).toBe(4004);
    expect((await clerk.get(tickets.list, { query: { per_page: 1 } })).total).toBeGreaterThan(0);
  } finally {
    await allow(false);
  }
});

test('turning a document with twenty attachments into a regulation takes as many statements as with one', async ({
  skip,
}) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const { author, clerk, write, goOn } = school;
  /** Waits for the finished PDF, which is a file too and is not to be counted. */
  const pressed = () =>
    eventually(async () => {
      const { rows } = await school.office.db.execute(
        sql`select from graphile_worker.jobs where task_identifier = 'document_final'`,
      );
      expect(rows).toEqual([]);
    }, 180_000);
  const made = async (files: number) => {
    const attachments: number[] = [];
    for (let file = 0; file < files; file += 1) attachments.push(await upload(author, `附件${file}.txt`));
    const { id, ticket_id } = await write({ title: `关于 ${files} 个附件的通知`, attachments });
    await goOn(ticket_id);
    await pressed();
    let paper = 0;
    const statements = await counted(clerk, async () => {
      paper = (await adopt(clerk, id)).data.id;
    });
    const { attachments_info } = await clerk.get(folders.paper, { params: { id: paper } });
    // Only statements on files and papers; others may run at the same time.
    const ours = statements.filter((text) => /\bfile\b|folder_paper/.test(text));
    return { statements: ours, names: attachments_info.map((one) => one.name) };
  };
  const [one, many] = [await made(1), await made(20)];
  expect(one.names).toEqual(['附件0.txt']);
  expect(many.names).toEqual(Array.from({ length: 20 }, (_, file) => `附件${file}.txt`));
  expect(one.statements.length).toBeGreaterThan(3);
  expect(many.statements).toEqual(one.statements);
});
