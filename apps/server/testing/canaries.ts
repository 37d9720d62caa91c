import { sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { activities } from '#modules/office/activities/contract/activities.ts';
import { alumnusTable } from '#modules/platform/alumni/tables.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { folders } from '#modules/office/folders/contract.ts';
import { leaders as leaderCalls } from '#modules/office/leaders/contract.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { documentNotices } from '#modules/office/notices/contract.ts';
import { secretaryTable, userTable } from '#modules/platform/people/tables.ts';
import { offices } from '#modules/platform/rooms/contract/offices.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { opinions, progress } from '#modules/office/supervision/contract/hung.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { contacts } from '#modules/services/customers/contract/contacts.ts';
import { customers } from '#modules/services/customers/contract/customers.ts';
import { projects } from '#modules/services/customers/contract/projects.ts';
import { visits } from '#modules/services/customers/contract/visits.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { repairCast, submit, headAgrees } from '#modules/workflow/tickets/testing/repair.ts';
import { customNotices } from '#modules/workflow/workflows/contract/notices.ts';
import type { Client, TestOffice } from '../testing.ts';

/** The beginning of every canary, so that one search finds any of them. */
export const song = 'kanarie7f3';
const canary = (name: string) => `${song}${name}`;

/** Values that nobody may read at all. */
export const secrets = ['smskey', 'smssecret', 'mailpassword', 'ssosecret', 'wechatsecret', 'hooktoken', 'code'].map(
  canary,
);
/** The person's phone number, of which others see a part at most. */
export const number = '13812347890';
const batchNumbers = Array.from({ length: 201 }, (_, i) => `139000${String(i).padStart(5, '0')}`);

export type Cast = Awaited<ReturnType<typeof repairCast>> & {
  dept: number;
  sender: Client;
  leader: Client;
  room_id: number;
};

/** The people around the records, before any records exist. */
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
  const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
  const { id: office_id } = await app.admin.get(offices.create, {
    body: { name: '会务', managers: [app.admin.userId], open_hours: always },
  });
  const { id: room_id } = await app.admin.get(rooms.create, {
    body: { name: '一号会议室', office_id, capacity: 20 } as never,
  });
  const leader = await app.clerk(
    { 'leader/list': ['Create', 'Retrieve'] },
    { alias: '校领导', dept, roles: ['staff', 'xld'], dataScope: 5 },
  );
  await app.services.databases.write((tx) =>
    tx.insert(secretaryTable).values({ secretary_id: people.staff.userId, leader_id: leader.userId }),
  );
  return { ...people, dept, sender, leader, room_id: room_id! };
}

async function upload(who: Client, name: string, content: string, module = 'tickets'): Promise<number> {
  const sent = new FormData();
  sent.set('module', module);
  sent.set('file', new Blob([content]), name);
  const answer = await (await who.fetch('/api/file/upload/', { method: 'POST', body: sent })).json();
  return (answer as { data: { id: number } }).data.id;
}

/** Puts canaries into records of one person and department, wherever people write; returns those that some people may read. */
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
  await staff.get(accounts.keepDraft, { body: { key: 'ticket-new-1', value: { values: { title: canary('draft') } } } });
  const absence = { start: '2098-01-01 09:00', end: '2099-01-01 09:00', workflow_ids: [], chain_limit: 1 };
  const delegate = people.username(helper);
  await staff.get(delegations.create, { body: { delegate, reason: canary('reason'), ...absence } });
  await sender.get(sms.send, { body: { mobiles: number, content: canary('smscontent') } });
  await sender.get(sms.send, { body: { mobiles: batchNumbers, content: canary('batch') } });
  await plantPapers(app, people);
  await plantHouse(app, people);
  await plantCustomer(app, people);
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
  const held = 'meeting meetingplace agenda topic requirements meetingguest meetingfile meetingfiletext';
  const declared = 'activity activityplace activitycontent activityphone background';
  const supervised = 'matter mattertext matterneed task tasktext progress problem words';
  const leaders = 'schedule scheduleplace participants remark inside insideplace';
  const clients = 'client clientaddress clienttag clientproject clienturl clientperson clientpost clientvisit';
  const house = `${held} ${declared} ${supervised} ${leaders} ${clients}`;
  return `${read} ${papers} ${beside} ${house}`.split(' ').map(canary);
}

/** A secret document that was distributed to the person, an announcement and a paper for them alone; each has a file. */
async function plantPapers(app: TestOffice, { staff, dept }: Cast): Promise<void> {
  const { rows } = await app.db.execute<{ id: number }>(sql`select min(id) id from folder_category`);
  const to = { all: false, depts: [], roles: [], users: [staff.userId] };
  const fileOf = (name: string, module: string) =>
    upload(app.admin, `${canary(`${name}file`)}.txt`, canary(`${name}filetext`), module);
  const secret = { secret_level: 1 as const, secret_period: '10年', copy_no: '000001' };
  const letter = { doc_kind: 3 as const, title: canary('letter'), body_html: canary('letterbody'), ...secret };
  const attachments = [await fileOf('letter', 'documents')];
  const { id } = await app.admin.get(documents.create, { body: { ...letter, attachments, submit: false } });
  const number = canary('letternumber');
  const search = searchVector({ texts: [letter.title], codes: [number] });
  // An approved document may be distributed, however it was approved.
  await app.services.databases.write(async (tx) => {
    await tx.execute(
      sql`update ticket set act_state = 4, submitted_at = now(), finished_at = now() where biz_module = 'documents' and biz_id = ${id}`,
    );
    await tx.execute(
      sql`update document set act_state = 4, approved = true, doc_number = ${number}, search = ${search} where id = ${id}`,
    );
  });
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

/** A meeting and an activity of the person, their tasks, and the schedule of the leader whose secretary they are. */
async function plantHouse(app: TestOffice, { staff, dept, room_id, leader }: Cast): Promise<void> {
  const day = (days: number) => dayOf(new Date(Date.now() + days * 86_400_000));
  const file = await upload(staff, `${canary('meetingfile')}.txt`, canary('meetingfiletext'), 'meetings');
  const meeting = {
    title: canary('meeting'),
    location: canary('meetingplace'),
    agenda: canary('agenda'),
    topics: [{ title: canary('topic') }],
    requirements: canary('requirements'),
    guests: [{ name: canary('meetingguest') }],
    materials: [file],
    room_id,
    host_id: staff.userId,
    start_time: `${day(1)} 09:00`,
    end_time: `${day(1)} 10:00`,
    submit: true,
  };
  await staff.get(meetCalls.create, { body: meeting });
  const activity = {
    title: canary('activity'),
    type_id: 3,
    phone: canary('activityphone'),
    content: canary('activitycontent'),
    location: canary('activityplace'),
    in_count: 50,
    out_count: 1,
    guests: [{ name: '讲座人', background: canary('background') }],
    start_time: `${day(25)} 14:00`,
    end_time: `${day(25)} 16:00`,
    submit: true,
    confirm: true,
  };
  await staff.get(activities.create, { body: activity as never });
  const due_at = `${day(20)} 17:00`;
  const matter = {
    title: canary('matter'),
    source: 2,
    content: canary('mattertext'),
    requirement: canary('matterneed'),
    lead_dept: dept,
    due_at,
    subs: [{ title: canary('task'), content: canary('tasktext'), owner: staff.userId, dept, due_at }],
  };
  const { id: supervise_id } = await app.admin.get(items.create, { body: matter as never });
  await app.admin.get(items.issue, { params: { id: supervise_id }, body: {} });
  const { value } = await staff.get(items.get, { params: { id: supervise_id } });
  const report = { sub_id: value.subs[0]!.id, percent: 10, content: canary('progress'), problem: canary('problem') };
  await staff.get(progress.report, { body: report });
  await app.admin.get(opinions.create, { body: { supervise_id, type: 2, content: canary('words') } });
  const schedule = {
    leaders: [leader.username],
    start_time: `${day(1)} 14:00`,
    end_time: `${day(1)} 15:00`,
    submit: true,
  };
  const own = { title: canary('schedule'), address: canary('scheduleplace'), visibility: 3 };
  const more = { participants: canary('participants'), remark: canary('remark') };
  await leader.get(leaderCalls.create, { body: { ...schedule, ...own, ...more } as never });
  const inside = { title: canary('inside'), address: canary('insideplace'), visibility: 2 };
  const later = { start_time: `${day(1)} 16:00`, end_time: `${day(1)} 17:00` };
  await leader.get(leaderCalls.create, { body: { ...schedule, ...inside, ...later } as never });
}

/** Words in a secret document and about it: the operation log keeps none of them. */
export const confidential = 'letter letterbody letternote letternumber letterfile letterfiletext'
  .split(' ')
  .map(canary);

/** Puts canaries where the settings keep secrets, and allows secret documents. */
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

/** A customer of the person's department with a project, a contact, and a visit. */
async function plantCustomer({ admin }: TestOffice, { staff, dept }: Cast): Promise<void> {
  const tags = [canary('clienttag')];
  const facts = { name: canary('client'), address: canary('clientaddress'), owner: staff.userId, dept_id: dept, tags };
  const { id: customer_id } = await admin.get(customers.add, { body: facts });
  const project = {
    name: canary('clientproject'),
    url: `https://${canary('clienturl')}.invalid`,
    manager: staff.userId,
  };
  await admin.get(projects.add, { body: { customer_id, ...project } });
  const person = { name: canary('clientperson'), post: canary('clientpost'), mobile: number };
  await admin.get(contacts.add, { body: { customer_id, ...person } });
  const visit = { way: 1, visited_at: '2026-01-01 09:00', content: canary('clientvisit') };
  await admin.get(visits.add, { body: { customer_id, ...visit } as never });
}
