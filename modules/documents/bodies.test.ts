import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { send } from '#modules/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { readPaper } from './layout/testing/paper.ts';
import { openSchool, type School } from './testing/school.ts';
import { centred, numbered, para, right, table, wordFile } from './testing/word.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 60_000);
afterAll(() => school.office.close());

/** A letter as offices write it in Word: with a title, an addressee, a signature and a date of its own. */
const letter = wordFile(
  [
    para('关于期末考试安排的通知', centred),
    para('各学院：'),
    para('现将期末考试安排通知如下。'),
    para('考试时间', numbered(0)),
    para('笔试', numbered(1)),
    para('考试纪律', numbered(0)),
    table([
      ['科目', '时间'],
      ['高等数学', '上午九点'],
    ]),
    para('某某大学', right),
    para('2020年1月2日', right),
  ].join(''),
);

const finalOf = async (id: number) => {
  const found = await vi.waitFor(
    async () => {
      const { final_file } = await school.detail(school.author, id);
      expect(final_file).not.toBeNull();
      return final_file!;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(found.ext).toBe('pdf');
  return readPaper(Buffer.from(await (await school.author.fetch(found.url)).arrayBuffer()), true);
};
type Paper = Awaited<ReturnType<typeof readPaper>>;
const wordsOf = ({ texts }: Paper, page?: number) =>
  texts
    .filter((one) => page === undefined || one.page === page)
    .map((one) => one.text.replace(/\s/g, ''))
    .join('');

describe('a body that came as a Word file', () => {
  test('is set under the red head with number, signature, date and 版记, as our own text is', async () => {
    const { author, clerk, write, goOn } = school;
    const { id, ticket_id } = await write({ body_html: '', body_file: await send(author, letter, '正文.docx') });
    await goOn(ticket_id, 16);
    await clerk.get(documents.patch, { params: { id }, body: { print_org: '某某大学办公室' } });
    const paper = await finalOf(id);
    const words = wordsOf(paper);
    for (const said of [
      '某某大学文件',
      '校发〔',
      '现将期末考试安排通知如下。',
      '高等数学',
      '一、考试时间',
      '（一）笔试',
      '二、考试纪律',
    ])
      expect(words).toContain(said);
    // What the file says of itself stands there once, as the standard wants it.
    for (const once of ['关于期末考试安排的通知', '各学院：', '某某大学文件'])
      expect(words.split(once).length - 1, once).toBe(1);
    expect(words).not.toContain('2020年1月2日');
    expect(paper.find('现将期末考试').size).toBeCloseTo(16, 1);
    await vi.waitFor(async () => expect(wordsOf(await finalOf(id))).toContain('某某大学办公室'), { timeout: 30_000 });
  }, 90_000);
});
