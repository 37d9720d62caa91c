import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsTemplates } from '#modules/platform/sms/contract/templates.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { repairCast, save } from '#modules/workflow/tickets/testing/repair.ts';

// Readers of the log see that something was done, not what only its author or its recipient may see.
let app: TestOffice;
let people: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  people = await repairCast(app);
});
afterAll(() => app.close());

const said = async (who: Client) => {
  const { rows } = await app.services.databases.pool.query<{ action: string; title: string; text: string }>(
    'select action, title, title || diff::text || search::text as text from log where user_id = $1 order by id',
    [who.userId],
  );
  return rows;
};

test('the title of a draft ticket or document is logged only from its submission on', async () => {
  const { staff } = people;
  const { id } = await people.begin({ title: '想调岗的申请', place: '一号楼', description: '先放着' }, save);
  const begun = await said(staff);
  expect(begun.at(-1)).toMatchObject({ title: expect.stringMatching(/ 草稿$/) as string });
  expect(begun.filter(({ text }) => text.includes('调岗'))).toEqual([]);
  await staff.get(tickets.remove, { params: { id } });
  expect((await said(staff)).filter(({ text }) => text.includes('调岗'))).toEqual([]);

  const author = await app.signIn(await app.person({ roles: ['staff'], dept: await app.dept() }));
  const letter = { doc_kind: 1 as const, doc_type: 8, title: '关于撤销某处室的通知', submit: false };
  const doc = await author.get(documents.create, { body: letter as never });
  await author.get(documents.update, {
    params: { id: doc.id! },
    body: { title: '关于撤销某处室的通知（二稿）' } as never,
  });
  await author.get(documents.remove, { params: { id: doc.id! } });
  const rows = await said(author);
  expect(rows.filter(({ title }) => title === '一份公文草稿')).toHaveLength(3);
  expect(rows.filter(({ text }) => text.includes('撤销某'))).toEqual([]);
});

test('the text of a message with its filled-in values appears only in the text message log', async () => {
  const sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve'], 'sms/template': ['Create', 'Retrieve'] });
  const { id } = await app.admin.get(smsTemplates.add, {
    body: { code: 'exam', name: '面试通知', content: '{姓名}，您的面试成绩为{成绩}。', type: 2 } as never,
  });
  await sender.get(sms.send, {
    body: { mobiles: '13500007001', template_id: id, params: { 成绩: '五十八分' } } as never,
  });
  await sender.get(sms.send, { body: { mobiles: '13500007002', content: '请到三号楼领取退学手续' } });
  const rows = (await said(sender)).filter(({ action }) => action === sms.send.summary);
  expect(rows.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^第 \d+ 批短信$/),
    expect.stringMatching(/^第 \d+ 批短信$/),
  ]);
  expect(rows[0]!.text).toContain('面试通知');
  for (const word of ['五十八', '退学', '三号楼']) expect(rows.filter(({ text }) => text.includes(word))).toEqual([]);
});
