import { sql } from 'drizzle-orm';
import { searchVector } from '#kernel/server/list/search.ts';
import { accounts } from '#modules/accounts/contract.ts';
import { alumnusTable } from '#modules/alumni/tables.ts';
import { post } from '#modules/deliveries/service.ts';
import { distributions } from '#modules/distributions/contract.ts';
import { documents } from '#modules/documents/contract.ts';
import { folders } from '#modules/folders/contract.ts';
import { messages } from '#modules/messages/contract.ts';
import { documentNotices } from '#modules/notices/contract.ts';
import { userTable } from '#modules/people/tables.ts';
import { settings } from '#modules/settings/contract.ts';
import { sms } from '#modules/sms/contract.ts';
import { delegations } from '#modules/delegations/contract.ts';
import { ticketActions } from '#modules/tickets/contract/actions.ts';
import { repairCast, submit, headAgrees } from '#modules/tickets/testing/repair.ts';
import { customNotices } from '#modules/workflows/contract/notices.ts';
import type { Client, TestOffice } from '../testing.ts';

/** Begins every canary, so that one look finds any of them. */
export const song = 'kanarie7f3';
const canary = (name: string) => `${song}${name}`;

/** What nobody may read at all, whoever they are. */
export const secrets = ['smskey', 'smssecret', 'mailpassword', 'ssosecret', 'wechatsecret', 'hooktoken', 'code'].map(
  canary,
);
/** The person's number, which others see in part at most. */
export const number = '13812347890';
const batchNumbers = Array.from({ length: 201 }, (_, i) => `139000${String(i).padStart(5, '0')}`);

export type Cast = Awaited<ReturnType<typeof repairCast>> & { dept: number; sender: Client };

/** The people around the records, before there are any. */
export async function cast(app: TestOffice): Promise<Cast> {
  const people = await repairCast(app);
  const [row] = await app.db
    .select({ dept: userTable.dept_id })
    .from(userTable)
    .where(sql`${userTable.id} = ${people.staff.userId}`);
  const dept = row!.dept!;
  const sender = await app.clerk({ 'sms/send': ['Create'], 'msg/send': ['Create'] }, { dept, dataScope: 3 });
  await app.services.databases.write((tx) =>
    tx.execute(sql`update app_user set phone = ${number} where id = ${people.staff.userId}`),
  );
  return { ...people, dept, sender };
}

async function upload(who: Client, name: string, content: string, module = 'tickets'): Promise<number> {
  const sent = new FormData();
  sent.set('module', module);
  sent.set('file', new Blob([content]), name);
  const answer = await (await who.fetch('/api/file/upload/', { method: 'POST', body: sent })).json();
  return (answer as { data: { id: number } }).data.id;
}

/** Puts canaries into records of one person and department, wherever people write; answers all that somebody may read. */
export async function plant(app: TestOffice, people: Cast): Promise<string[]> {
  const { staff, head, helper, sender, dept } = people;
  const { write } = app.services.databases;
  const file = await upload(staff, `${canary('filename')}.txt`, `内容 ${canary('filecontent')}`);
  const { id } = await people.begin(
    { title: canary('title'), place: canary('place'), description: canary('description'), photos: [file] },
    submit,
  );
  await staff.get(ticketActions.comment, { params: { id }, body: { suggestion: canary('comment'), mentions: [] } });
  await people.does(head, id, headAgrees, { suggestion: canary('opinion') });
  const notice = { title: canary('notice'), content: canary('noticecontent'), recipients: { users: [staff.userId] } };
  await sender.get(messages.send, { body: notice });
  await staff.get(accounts.keepPreference, { body: { key: 'phrases', value: [canary('phrase')] } });
  const absence = { start: '2098-01-01 09:00', end: '2099-01-01 09:00', workflow_ids: [], chain_limit: 1 };
  const delegate = people.username(helper);
  await staff.get(delegations.create, { body: { delegate, reason: canary('reason'), ...absence } });
  await sender.get(sms.send, { body: { mobiles: number, content: canary('smscontent') } });
  await sender.get(sms.send, { body: { mobiles: batchNumbers, content: canary('batch') } });
  await plantPapers(app, people);
  await write(async (tx) => {
    const about = { key: canary('key'), module: 'tickets', objectId: id, userId: staff.userId };
    const target = `https://${canary('host')}.invalid/${canary('hooktoken')}`;
    await post(tx, [
      { channel: 'hook', target, title: canary('delivery'), body: { payload: canary('payload') }, ...about },
    ]);
    const search = searchVector({ texts: [canary('company')], names: [canary('alumnus')] });
    const alumnus = { name: canary('alumnus'), student_no: '20010001', college: canary('college') };
    const place = { city: canary('city'), company: canary('company'), major: canary('major') };
    await tx.insert(alumnusTable).values({ creator_id: sender.userId, dept_id: dept, search, ...alumnus, ...place });
    await app.services.sendCode(tx, {
      phone: number,
      code: canary('code'),
      scene: 'login',
      minutes: 5,
      reachable: true,
    });
  });
  const read = 'filename filecontent title place description comment opinion notice noticecontent phrase reason';
  const letters = 'letter letterbody letternote letternumber letterfile letterfiletext announcement announced';
  const papers = `${letters} paper papertext papernumber paperfile paperfiletext`;
  const beside = 'smscontent batch key host delivery alumnus college city company major';
  return `${read} ${papers} ${beside}`.split(' ').map(canary);
}

/** A secret document that was given to the person, an announcement of documents and a paper for them alone; each has a file. */
async function plantPapers(app: TestOffice, { staff, dept }: Cast): Promise<void> {
  const { rows } = await app.db.execute<{ id: number }>(sql`select min(id) id from folder_category`);
  const to = { all: false, depts: [], roles: [], users: [staff.userId] };
  const fileOf = (name: string, module: string) =>
    upload(app.admin, `${canary(`${name}file`)}.txt`, canary(`${name}filetext`), module);
  const secret = { secret_level: 1 as const, secret_period: '10年', copy_no: '000001' };
  const letter = { doc_kind: 3 as const, title: canary('letter'), body_html: canary('letterbody'), ...secret };
  const attachments = [await fileOf('letter', 'documents')];
  const { id } = await app.admin.get(documents.create, { body: { ...letter, attachments, submit: false } as never });
  const number = canary('letternumber');
  const search = searchVector({ texts: [letter.title], codes: [number] });
  // What is through may be given out, whichever way it went there.
  await app.services.databases.write((tx) =>
    tx.execute(
      sql`update document set act_state = 4, approved = true, doc_number = ${number}, search = ${search} where id = ${id}`,
    ),
  );
  await app.admin.get(distributions.create, { body: { document_id: id, recipients: to, note: canary('letternote') } });
  const announcement = { title: canary('announcement'), content: canary('announced') };
  await app.admin.get(documentNotices.publish, { body: { ...announcement, recipients: to } });
  const paper = {
    title: canary('paper'),
    content: canary('papertext'),
    category_id: rows[0]!.id,
    dept,
    fwh: canary('papernumber'),
    attachments: [await fileOf('paper', 'folders')],
    status: 1,
    must_read: true,
  };
  await app.admin.get(folders.createPaper, { body: { ...paper, publish_date: '2026-03-01', scope: to } as never });
}

/** What is said in a secret document and of it: the operation log keeps none of it. */
export const confidential = 'letter letterbody letternote letternumber letterfile letterfiletext'
  .split(' ')
  .map(canary);

/** Puts canaries where the settings keep secrets, and lets the house keep secret documents. */
export async function plantSecrets(app: TestOffice): Promise<void> {
  await app.admin.get(settings.saveSite, { body: { allow_secret: true } });
  const groups = {
    sms: { key: canary('smskey'), secret: canary('smssecret') },
    mail: { password: canary('mailpassword') },
    sso: { secret: canary('ssosecret') },
    wechat: { secret: canary('wechatsecret') },
  };
  await app.admin.get(settings.saveInterfaces, { body: groups as never });
  const hook = { name: '值班群', type_id: 1, hook_url: 'https://example.com/hook', hook_token: canary('hooktoken') };
  await app.admin.get(customNotices.add, { body: hook as never });
}
