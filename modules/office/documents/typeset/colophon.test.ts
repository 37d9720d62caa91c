import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { letterheads } from '#modules/platform/letterheads/contract.ts';
import { sourceCalls } from '#modules/office/stamps/contract/application.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { dateText } from '#modules/platform/typesetting/service.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { userDeptTable } from '#modules/platform/people/tables.ts';
import { verifiedDocuments } from '../service.ts';
import { documents } from '../contract.ts';
import { documentCategories } from '../contract/categories.ts';
import { openSchool, type School } from '../testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const pdfOf = async (id: number) => {
  const response = await school.author.fetch(`/api/document/${id}/pdf/`);
  return Buffer.from(await response.arrayBuffer());
};
/** The lines at the foot of the last page, without typesetting gaps. */
const wordsOf = async (bytes: Buffer) =>
  (await readPaper(bytes)).texts.map((one) => one.text.replace(/\s/g, '')).join('');
const frozen = async (id: number) =>
  eventually(async () => {
    const { rows } = await school.office.db.execute<{ sha256: string }>(sql`
        select f.sha256 from document d join file f on f.id = d.final_file where d.id = ${id} and d.final_frozen`);
    expect(rows).toHaveLength(1);
    return rows[0]!.sha256;
  });
const sealing = 16;
const copy_send = [{ type: 'org' as const, name: '省教育厅' }];

test('an issued letter has 抄送, 印发机关 and 印发日期 though nobody filled them in, on paper and in the record alike', async () => {
  const { author, write, goOn, detail, office: app } = school;
  const { id, ticket_id } = await write({ copy_send });
  await goOn(ticket_id);
  const sha256 = await frozen(id);
  const { print_org, print_date } = await detail(author, id);
  expect(print_org).toBe('某某大学办公室');
  const bytes = await pdfOf(id);
  expect(await wordsOf(bytes)).toContain(`抄送：省教育厅。某某大学办公室${dateText(print_date)}印发`);
  const known = await verifiedDocuments(app.db, id);
  expect(known?.files.find((one) => one.what === '成品文件')?.sha256).toBe(sha256);
});

test('the sealing office sees the printing block beforehand and may change it', async () => {
  const { author, clerk, write, goOn, handle, detail } = school;
  const { id, ticket_id } = await write();
  expect((await detail(author, id)).colophon).toBeNull();
  await goOn(ticket_id, sealing);
  const before = await detail(clerk, id);
  expect([before.state_name, before.print_org, before.print_date]).toEqual(['用印', '', null]);
  expect(before.colophon?.print_org).toBe('某某大学办公室');
  expect(await wordsOf(await pdfOf(id))).toContain(`某某大学办公室${dateText(before.colophon!.print_date)}印发`);
  const params = { id };
  await clerk.get(documents.update, { params, body: { print_org: '某某大学党委办公室', print_date: '2099-12-30' } });
  expect((await detail(clerk, id)).colophon).toEqual({ print_org: '某某大学党委办公室', print_date: '2099-12-30' });
  await handle(clerk, ticket_id, sealing);
  expect(await wordsOf(await pdfOf(id))).toContain('某某大学党委办公室2099年12月30日印发');
  await clerk.get(documents.update, { params, body: { print_date: '2099-12-31', print_copies: 30 } });
  await handle(clerk, ticket_id, 17);
  await frozen(id);
  const after = await detail(author, id);
  expect([after.print_org, after.print_date, after.colophon]).toEqual(['某某大学党委办公室', '2099-12-31', null]);
  expect(await wordsOf(await pdfOf(id))).toContain('某某大学党委办公室2099年12月31日印发');
});

test('the printing office is that of the category’s letterhead, else the house’s own office', async () => {
  const { clerk, write, goOn, detail, office: app } = school;
  const orgOf = async (body: object) => {
    const { id, ticket_id } = await write(body);
    await goOn(ticket_id, sealing);
    return (await detail(clerk, id)).colophon?.print_org;
  };
  const room = await app.dept('党政办公室');
  await app.services.databases.write((tx) =>
    tx.insert(userDeptTable).values({ user_id: clerk.userId, dept_id: room }).onConflictDoNothing(),
  );
  expect(await orgOf({})).toBe('某某大学党政办公室');
  expect(await orgOf({ issue_org: '某某大学教务处' })).toBe('某某大学党政办公室');
  expect(await orgOf({ issue_org: '某某大学党政办公室' })).toBe('某某大学党政办公室');
  const head = await clerk.get(letterheads.add, {
    body: { name: '党委发文', org_line: '中共某某大学委员会文件', print_org: '中共某某大学委员会办公室' },
  });
  const category = await clerk.get(documentCategories.add, {
    body: { name: '党委发文', code: 'DW', doc_kind: 1, number_rule_id: school.rule, redhead_id: head.id },
  });
  expect(await orgOf({ category_id: category.id, number_rule_id: undefined })).toBe('中共某某大学委员会办公室');
});

test('a letter moved to its end past the sealing has its printing block too, and one returned to its author starts anew', async () => {
  const { author, clerk, write, goOn, handle, detail, office: app } = school;
  const put = async (ticketId: number, to: string) => {
    const { rows } = await app.db.execute<{ id: number }>(sql`
      select (s ->> 'id')::int as id from ticket t join workflow_version v on v.id = t.version_id,
        jsonb_array_elements(v.definition -> 'states') s where t.id = ${ticketId} and s ->> 'key' = ${to}`);
    const body = { state_id: rows[0]!.id, suggestion: '调整' };
    expect((await clerk.ask(ticketActions.state, { params: { id: ticketId }, body })).code).toBe(0);
  };
  const one = await write();
  await goOn(one.ticket_id, sealing);
  await put(one.ticket_id, 'done');
  await frozen(one.id);
  const { print_org, print_date } = await detail(author, one.id);
  expect([print_org, print_date]).toEqual(['某某大学党政办公室', expect.stringMatching(/^\d{4}-/) as string]);
  const other = await write();
  await goOn(other.ticket_id, sealing);
  await handle(clerk, other.ticket_id, sealing);
  expect((await detail(author, other.id)).print_date).not.toBeNull();
  await put(other.ticket_id, 'draft');
  expect((await detail(author, other.id)).print_date).toBeNull();
});

test('an issued letter offers its finished pages for sealing, and one not issued offers none', async () => {
  const { author, write, goOn } = school;
  const offerOf = async (id: number) =>
    (await author.get(sourceCalls.source, { query: { module: 'documents', id } })).offer;
  const { id, ticket_id } = await write({ title: '用印的通知' });
  expect(await offerOf(id)).toBeNull();
  await goOn(ticket_id);
  await frozen(id);
  const offer = await offerOf(id);
  expect(offer).toMatchObject({ file_kind: 1, receiver: '各学院', files: [{ ext: 'pdf' }] });
  expect(offer!.title).toContain('用印的通知');
});
