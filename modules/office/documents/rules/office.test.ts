import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents } from '../contract.ts';
import { documentAdoption } from '../contract/adopt.ts';
import { documentArchive } from '../contract/settings/archive.ts';
import { documentRuleCalls, documentRules } from '../contract/rules.ts';
import { documentFiles } from '../contract/files/files.ts';
import { documentStatistics, type DocumentStatistics } from '../contract/statistics.ts';
import { documentTable } from '../tables.ts';
import { openSchool, type School } from '../testing/school.ts';
import { wordOf } from '../testing/word.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { links } from '#modules/platform/links/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketStatistics, type TicketStatistics } from '#modules/workflow/tickets/contract/statistics.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const say = (body: object) => school.clerk.get(documentRuleCalls.saveRule, { body });

test('the issuer of a letter is chosen from the office’s list, or is the house itself while the list is empty', async () => {
  const named = async (issue_org: string, submit = true) => (await school.ask({ issue_org, submit })).msg;
  const refused =
    '发文机关：“随便什么”不在发文机关名单里，请从名单中选择；需要添加的，请党政办在“类别与字号”的“公文规则”里添加';
  await say({ orgs: '某某大学\n中共某某大学委员会' });
  expect([await named('随便什么'), await named('随便什么', false)]).toEqual([refused, refused]);
  expect((await school.ask({ issue_org: '中共某某大学委员会' })).code).toBe(0);
  expect((await school.author.ask(documentRuleCalls.saveRule, { body: { orgs: '' } })).code).toBe(4003);

  await say({ orgs: '' });
  // The name of the product is no organisation.
  for (const name of ['随便什么', '工单系统']) expect(await named(name)).toBe(refused.replace('随便什么', name));
  await school.office.admin.get(settings.saveSite, { body: { name: '某某大学' } });
  expect(await named('随便什么')).toBe(refused);
  expect((await school.ask({ issue_org: '某某大学' })).code).toBe(0);
});

test('the phrases that mark a demand in a report are set by the office', async () => {
  const report = { doc_type: 10, title: '关于年度工作的报告', issuer: school.main.username };
  const text = (words: string) => ({ ...report, body_html: `<p>${words}</p>` });
  expect((await school.ask(text('以上意见望予 批准'))).msg).toContain('正文里有“望予批准”');
  expect((await school.ask(text('敬请垂示'))).code).toBe(0);
  await say({ asking: '敬请垂示' });
  expect((await school.ask(text('敬请垂示'))).code).toBe(4009);
  expect((await school.ask(text('望予批准'))).code).toBe(0);
  await say({ asking: documentRules.defaults.asking });
});

test('phrases of a demand are found in a body uploaded as a file', async () => {
  const body = { doc_type: 10, title: '关于年度工作的报告', issuer: school.issuer, body_html: '' };
  const file = await send(school.author, wordOf('以上意见请予审批。'), '正文.docx');
  const answer = await school.ask({ ...body, body_file: file });
  expect([answer.code, answer.msg]).toEqual([4009, expect.stringContaining('正文里有“请予审批”')]);
});

test('phrases of a demand in a replaced body file ask for confirmation before the report moves on', async () => {
  const { author, head, handle, detail } = school;
  const file = await send(author, wordOf('现将工作报告如下。'), '正文.docx');
  const report = { doc_type: 10, title: '关于年度工作的报告', issuer: school.issuer, body_html: '', body_file: file };
  const { id, ticket_id } = await school.write(report);
  const [place] = (await head.get(documentFiles.attachments, { query: { document_id: id } })).value;
  const asks = await send(head, wordOf('以上意见请予审批。'), '正文.docx');
  await head.get(documentFiles.addVersion, { body: { id: place!.id, file: asks, reason: '' } });
  expect((await detail(head, id)).warnings).toContain('正文里有“请予审批”，报告中不得夹带请示事项');
  expect((await handle(head, ticket_id, 3)).msg).toContain('正文里有“请予审批”');
  expect((await head.ask(documents.update, { params: { id }, body: { summary: '确认', force: true } })).code).toBe(0);
  expect((await handle(head, ticket_id, 3)).code).toBe(0);
});

test('organisations written into one name count as several addressees', async () => {
  const { data } = await school.ask({
    main_send: [{ type: 'org', name: '省教育厅，市教育局；区教育局、县教育局;镇教办' }],
  });
  const { main_send } = await school.detail(school.author, data.id);
  expect(main_send.map((party) => party.name)).toEqual(['省教育厅', '市教育局', '区教育局', '县教育局', '镇教办']);
});

describe('an unanswered request', () => {
  const request = () => ({
    doc_type: 11,
    title: '关于购置设备的请示',
    main_send: [{ type: 'org' as const, name: '省厅' }],
    contact_name: '张三',
    contact_phone: '010-1234',
    issuer: school.issuer,
  });
  const row = async (id: number) =>
    (await school.clerk.get(documents.list, { query: { category: 'all', per_page: 100 } })).value.find(
      (one) => one.id === id,
    )!;

  /** The cells of an exported sheet. */
  const cells = async (title: string, path: string) => {
    const sheet = await school.clerk.fetch(`/api/${path}&export=xlsx`);
    const rows = await readSheet(Buffer.from(await sheet.arrayBuffer()), { maxRows: 100, maxColumns: 30 });
    return rows.find((one) => one.includes(title))!;
  };

  test('reads 待答复 in every list, export, page and figure, and 已通过 once it is answered', async () => {
    const { title } = request();
    const { id, ticket_id } = await school.write(request());
    await school.goOn(ticket_id);
    expect(await row(id)).toMatchObject({ act_state_name: '待答复', state_name: '待答复', unanswered: true });
    const waiting = { act_state_name: '待答复', unsettled: true, state: { state_name: '待答复' } };
    const { value } = await school.author.get(tickets.list, { query: { category: 'owner', per_page: 100 } });
    expect(value.find((one) => one.id === ticket_id)).toMatchObject(waiting);
    expect((await school.author.get(tickets.get, { params: { id: ticket_id } })).value).toMatchObject(waiting);
    const sheets = [await cells(title, 'document/?category=all'), await cells(title, 'tickets/?category=all')];
    for (const sheet of sheets) expect([sheet.includes('待答复'), sheet.includes('办结')]).toEqual([true, false]);
    expect((await school.detail(school.author, id)).act_state_name).toBe('待答复');
    const figures = async () => {
      const all = (await school.clerk.get(documentStatistics.call)).value as DocumentStatistics;
      const line = all.by_type.find((one) => one.name === '请示')!;
      return [line.finished, line.unanswered];
    };
    expect(await figures()).toEqual([0, 1]);
    await school.clerk.get(documents.noteAnswer, { params: { id }, body: { answer_note: '省厅来电同意' } });
    expect(await row(id)).toMatchObject({ act_state_name: '已通过', unanswered: false });
    expect(await figures()).toEqual([1, 0]);
  });

  test('is nowhere announced, counted or found as finished, and can be archived only once it is answered', async () => {
    const { author, clerk, main, office } = school;
    const title = '关于新建校舍的请示';
    const finished = async () => (await office.admin.get(ticketStatistics.call)).value as TicketStatistics;
    const before = (await finished()).summary.finished;
    const { id, ticket_id } = await school.write({ ...request(), title });
    await school.goOn(ticket_id);
    const told = async () =>
      (await author.get(messages.unread, { query: { per_page: 100 } })).value.map((one) => one.title);
    expect((await told()).filter((one) => one.includes(title))).toEqual([`已通过，待答复：${title}`]);
    expect((await finished()).summary.finished).toBe(before);
    const byState = async (query: object) =>
      (await clerk.get(documents.list, { query: { category: 'all', per_page: 100, ...query } })).value.map(
        (one) => one.id,
      );
    const ticketsOf = async (act_state_id: number) =>
      (await author.get(tickets.list, { query: { category: 'owner', per_page: 100, act_state_id } })).value.map(
        (one) => one.id,
      );
    expect((await byState({ act_state: 4 })).includes(id)).toBe(false);
    expect((await ticketsOf(4)).includes(ticket_id)).toBe(false);
    expect(await byState({ unanswered: true })).toEqual([id]);
    const { value } = await author.get(documentAdoption.adoptable, { query: { search_value: title } });
    const [card] = await author.get(links.candidates, { query: { module: 'documents', search_value: title } });
    expect([value[0]!.act_state_name, card!.state]).toEqual(['待答复', '待答复']);
    const archive = () =>
      clerk.ask(documentArchive.archive, { params: { id }, body: { retention: 1, archive_no: `DA-${id}` } });
    expect((await archive()).msg).toBe('公文“待答复”，办结之后才能归档');
    expect((await school.detail(clerk, id)).actions).not.toContain('archive');

    const answer = {
      doc_kind: 2 as const,
      doc_type: 12,
      title: '关于新建校舍的批复',
      from_org: '省厅',
      received_date: '2026-11-20',
    };
    await school.registrar.get(documents.create, { body: { ...answer, reply_to_id: id, submit: true } });
    expect((await finished()).summary.finished).toBe(before + 1);
    expect([(await byState({ act_state: 4 })).includes(id), (await ticketsOf(4)).includes(ticket_id)]).toEqual([
      true,
      true,
    ]);
    expect(await byState({ unanswered: true })).toEqual([]);
    expect((await school.detail(clerk, id)).actions).toContain('archive');
    expect((await archive()).code).toBe(0);
    expect((await main.get(documents.get, { params: { id } })).value.act_state_name).toBe('已通过');
  });

  test('that came in reads as registered for people who only read it, answered or not', async () => {
    const { registrar, clerk, main, stranger, handle } = school;
    const body = {
      doc_kind: 2 as const,
      doc_type: 11,
      title: '关于借用场地的请示',
      from_org: '区教育局',
      received_date: '2026-11-20',
    };
    const { id, ticket_id } = await registrar.get(documents.create, { body: { ...body, submit: true } });
    await handle(clerk, ticket_id, 3);
    await handle(clerk, ticket_id, 5, { leaders: [main.username], reading: true, readers: [clerk.username] });
    await handle(main, ticket_id, 6);
    expect(await row(id)).toMatchObject({ act_state_name: '待答复' });
    await clerk.get(distributions.create, { body: { document_id: id, recipients: { users: [stranger.userId] } } });
    const read = async () => (await school.detail(stranger, id)).act_state_name;
    expect(await read()).toBe('已登记');
    await clerk.get(documents.noteAnswer, { params: { id }, body: { answer_note: '已电话答复' } });
    expect(await read()).toBe('已登记');
  });

  test('closed before this rule existed is marked as such in lists and exports, and may still be answered', async () => {
    const title = '关于更换锅炉的请示';
    const { id, ticket_id } = await school.write({ ...request(), title });
    await school.goOn(ticket_id);
    const note = { params: { id }, body: { answer_note: '同意' } };
    await school.clerk.get(documents.noteAnswer, note);
    await school.author.get(ticketActions.applyFinish, { params: { id: ticket_id }, body: { suggestion: '办结' } });
    expect((await school.handle(school.clerk, ticket_id, 18)).data.act_state).toBe(5);
    expect((await school.clerk.ask(documents.noteAnswer, note)).code).toBe(4010);
    await school.office.services.databases.write((tx) =>
      tx.update(documentTable).set({ answer_note: '' }).where(eq(documentTable.id, id)),
    );
    expect(await row(id)).toMatchObject({ act_state_name: '已关闭（未答复）', unanswered: true });
    const inTickets = async () =>
      (await school.author.get(tickets.list, { query: { category: 'owner', per_page: 100 } })).value.find(
        (one) => one.id === ticket_id,
      );
    expect(await inTickets()).toMatchObject({ act_state_id: 5, act_state_name: '已关闭（未答复）', unsettled: true });
    for (const path of ['document/?category=all', 'tickets/?category=all'])
      expect(await cells(title, path)).toContain('已关闭（未答复）');
    expect((await school.detail(school.clerk, id)).actions).toContain('note_answer');
    await school.clerk.get(documents.noteAnswer, note);
    expect(await row(id)).toMatchObject({ act_state_name: '已关闭', unanswered: false });
    expect(await inTickets()).toMatchObject({ act_state_name: '已关闭', unsettled: false });
  });
});
