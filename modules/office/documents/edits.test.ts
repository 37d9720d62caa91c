import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldUp } from '#apps/server/testing/held-up.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { documentEdits, type TracedPart } from './contract/files/edits.ts';
import { documentFiles } from './contract/files/files.ts';
import { openSchool, type School } from './testing/school.ts';
import { pdfOf, wordOf } from './testing/word.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const patch = (who: School['author'], id: number, body: object) => who.get(documents.update, { params: { id }, body });
const edits = (who: School['author'], id: number) => who.get(documentEdits.list, { params: { id } });
const changed = (parts: readonly TracedPart[]) => parts.filter((one) => one.kind !== 'same').map(Object.values);
const logOf = async (id: number) => {
  const { value } = await school.office.admin.get(audit.list, { query: { action: '编辑公文' } });
  return value.find((row) => row.object_id === String(id))!.diff[0]!;
};

describe('a change of a document', () => {
  test('is logged with the values before and after, under Chinese field names', async () => {
    const { head, write } = school;
    const { id } = await write({ body_html: '现将期末考试安排通知如下。' });
    await patch(head, id, {
      body_html: '现将期末考试时间安排通知如下。',
      main_send: [{ type: 'org', name: '各部门' }],
    });
    const { fields } = await logOf(id);
    expect(fields).toEqual([
      { field: '主送', before: '各学院', after: '各部门' },
      { field: '正文', before: '现将期末考试安排通知如下。', after: '现将期末考试时间安排通知如下。' },
    ]);
  });

  test('in a table is shown within its row', async () => {
    const { author, head, write } = school;
    const table = (day: string) =>
      `<p>安排如下。</p><table><tbody><tr><th>科目</th><th><p>日期</p></th></tr><tr><td>语文</td><td>${day}</td></tr></tbody></table><p>请执行。</p>`;
    const { id } = await write({ body_html: table('周一') });
    await patch(head, id, { body_html: table('周三') });
    const { body, value } = await edits(author, id);
    expect(body.map(({ kind, text }) => [kind, text])).toEqual([
      ['same', '安排如下。\n科目 │ 日期\n语文 │ 周'],
      ['gone', '一'],
      ['new', '三'],
      ['same', '\n请执行。'],
    ]);
    expect(value[0]!.fields[0]).toMatchObject({
      label: '正文',
      before: expect.stringContaining('语文 │ 周一') as string,
    });
  });

  test('keeps the earlier text with author, state and time, and drafter and signer see all changes in one text', async () => {
    const { author, head, clerk, leader, main, stranger, write, goOn, handle, issuer } = school;
    const { id, ticket_id } = await write({ body_html: '<p>现将考试安排通知如下。</p><p>请遵照执行。</p>' });
    await patch(head, id, { body_html: '<p>现将期末考试安排通知如下。</p><p>请遵照执行。</p>' });
    await goOn(ticket_id, 7);
    await patch(clerk, id, { body_html: '<p>现将期末考试安排通知如下。</p>', annotation: '此件主动公开' });
    // Saving without a change keeps no row.
    await patch(clerk, id, { annotation: '此件主动公开' });
    for (const [who, transition] of [
      [clerk, 7],
      [leader, 9],
    ] as const)
      expect((await handle(who, ticket_id, transition, transition === 7 ? { issuer } : {})).code).toBe(0);
    for (const who of [author, main]) {
      const { value, body, total } = await edits(who, id);
      expect(
        value.map((one) => [one.no, one.editor_info.alias, one.state, one.fields.map((field) => field.label)]),
      ).toEqual([
        [2, '党政办', expect.stringMatching(/./), ['附注', '正文']],
        [1, '李处长', '部门核稿', ['正文']],
      ]);
      expect(Date.now() - new Date(`${value[0]!.gmt_created.replace(' ', 'T')}+08:00`).getTime()).toBeLessThan(60_000);
      expect([total, changed(body)]).toEqual([
        2,
        [
          ['new', '期末', 1],
          ['gone', expect.stringContaining('请遵照执行。'), 2],
        ],
      ]);
    }
    expect((await stranger.ask(documentEdits.list, { params: { id } })).code).toBe(4004);
  }, 180_000);

  test('to an uploaded body is shown by its text, for Word and for PDF', async () => {
    const { author, head, write } = school;
    for (const [ext, made] of [
      ['docx', wordOf],
      ['pdf', (text: string) => pdfOf([text])],
    ] as const) {
      const before = await send(author, await made('现将考试安排通知如下。'), `正文.${ext}`);
      const { id } = await write({ body_html: '', body_file: before });
      const [place] = (await head.get(documentFiles.attachments, { query: { document_id: id } })).value;
      const file = await send(head, await made('现将期末考试安排通知如下。'), `正文.${ext}`);
      await head.get(documentFiles.addVersion, { body: { id: place!.id, file, reason: '补充' } });
      const { value, body, unread } = await edits(author, id);
      expect([ext, unread, changed(body)]).toEqual([ext, false, [['new', '期末', 1]]]);
      expect(value[0]).toMatchObject({ editor_info: { alias: '李处长' }, fields: [{ label: '正文' }] });
    }
  }, 180_000);

  test('before submission is seen only by its author, and the log names only the fields', async () => {
    const { author, head, write } = school;
    const { id } = await write({ submit: false, body_html: '第一稿。' });
    await patch(author, id, { body_html: '第二稿。', title: '关于期末考试补充安排的通知' });
    expect((await logOf(id)).fields).toEqual([{ field: '修改', before: null, after: '标题、正文' }]);
    await author.get(documents.again, { params: { id }, body: {} });
    expect((await edits(author, id)).value.map((one) => [one.no, one.state])).toEqual([[null, '草稿']]);
    expect(await edits(head, id)).toEqual({ value: [], total: 0, body: [], unread: false });
  });

  test('to a secret document is logged without its text', async () => {
    const { author, head, office: app, write } = school;
    const site = async (allow_secret: boolean) => {
      const { version } = await app.admin.get(settings.site);
      await app.admin.get(settings.saveSite, { body: { allow_secret, version } as never });
    };
    await site(true);
    const { id } = await write({ secret_level: 1, secret_period: '1年', copy_no: '000001', body_html: '机要。' });
    await patch(head, id, { body_html: '机要内容。' });
    await site(false);
    expect(JSON.stringify(await logOf(id))).not.toContain('机要');
    expect((await edits(author, id)).total).toBe(1);
  });

  test('between two long unrelated texts blocks nobody', async () => {
    const { author, head, write } = school;
    const long = (seed: number) =>
      Array.from({ length: 16_000 }, (_, at) => `${((at * 7919 + seed) % 99991).toString(36)}。`).join('');
    const { id } = await write({ body_html: long(1) });
    await patch(head, id, { body_html: long(50_000) });
    let found = 0;
    // Without the thread, comparing would block the process for seconds.
    const most = await heldUp(async () => (found = (await edits(author, id)).body.length));
    expect(found).toBeGreaterThan(0);
    expect(most).toBeLessThan(1500);
  }, 180_000);
});
