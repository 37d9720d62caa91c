import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { documentBodies } from './contract/files/body.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { openSchool, type School } from './testing/school.ts';
import {
  centred,
  numbered,
  para,
  pdfOf,
  picture,
  raised,
  right,
  run,
  table,
  wordFile,
  wordOf,
} from './testing/word.ts';

// Replaces LibreOffice, which is too large for tests: the result is a PDF that lies beside the input.
const program = `#!/bin/sh
while [ "$1" != --outdir ]; do shift; done
cp "$(dirname "$0")/pages.pdf" "$2/made.pdf"
`;
let school: School;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gongdan-body-'));
  const soffice = join(folder, 'soffice');
  await writeFile(join(folder, 'pages.pdf'), await pdfOf(['由办公软件转换的一页']));
  await writeFile(soffice, program);
  await chmod(soffice, 0o755);
  school = await openSchool({ files: { soffice: join(folder, 'none') } });
}, 180_000);
afterAll(async () => {
  await school.office.close();
  await rm(folder, { recursive: true });
});

/** A letter as offices write it in Word, with its own title, addressee, signature and date. */
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

const paperOf = async (id: number, { author }: School = school) => {
  const response = await author.fetch(`/api/document/${id}/pdf/`);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return readPaper(Buffer.from(await response.arrayBuffer()), true);
};
const refused = (answer: { code: number; data: unknown }) => [
  answer.code,
  (answer.data as { errors: { field: string; msg: string }[] }).errors.map((one) => [one.field, one.msg]),
];
const finalOf = async (id: number) => {
  const found = await eventually(async () => {
    const { final_file } = await school.detail(school.author, id);
    expect(final_file).not.toBeNull();
    return final_file!;
  });
  expect(found.ext).toBe('pdf');
  return readPaper(Buffer.from(await (await school.author.fetch(found.url)).arrayBuffer()), true);
};
const outside = (name: string) => ({ type: 'org' as const, name });
type Paper = Awaited<ReturnType<typeof readPaper>>;
const wordsOf = ({ texts }: Paper, page?: number) =>
  texts
    .filter((one) => page === undefined || one.page === page)
    .map((one) => one.text.replace(/\s/g, ''))
    .join('');

describe('a body uploaded as a Word file', () => {
  test('is typeset under the letterhead with number, signature, date and 版记 like text typed in the editor', async () => {
    const { author, clerk, write, goOn } = school;
    const { id, ticket_id } = await write({ body_html: '', body_file: await send(author, letter, '正文.docx') });
    await goOn(ticket_id, 16);
    await clerk.get(documents.update, { params: { id }, body: { print_org: '某某大学办公室' } });
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
    // Parts that the file has too are printed only once, as the standard requires.
    for (const once of ['关于期末考试安排的通知', '各学院：', '某某大学文件'])
      expect(words.split(once).length - 1, once).toBe(1);
    expect(words).not.toContain('2020年1月2日');
    expect(paper.find('现将期末考试').size).toBeCloseTo(16, 1);
    await eventually(async () => expect(wordsOf(await finalOf(id))).toContain('某某大学办公室'));
  }, 180_000);

  test('becomes one PDF with attachments that are texts or pages, while a spreadsheet stays a separate file', async () => {
    const { author, write, goOn, detail } = school;
    const attachments = [
      await send(
        author,
        wordFile([para('附件1'), para('考场安排表', centred), para('第一考场在主楼。')].join('')),
        '考场安排表.docx',
      ),
      await send(author, '座位,姓名', '座位表.csv'),
      await send(author, await pdfOf(['考场平面图一', '考场平面图二']), '考场平面图.pdf'),
    ];
    const { id, ticket_id } = await write({
      body_html: '',
      body_file: await send(author, letter, '正文.docx'),
      attachments,
    });
    await goOn(ticket_id);
    const final = await eventually(async () => {
      const found = (await detail(author, id)).final_file;
      expect(found).not.toBeNull();
      return found!;
    });
    const paper = await readPaper(Buffer.from(await (await author.fetch(final.url)).arrayBuffer()));
    const at = (text: string) => paper.find(text).page;
    expect(paper.texts.filter((one) => one.text === '附件1')).toHaveLength(1);
    expect(at('第一考场在主楼')).toBe(at('附件1'));
    expect(() => paper.find('附件2')).toThrow(/not on paper/);
    expect([at('考场平面图一'), at('考场平面图二')]).toEqual([at('附件3'), at('附件3') + 1]);
    expect(at('附件3')).toBeGreaterThan(at('附件1'));
    expect([at('印发'), paper.pages % 2]).toEqual([paper.pages, 0]);
  }, 180_000);

  test('whose addressee differs from 主送 asks for confirmation, and an equal one is not printed twice', async () => {
    const { author, ask, write, detail } = school;
    const named = (line: string) => wordFile(para(line) + para('现将有关事项通知如下：') + para('请遵照执行。'));
    const sent = async (line: string) => ({ body_html: '', body_file: await send(author, named(line), '正文.docx') });
    const others = await sent('各部门、图书馆：');
    const refused = await ask(others);
    expect(refused).toMatchObject({ code: 4009, data: { conflicts: ['各部门、图书馆'], can_force: true } });
    const draft = await write({ ...others, submit: false });
    expect((await detail(author, draft.id)).warnings.join()).toContain('正文里有自己的主送“各部门、图书馆”');
    // A file belongs to one letter, so it is uploaded again.
    expect(await ask({ ...(await sent('各部门、图书馆：')), force: true })).toMatchObject({ code: 0 });
    const both = { main_send: [outside('各学院'), outside('图书馆')] };
    const { id } = await write({ ...both, ...(await sent('各学院，图书馆：')) });
    expect(wordsOf(await paperOf(id)).split('图书馆').length - 1).toBe(1);
    expect((await ask({ body_html: '<p>各学院：</p><p>请遵照执行。</p>' })).code).toBe(4009);
  }, 180_000);

  test('keeps its pictures and tables, and its own head if that differs', async () => {
    const { author, write } = school;
    const black = { width: 300, height: 150, channels: 3 as const, background: '#000000' };
    const png = new Uint8Array(await sharp({ create: black }).png().toBuffer());
    const file = wordFile(
      para('另一个标题', centred) + para('见下图。') + picture + para('以上。') + para('请遵照执行。'),
      { png },
    );
    const { id } = await write({ body_html: '', body_file: await send(author, file, '正文.docx') });
    const paper = await paperOf(id);
    expect(paper.find('另一个标题').page).toBe(1);
    const below = paper.find('见下图。').y;
    // In the middle of the page, where only the picture can be.
    expect(paper.ink(1, { x: 100, y: below + 10, width: 10, height: 10 })).toBeGreaterThan(0.9);
  }, 180_000);

  test('reports before submission what will be lost of it, only to its uploader', async () => {
    const { author, head } = school;
    const body = [
      para(run('第一段') + '<w:r><w:footnoteReference w:id="1"/></w:r>'),
      para('<w:del w:id="1" w:author="甲"><w:r><w:delText>删去</w:delText></w:r></w:del>' + run('留下')),
      para(run('面积 120 m') + run('2', raised) + run('，见附件') + run('甲', raised)),
      para('<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>' + run('公式')),
      para(
        '<w:r><w:pict><v:shape><v:textbox><w:txbxContent>' +
          para('框里') +
          '</w:txbxContent></v:textbox></v:shape></w:pict></w:r>',
      ),
    ].join('');
    const file = await send(author, wordFile(body, { footnotes: '脚注' }), '正文.docx');
    const { value } = await author.get(documentBodies.read, { body: { file } });
    expect([value.way, value.losses]).toEqual([
      1,
      [
        '脚注、尾注 1 条：移到正文末尾',
        '文本框 1 个：文字移到所在段落之后',
        '修订痕迹 1 处：按接受修订后的文字',
        '公式 1 个：没有保留',
        '上标、下标 1 处：排成普通文字',
      ],
    ]);
    expect((await head.ask(documentBodies.read, { body: { file } })).code).toBe(4004);
    const { id } = await school.write({ body_html: '', body_file: file });
    const words = wordsOf(await paperOf(id));
    for (const kept of ['第一段[1]', '脚注', '留下', '框里', '面积120m²，见附件甲']) expect(words).toContain(kept);
    expect(words).not.toContain('删去');
    // The people who decide on it are warned, too.
    expect((await school.detail(head, id)).warnings.join()).toContain('公式 1 个：没有保留');
  }, 180_000);
});

describe('a body uploaded as PDF or OFD pages', () => {
  test('stands between generated pages: letterhead and number before, signature, date and 版记 behind', async () => {
    const { author, write, goOn } = school;
    const file = await send(author, await pdfOf(['第一页原文', '第二页原文']), '正文.pdf');
    const { id, ticket_id } = await write({
      body_html: '',
      body_file: file,
      copy_send: [{ type: 'org', name: '档案馆' }],
    });
    await goOn(ticket_id, 16);
    const paper = await finalOf(id);
    expect(paper.pages).toBe(4);
    for (const said of ['某某大学文件', '校发〔', '关于期末考试安排的通知', '各学院：', '正文共2页'])
      expect(wordsOf(paper, 1)).toContain(said);
    expect([wordsOf(paper, 2), wordsOf(paper, 3)]).toEqual([
      expect.stringContaining('第一页原文'),
      expect.stringContaining('第二页原文'),
    ]);
    for (const said of ['此页无正文', '某某大学', '抄送：档案馆']) expect(wordsOf(paper, 4)).toContain(said);
    for (const page of [1, 2, 3, 4]) expect(wordsOf(paper, page)).toContain(`—${page}—`);
  }, 180_000);

  test('that cannot be split here is named on a generated page with its checksum', async () => {
    const { author, write } = school;
    const page = '<ofd:Page><ofd:TextCode>版式正文</ofd:TextCode></ofd:Page>';
    const ofd = zipSync({ 'OFD.xml': strToU8('<x/>'), 'Doc_0/Pages/Page_0/Content.xml': strToU8(page) });
    const file = await send(author, ofd, '正文.ofd');
    const { value } = await author.get(documentBodies.read, { body: { file } });
    expect([value.way, value.characters, value.pages]).toEqual([3, 4, 1]);
    const words = wordsOf(await paperOf((await write({ body_html: '', body_file: file })).id));
    for (const said of ['某某大学文件', '“正文.ofd”', 'SHA-256']) expect(words).toContain(said);
  }, 180_000);

  test('in an old office format is converted if an office program is installed, and refused otherwise', async () => {
    const compound = new Uint8Array(2048);
    compound.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const without = await school.ask({ body_file: await send(school.author, compound, '正文.doc') });
    expect(refused(without)).toEqual([
      4000,
      [['body_file', '“正文.doc”须由服务器上的办公软件转换，而服务器没有安装；请另存为 docx 或 pdf 后上传']],
    ]);
    const equipped = await openSchool({ files: { soffice: join(folder, 'soffice') } });
    try {
      for (const name of ['正文.doc', '正文.wps']) {
        const { id } = await equipped.write({ body_html: '', body_file: await send(equipped.author, compound, name) });
        const paper = await paperOf(id, equipped);
        expect([paper.pages, wordsOf(paper, 2)]).toEqual([3, expect.stringContaining('由办公软件转换的一页')]);
      }
    } finally {
      await equipped.office.close();
    }
  }, 180_000);
});

describe('a file that cannot be a body', () => {
  test('is refused with a sentence by every route', async () => {
    const { author, ask, write } = school;
    const wrong = (name: string) => `正文只接受 docx、doc、wps、pdf、ofd 文件，“${name}”不是；其他文件请作为附件上传`;
    expect(refused(await ask({ body_file: await send(author, '初稿', '正文.txt') }))).toEqual([
      4000,
      [['body_file', wrong('正文.txt')]],
    ]);
    const { id } = await write({ submit: false, attachments: [await send(author, '名单', '名单.csv')] });
    const attached = (await school.detail(author, id)).attachments[0]!.id;
    const swapped = { body_file: attached, attachments: [] };
    expect(refused(await author.ask(documents.update, { params: { id }, body: swapped }))).toEqual([
      4000,
      [['body_file', wrong('名单.csv')]],
    ]);
    const empty = await ask({ body_file: await send(author, wordFile(''), '空.docx') });
    expect(refused(empty)[1]).toEqual([['body_file', '“空.docx”里没有文字和图片，请检查后重新上传']]);
    const locked = await send(author, await pdfOf(['限制'], { locked: true }), '限制.pdf');
    expect(JSON.stringify((await ask({ body_file: locked })).data)).toContain('设有密码或使用限制');
    const broken = await send(author, Buffer.from('%PDF-1.7\nbroken\n%%EOF\n'), '坏.pdf');
    expect(JSON.stringify((await author.ask(documentBodies.read, { body: { file: broken } })).data)).toContain(
      '读不出来',
    );
  }, 180_000);

  test('because it expands without bounds is refused without holding others up', async () => {
    const { author, ask, office: app } = school;
    const bomb = wordFile(para('一'), {
      parts: {
        'word/footnotes.xml': strToU8(Array.from({ length: 2_500_000 }, (_, at) => `<w:p n="${at}"/>`).join('')),
      },
    });
    const file = await send(author, bomb, '炸弹.docx');
    const started = Date.now();
    const [answer] = await Promise.all([
      ask({ body_file: file }),
      // Another request is answered meanwhile.
      app.admin.get(documents.list, {}).then(() => expect(Date.now() - started).toBeLessThan(5_000)),
    ]);
    expect(refused(answer)[1]).toEqual([['body_file', expect.stringContaining('过大，不能作为正文')]]);
    const nested = wordFile('<w:sdt><w:sdtContent>'.repeat(20_000) + '</w:sdtContent></w:sdt>'.repeat(20_000));
    expect((await ask({ body_file: await send(author, nested, '套.docx') })).code).toBe(4000);
    expect(Date.now() - started).toBeLessThan(60_000);
  }, 180_000);

  test('because another person uploaded it is refused', async () => {
    const { ask, head } = school;
    const theirs = await ask({ body_file: await send(head, wordOf('别人的'), '正文.docx') });
    expect([theirs.code, JSON.stringify(theirs.data)]).toEqual([4000, expect.not.stringContaining('别人的')]);
  });
});
