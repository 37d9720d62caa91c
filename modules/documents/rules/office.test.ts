import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents } from '../contract.ts';
import { documentRuleCalls } from '../contract/rules.ts';
import { documentStatistics, type DocumentStatistics } from '../contract/statistics.ts';
import { documentTable } from '../tables.ts';
import { openSchool, type School } from '../testing/school.ts';
import { ticketActions } from '#modules/tickets/contract/actions.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 60_000);
afterAll(() => school.office.close());

const say = (body: object) => school.clerk.get(documentRuleCalls.saveRule, { body });

test('who issues a letter is chosen from the list of the office, once there is one', async () => {
  expect((await school.ask({ issue_org: '随便什么' })).code).toBe(0);
  await say({ orgs: '某某大学\n中共某某大学委员会' });
  const other = await school.ask({ issue_org: '随便什么' });
  expect(other.msg).toContain('“随便什么”不在发文机关名单里');
  expect((await school.ask({ issue_org: '中共某某大学委员会' })).code).toBe(0);
  expect((await school.author.ask(documentRuleCalls.saveRule, { body: { orgs: '' } })).code).toBe(4003);
  await say({ orgs: '' });
});

test('words by which a report asks for something are the office’s own list', async () => {
  const report = { doc_type: 10, title: '关于年度工作的报告', issuer: school.main.username };
  const text = (words: string) => ({ ...report, body_html: `<p>${words}</p>` });
  expect((await school.ask(text('以上意见望予 批准'))).msg).toContain('正文里有“望予批准”');
  expect((await school.ask(text('敬请垂示'))).code).toBe(0);
  await say({ asking: '敬请垂示' });
  expect((await school.ask(text('敬请垂示'))).code).toBe(4009);
  expect((await school.ask(text('望予批准'))).code).toBe(0);
});

test('organisations that were written as one name are as many addressees', async () => {
  const { data } = await school.ask({ main_send: [{ type: 'org', name: '省教育厅，市教育局；区教育局' }] });
  const { main_send } = await school.detail(school.author, data.id);
  expect(main_send.map((party) => party.name)).toEqual(['省教育厅', '市教育局', '区教育局']);
});

describe('a request that nobody has answered', () => {
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

  test('reads 待答复 in the list, on its page and in the figures, and 已通过 once it is answered', async () => {
    const { id, ticket_id } = await school.write(request());
    await school.goOn(ticket_id);
    expect(await row(id)).toMatchObject({ act_state_name: '待答复', unanswered: true });
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

  test('that was closed before the rule held is marked as such', async () => {
    const { id, ticket_id } = await school.write(request());
    await school.goOn(ticket_id);
    await school.clerk.get(documents.noteAnswer, { params: { id }, body: { answer_note: '同意' } });
    await school.clerk.get(ticketActions.close, { params: { id: ticket_id }, body: { suggestion: '办结' } });
    await school.office.services.databases.write((tx) =>
      tx.update(documentTable).set({ answer_note: '' }).where(eq(documentTable.id, id)),
    );
    expect(await row(id)).toMatchObject({ act_state_name: '已关闭（未答复）', unanswered: true });
  });
});
