import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsBatchTable, smsLogTable, smsOptOutTable } from '#modules/platform/sms/tables.ts';
import { alumni } from './contract.ts';
import { consentUnsaid, optOutStays, studentNoTaken } from './contract/one.ts';
import { alumnusTable } from './tables.ts';
import { bringIn, sheetOf } from './testing/sheets.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let clerk: Client;
beforeAll(async () => {
  app = await openTestApp();
  clerk = await app.clerk({
    'alumnus/list': ['Create', 'Retrieve', 'Update', 'Delete'],
    'sms/send': ['Create', 'Retrieve'],
    'sms/logs': ['Retrieve', 'chuli'],
  });
  await app.admin.get(sms.saveRule, { body: { quiet: '00:00-00:00' } });
});
afterAll(() => app.close());

const titles = ['姓名', '学号', '学院', '手机', '同意短信', '同意日期', '同意来源', '已退订'];
const consent = ['是', '2024-06-01', '返校登记表'];
const bring = async (name: string, no: string, mobile: string, ...more: string[]) => {
  const told = await bringIn(clerk, await sheetOf(titles, [[name, no, '文学院', mobile, ...consent, ...more]]));
  expect(told.data).toMatchObject({ imported: 1 });
  return idOf(no);
};
const kept = async (no: string) => (await app.db.select().from(alumnusTable).where(eq(alumnusTable.student_no, no)))[0];
const idOf = async (no: string) => (await kept(no))!.id;
const change = (id: number, body: object, who = clerk) =>
  who.ask(alumni.change, { params: { id }, body: body as never });
const add = (body: object, who = clerk) => who.ask(alumni.add, { body: body as never });
const erase = (id: number, who = clerk) => who.ask(alumni.erase, { params: { id } });
const textTo = (body: object) => clerk.get(sms.send, { body: { content: '校庆邀请', ...body } as never });
const logOf = (batch: number) => app.db.select().from(smsLogTable).where(eq(smsLogTable.batch_id, batch));
/** The content of every table, one row per line. */
async function everything(): Promise<string> {
  const { rows: tables } = await app.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  let text = '';
  for (const { name } of tables) {
    const { rows } = await app.db.execute<{ said: string | null }>(
      sql`select string_agg(row_to_json(t)::text, chr(10)) as said from ${sql.identifier(name)} t`,
    );
    text += `${name}\n${rows[0]?.said ?? ''}\n`;
  }
  return text;
}

test('an alumnus is added once per student number, logged without personal data, and marked if their number opted out', async () => {
  await app.admin.get(sms.optOut, { body: { mobile: '13700020021' } });
  const body = { name: '陆新添', student_no: '19990201', graduate_year: 2003, mobile: '13700020021' };
  expect(await add({ ...body, consent_sms: true })).toRefuse(consentUnsaid);
  const added = await add({ ...body, consent_sms: true, consent_at: '2024-06-01', consent_from: '返校登记表' });
  expect(added.code).toBe(0);
  const row = await kept('19990201');
  expect(row).toMatchObject({
    id: added.data.id,
    name: '陆新添',
    mobile_tail: '0021',
    opt_out: true,
    consent_sms: true,
  });
  expect(row!.mobile).not.toContain('13700020021');
  expect(await add({ ...body, name: '陆另一人' })).toRefuse(studentNoTaken, '19990201');
  expect((await clerk.get(alumni.choose, { query: { search_value: '陆新添' } })).value).toMatchObject([
    { id: added.data.id, actions: ['update', 'delete'] },
  ]);
  const { rows } = await app.db.execute<{ said: string }>(
    sql`select row_to_json(l)::text as said from log l where object_type = '校友' and object_id = ${added.data.id}`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.said).toContain('新增');
  for (const word of ['陆新添', '19990201', '13700020021']) expect(rows[0]!.said).not.toContain(word);
  const reader = await app.clerk({ 'alumnus/list': ['Retrieve', 'Update'] });
  expect((await add({ ...body, student_no: '19990202' }, reader)).code).toBe(4003);
});

test('adding an alumnus shows those with the same number, or the same name and year, within the user’s reach', async () => {
  const first = await add({ name: '白重名', student_no: '19990203', graduate_year: 2004, mobile: '13700020022' });
  const second = await add({ name: '白重名', student_no: '19990204', graduate_year: 2005 });
  const undated = await add({ name: '白重名', student_no: '19990205' });
  const alike = (body: object, who = clerk) =>
    who.get(alumni.alike, { body: { graduate_year: null, ...body } as never });
  expect(await alike({ name: '白重名', graduate_year: 2004 })).toMatchObject([
    { id: first.data.id, student_no: '19990203', same_mobile: false },
  ]);
  expect(await alike({ name: '白改名', mobile: '13700020022' })).toMatchObject([
    { id: first.data.id, same_mobile: true },
  ]);
  expect((await alike({ name: '白重名', graduate_year: 2005, mobile: '13700020022' })).map(({ id }) => id)).toEqual([
    first.data.id,
    second.data.id,
  ]);
  expect((await alike({ name: '白重名' })).map(({ id }) => id)).toEqual([undated.data.id]);
  expect(await alike({ name: '白重名', graduate_year: 2004, except: first.data.id })).toEqual([]);
  // People with read access only cannot find out whose a number is.
  const reader = await app.clerk({ 'alumnus/list': ['Retrieve', 'Update'] });
  expect((await reader.ask(alumni.alike, { body: { name: '', mobile: '13700020022' } as never })).code).toBe(4003);
  const narrow = await app.clerk(
    { 'alumnus/list': ['Create', 'Retrieve'] },
    { dept: await app.dept('远处'), dataScope: 3 },
  );
  expect(await alike({ name: '白重名', graduate_year: 2004, mobile: '13700020022' }, narrow)).toEqual([]);
});

test('an edited alumnus changes only in the fields sent, and the log names the fields without values', async () => {
  const id = await bring('顾望舒', '19990101', '13700020001');
  const before = await kept('19990101');
  expect((await change(id, { company: '望舒书局', graduate_year: 2003, version: before!.version })).code).toBe(0);
  expect(await kept('19990101')).toMatchObject({
    name: '顾望舒',
    company: '望舒书局',
    graduate_year: 2003,
    college: '文学院',
    consent_sms: true,
    mobile: before!.mobile,
  });
  expect((await clerk.get(alumni.choose, { query: { search_value: '望舒书局' } })).total).toBe(1);
  expect((await change(id, { city: '杭州', version: before!.version })).code).toBe(4011);
  const { rows } = await app.db.execute<{ said: string }>(
    sql`select row_to_json(l)::text as said from log l where object_type = '校友'`,
  );
  const said = rows.map((row) => row.said).join();
  expect(said).toContain('单位');
  for (const word of ['望舒', '19990101', '13700020001']) expect(said).not.toContain(word);
});

test('a changed number is checked against opt-outs, can be removed, and consent needs a date and a source', async () => {
  const id = await bring('苏长安', '19990102', '13700020002');
  await app.admin.get(sms.optOut, { body: { mobile: '13700020003' } });
  expect((await change(id, { mobile: '13700020004' })).code).toBe(0);
  expect(await kept('19990102')).toMatchObject({ mobile_tail: '0004', opt_out: false });
  expect((await change(id, { mobile: '13700020003' })).code).toBe(0);
  expect(await kept('19990102')).toMatchObject({ mobile_tail: '0003', opt_out: true });
  expect(await change(id, { opt_out: false })).toRefuse(optOutStays);
  expect((await change(id, { without_mobile: true })).code).toBe(0);
  expect(await kept('19990102')).toMatchObject({ mobile: null, mobile_mark: null, mobile_tail: null });
  expect(await change(id, { consent_from: '' })).toRefuse(consentUnsaid);
  expect((await change(id, { consent_sms: false })).code).toBe(0);
  expect(await kept('19990102')).toMatchObject({ consent_sms: false, consent_at: null, consent_from: '' });
  await bring('苏长乐', '19990103', '13700020005');
  expect(await change(id, { student_no: '19990103' })).toRefuse(studentNoTaken, '19990103');
});

test('an erased alumnus is nowhere in the system, and only the sending, its sender and cost remain', async () => {
  const id = await bring('欧阳拂晓', '19990104', '13700020006');
  const alone = await textTo({ alumnus_ids: [id], content: '欧阳拂晓校友您好，请柬已寄出' });
  const typed = await textTo({ mobiles: '13700020006', content: '再次邀请' });
  for (const { batch_id } of [alone, typed])
    await eventually(async () => expect((await logOf(batch_id))[0]).toMatchObject({ state: 3 }));
  const [was] = await logOf(alone.batch_id);
  expect((await erase(id)).code).toBe(0);
  expect(await kept('19990104')).toBeUndefined();
  const text = await everything();
  for (const word of ['欧阳拂晓', '19990104', '13700020006', '0006"', was!.mobile, was!.mobile_mark])
    expect(text.includes(word), word).toBe(false);
  const [row] = await logOf(alone.batch_id);
  expect(row).toMatchObject({
    sender_id: was!.sender_id,
    segments: was!.segments,
    gmt_created: was!.gmt_created,
    batch_id: was!.batch_id,
    name: '',
    mobile: '',
    alumnus_id: null,
    params: {},
    content: '（内容已随收件人资料删除）',
  });
  const listed = await clerk.get(sms.logs, { query: { per_page: 100 } });
  expect(listed.value.find((one) => one.id === row!.id)).toMatchObject({ name: '', mobile: '*'.repeat(11) });
  expect((await clerk.ask(sms.resend, { params: { id: row!.id } })).msg).toContain('收件人的资料已删除');
});

test('a message to many stays for the other recipients when one is erased', async () => {
  const [gone, stays] = [
    await bring('程去', '19990105', '13700020007'),
    await bring('程留', '19990106', '13700020008'),
  ];
  const sent = await textTo({ alumnus_ids: [gone, stays] });
  expect((await erase(gone)).code).toBe(0);
  const rows = await logOf(sent.batch_id);
  expect(rows.map(({ name, content }) => [name, content.includes('校庆邀请')]).toSorted()).toEqual([
    ['', false],
    ['程留', true],
  ]);
  const [batch] = await app.db.select().from(smsBatchTable).where(eq(smsBatchTable.id, sent.batch_id));
  expect(batch).toMatchObject({ content: '校庆邀请', total: 2 });
});

test('a waiting message is not sent to an erased alumnus, and one waiting for a second person costs nothing', async () => {
  const id = await bring('沈未到', '19990107', '13700020009');
  const ahead = dayOf(new Date(Date.now() + 200 * 86_400_000));
  const later = await textTo({ alumnus_ids: [id], send_at: `${ahead} 09:00` });
  const others = Array.from({ length: 201 }, (_none, at) => `1371${String(at).padStart(7, '0')}`).join(' ');
  const waiting = await textTo({ alumnus_ids: [id], mobiles: others, content: '大批邀请' });
  const batch = async () =>
    (await app.db.select().from(smsBatchTable).where(eq(smsBatchTable.id, waiting.batch_id)))[0]!;
  const before = await batch();
  expect((await erase(id)).code).toBe(0);
  expect(await logOf(later.batch_id)).toMatchObject([{ state: 4, name: '' }]);
  const after = await batch();
  expect([before.total - after.total, before.segments - after.segments]).toEqual([1, 1]);
  expect(await logOf(waiting.batch_id)).toHaveLength(after.total);
});

test('an opted-out number stays opted out after its alumnus is erased, and stays with another alumnus who has it', async () => {
  const id = await bring('吴退订', '19990108', '13700020010', '是');
  expect((await erase(id)).code).toBe(0);
  expect(await app.db.select().from(smsOptOutTable).where(eq(smsOptOutTable.mobile_tail, '0010'))).toHaveLength(1);
  await bring('吴退订', '19990108', '13700020010');
  expect(await kept('19990108')).toMatchObject({ opt_out: true });

  const [one] = [await bring('周同号', '19990109', '13700020011'), await bring('郑同号', '19990110', '13700020011')];
  const typed = await textTo({ mobiles: '13700020011', content: '同号邀请' });
  expect((await erase(one)).code).toBe(0);
  expect(await logOf(typed.batch_id)).toMatchObject([{ mobile_tail: '0011' }]);
});

test('a user whose reach excludes an alumnus is neither offered nor allowed to change or erase them', async () => {
  const id = await bring('韩远', '19990111', '13700020012');
  const pages = { 'alumnus/list': ['Retrieve', 'Update', 'Delete'] as const };
  const narrow = await app.clerk(pages as never, { dept: await app.dept('别处'), dataScope: 3 });
  expect((await change(id, { city: '杭州' }, narrow)).code).toBe(4004);
  expect((await erase(id, narrow)).code).toBe(4004);
  const reader = await app.clerk({ 'alumnus/list': ['Retrieve'] });
  const shown = async (who: Client) =>
    (await who.get(alumni.choose, { query: { search_value: '韩远' } })).value.map((row) => row.actions);
  expect(await shown(reader)).toEqual([[]]);
  expect(await shown(clerk)).toEqual([['update', 'delete']]);
  expect((await erase(id, reader)).code).toBe(4003);
});

test('a message to an alumnus who is being erased reaches nobody', async () => {
  const id = await bring('许同时', '19990112', '13700020013');
  const answers = await Promise.all([
    erase(id),
    ...Array.from({ length: 4 }, () => clerk.ask(sms.send, { body: { alumnus_ids: [id], content: '同时' } as never })),
  ]);
  expect(answers[0]!.code).toBe(0);
  for (const answer of answers) expect(answer.code).not.toBe(5000);
  expect((await everything()).includes('许同时')).toBe(false);
});
