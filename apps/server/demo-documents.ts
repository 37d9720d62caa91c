import { eq, sql } from 'drizzle-orm';
import { dayMs, dayOf, daysLater } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { redheadTable } from '#modules/platform/letterheads/tables.ts';
import { createDocument } from '#modules/office/documents/record/commands.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { documentRules } from '#modules/office/documents/contract/rules.ts';
import { documentCategoryTable, numberRuleTable } from '#modules/office/documents/tables.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { distribute } from '#modules/office/distributions/service.ts';
import { readCopy } from '#modules/office/distributions/reading/reading.ts';
import { documentNotices } from '#modules/office/notices/contract.ts';
import { publish } from '#modules/office/notices/publishing.ts';
import { readNotice } from '#modules/office/notices/reading.ts';
import { deptTable } from '#modules/platform/people/tables.ts';
import { demoViewers } from '#modules/platform/people/demo.ts';
import { act } from '#modules/workflow/tickets/commands/commands.ts';
import { demoCategories, demoDocuments, demoNotices, type DemoDocument } from './demo-letters.ts';

const hour = 3_600_000;
const origin = { ip: '127.0.0.1', userAgent: 'demo', traceId: 'demo' };

interface Stage {
  tx: Db;
  person(username: string): Promise<Viewer>;
}

/** Adds documents in every state, handled by people of the demonstration; some distributed and read, with notices about them. */
export async function addDemoDocuments(tx: Db, now: Date): Promise<void> {
  const stage: Stage = { tx, person: demoViewers(tx) };
  // The default lists are replaced by those of the demonstration.
  for (const table of [documentCategoryTable, numberRuleTable, redheadTable]) await tx.delete(table);
  const rules = await tx
    .insert(numberRuleTable)
    .values([
      { agency_code: '校发', scope: '学校发文' },
      { agency_code: '校办', scope: '党政办公室发文' },
    ])
    .returning({ id: numberRuleTable.id });
  const [letters] = await tx
    .insert(documentCategoryTable)
    .values(
      demoCategories.map(({ own, ...one }) => ({ ...one, number_rule_id: own === undefined ? null : rules[own]!.id })),
    )
    .returning({ id: documentCategoryTable.id });
  // The issuing organisation and the letterhead are chosen, never typed.
  const orgs = ['示范大学', '中共示范大学委员会'];
  await tx.insert(settingTable).values({ key: documentRules.key, value: { orgs: orgs.join('\n') } });
  const heads = [
    { name: '学校发文', is_default: true },
    { name: '校长办公会议纪要', org_line: '校长办公会议纪要', doc_types: [15] },
    { name: '校长令', org_line: '示范大学令', doc_types: [3] },
  ];
  await tx.insert(redheadTable).values(heads.map((one) => ({ ...one, colour: '#e60012' })));
  const finished: { id: number; doc: DemoDocument; at: Date }[] = [];
  for (const doc of demoDocuments) {
    const made = await live(stage, doc, letters!.id, now);
    if (doc.given) finished.push({ ...made, doc });
  }
  for (const one of finished) await giveOut(stage, one, now);
  await announce(stage, now);
}

/** Creates a document and takes it through its steps, with some hours in between. */
async function live({ tx, person }: Stage, doc: DemoDocument, category: number, now: Date) {
  let at = daysLater(now, -doc.days);
  const desk = async (username: string) => ({ tx, origin, now: at, user: await person(username) });
  const { author, steps, days: _days, given: _given, ...written } = doc;
  const received_date = dayOf(at);
  const numbered = { 1: { category_id: category, issue_org: '示范大学' }, 2: { received_date }, 3: {} }[
    written.doc_kind
  ];
  const body = documents.create.body!.parse({ ...numbered, ...written, submit: doc.submit ?? true });
  const made = await createDocument({ ...(await desk(author)), audit: () => undefined }, body);
  for (const [username, transition_id, suggestion, asked] of steps) {
    at = new Date(Math.min(at.getTime() + 5 * hour, now.getTime() - hour));
    const lead = asked?.['lead_dept'];
    const fields = { ...asked, ...(lead ? { lead_dept: await deptCalled(tx, String(lead)) } : {}) };
    const action = { type: 'handle', transition_id, suggestion, fields, choose: {} } as const;
    await act(await desk(username), made.ticket_id, action);
  }
  const begun = daysLater(now, -doc.days).toISOString();
  await tx.execute(
    sql`update document set gmt_created = ${begun}, gmt_modified = ${at.toISOString()} where id = ${made.id}`,
  );
  await tx.execute(sql`
    update ticket set gmt_created = ${begun}, gmt_modified = ${at.toISOString()},
      submitted_at = case when submitted_at is not null then ${begun}::timestamptz end,
      finished_at = case when finished_at is not null then ${at.toISOString()}::timestamptz end
    where id = ${made.ticket_id}`);
  return { id: made.id, at };
}

async function deptCalled(tx: Db, code: string): Promise<number> {
  const [dept] = await tx.select({ id: deptTable.id }).from(deptTable).where(eq(deptTable.code, code));
  return dept!.id;
}

async function giveOut(
  { tx, person }: Stage,
  { id, doc, at }: { id: number; doc: DemoDocument; at: Date },
  now: Date,
): Promise<void> {
  const given = doc.given!;
  const codes = sql.param([...given.depts]);
  const { rows: depts } = await tx.execute<{ id: number }>(
    sql`select id from ${deptTable} where code = any(${codes}::text[])`,
  );
  const deadline = new Date(now.getTime() + (given.daysLeft + 1 / 3) * dayMs)
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ');
  const asked = distributions.create.body!.parse({
    document_id: id,
    recipients: { depts: depts.map((dept) => dept.id) },
    note: given.note,
    need_receipt: given.need_receipt,
    deadline,
  });
  const sender = { tx, user: await person('chen.guodong'), now: new Date(at.getTime() + hour) };
  const dist = await distribute(sender, asked);
  for (const [username, reply] of given.read)
    await readCopy(tx, (await person(username)).id, { id: dist.id, client: 'Mozilla/5.0 (X11; Linux)', reply });
}

async function announce({ tx, person }: Stage, now: Date): Promise<void> {
  for (const { read, ...notice } of demoNotices) {
    const body = documentNotices.publish.body!.parse(notice);
    const id = await publish(tx, await person('chen.guodong'), body, now);
    for (const username of read) await readNotice(tx, (await person(username)).id, id);
  }
}
