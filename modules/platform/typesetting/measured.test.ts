import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, expect, test } from 'vitest';
import { documentPdf } from './worker/press.ts';
import { letter, long, readPaper, type Found } from './testing/paper.ts';

type Paper = Awaited<ReturnType<typeof readPaper>>;
type Changes = Parameters<typeof letter>[0];

// Millimetres of GB/T 9704—2012: the sheet, the core, a line of the text, a character of 三号 on its line, characters of 三号 and 四号.
const [left, right, top, bottom] = [28, 184, 37, 262];
const [middle, line, character] = [(left + right) / 2, 225 / 22, 156 / 28];
const third = (16 * 25.4) / 72;
const fourth = (14 * 25.4) / 72;
/** Diameter of an institution's seal. */
const seal = 42;
const most = 1;

const topOf = ({ y, size }: Found) => y - 0.86 * size * (25.4 / 72);
const bottomOf = ({ y, size }: Found) => y + 0.14 * size * (25.4 / 72);
const middleOf = ({ x, right: end }: Found) => (x + end) / 2;
const whole = { x: 0, width: 210 };

const papers = {
  通知: {
    copyNo: '000012',
    urgency: '加急',
    bodyHtml: long(2),
  },
  请示: {
    title: '某某大学等三单位关于共建实验教学中心的请示',
    jointOrgs: ['某某省教育厅', '某某市人民政府'],
    issuers: ['陈国栋', '李四', '王建国'],
    mainSend: ['某某省人民政府'],
    copySend: [],
    attachments: [],
    annotation: '',
    contactName: '张三',
    contactPhone: '010-12345678',
    bodyHtml: long(1),
  },
  函: { form: 'letter', title: '某某大学关于商请支持实验室建设的函', urgency: '加急', attachments: [] },
  纪要: {
    form: 'minutes',
    head: { orgLine: '校长办公会议纪要', colour: '#e60012', line: 1 },
    title: '关于校园规划的会议纪要',
    bodyHtml: `${long(1)}<p>出席：陈国栋、李四、王建国</p><p>列席：财务处张三</p>`,
    attachments: [],
    annotation: '',
  },
  令: {
    form: 'order',
    title: '某某大学令',
    docNumber: '第3号',
    mainSend: [],
    copySend: [],
    attachments: [],
    annotation: '',
    issuers: ['陈国栋'],
    bodyHtml: long(1),
  },
} satisfies Record<string, Changes>;
type Name = keyof typeof papers;
const set = {} as Record<Name, Paper>;
beforeAll(async () => {
  for (const [name, changes] of Object.entries(papers))
    set[name as Name] = await readPaper(await documentPdf(letter(changes as Changes)), true);
}, 180_000);

const red = (paper: Paper, y: number, height: number) => paper.edges(1, { ...whole, y, height }, true);
const textLines = (paper: Paper) => paper.texts.filter((one) => /安全管理|安全风险|通知如下/.test(one.text));
const row = (paper: Paper, of: Found) =>
  paper.texts.filter((one) => one.page === of.page && Math.abs(one.y - of.y) < 0.2);
const number = (paper: Paper) => paper.find('校发〔2026〕12号');
const title = (paper: Paper) => paper.texts.filter((one) => Math.round(one.size) === 22);
const lastPage = (paper: Paper) => ({ ...whole, page: paper.pages });
const date = (paper: Paper) => paper.find('2026年3月1日');
const org = (paper: Paper, name: string) => paper.texts.findLast((one) => one.text.replace(/\s/g, '') === name)!;
const label = (paper: Paper) => paper.find('签发人');
const names = (paper: Paper, y: number) =>
  paper.texts.filter((one) => Math.abs(one.y - y) < 0.2 && one.x > label(paper).x + 3.5 * third);

/** Name of the measurement, its value in the standard, and the function that finds it. */
const places: [Name, string, number, (paper: Paper) => number][] = [
  ['通知', '份号顶格在版心左上角', left, (p) => p.find('000012').x],
  ['通知', '紧急程度在份号下一行', line, (p) => p.find('加急').y - p.find('000012').y],
  ['通知', '发文机关标志上边缘距版心上边缘 35 mm', top + 35, (p) => red(p, 60, 40).top],
  ['通知', '发文机关标志居中', middle, (p) => (red(p, 60, 40).left + red(p, 60, 40).right) / 2],
  ['通知', '发文字号在标志下空二行', 2 * line, (p) => topOf(number(p)) - (top + 35 + 22)],
  ['通知', '发文字号居中', middle, (p) => middleOf(number(p))],
  ['通知', '分隔线在发文字号下 4 mm', 4, (p) => red(p, bottomOf(number(p)) + 0.5, 12).top - bottomOf(number(p))],
  ['通知', '分隔线左端与版心齐', left, (p) => red(p, bottomOf(number(p)) + 2, 4).left],
  ['通知', '分隔线右端与版心齐', right, (p) => red(p, bottomOf(number(p)) + 2, 4).right],
  ['通知', '标题在分隔线下空二行', 2 * line, (p) => topOf(title(p)[0]!) - red(p, bottomOf(number(p)) + 2, 4).bottom],
  ['通知', '主送机关在标题下空一行', line, (p) => topOf(p.find('各学院、各部门：')) - bottomOf(title(p).at(-1)!)],
  ['通知', '主送机关顶格', left, (p) => p.find('各学院、各部门：').x],
  ['通知', '正文在主送机关下一行', line, (p) => p.find('为进一步').y - p.find('各学院、各部门：').y],
  ['通知', '正文首行左空二字', left + 2 * character, (p) => p.find('为进一步').x],
  ['通知', '正文行距为版心的 22 分之一', line, (p) => textLines(p)[1]!.y - textLines(p)[0]!.y],
  ['通知', '正文撑满版心右边', right, (p) => p.find('为进一步').right],
  ['通知', '附件说明在正文下空一行', 2 * line, (p) => p.find('附件：').y - textLines(p).at(-1)!.y],
  ['通知', '附件说明左空二字', left + 2 * character, (p) => p.find('附件：').x],
  ['通知', '成文日期右空四字', right - 4 * character, (p) => date(p).right],
  ['通知', '署名以成文日期为准居中', 0, (p) => middleOf(org(p, '某某大学')) - middleOf(date(p))],
  ['通知', '成文日期在署名下一行', line, (p) => date(p).y - org(p, '某某大学').y],
  ['通知', '附注在成文日期下一行', line, (p) => p.find('（此件主动公开').y - date(p).y],
  ['通知', '附注左空二字', left + 2 * character, (p) => p.find('（此件主动公开').x],
  [
    '通知',
    '版记末条分隔线与版心下边缘重合',
    bottom,
    (p) => p.edges(p.pages, { ...lastPage(p), y: 259, height: 5 }).bottom,
  ],
  [
    '通知',
    '版记首条分隔线与版心等宽',
    156,
    (p) => {
      const { left: from, right: to } = p.edges(p.pages, { ...lastPage(p), y: p.find('抄送：').y - 8, height: 4 });
      return to - from;
    },
  ],
  ['通知', '印发机关左空一字', left + fourth, (p) => p.find('某某大学党政办公室').x],
  ['通知', '印发日期右空一字', right - fourth, (p) => p.find('2026年3月2日印发').right],
  [
    '通知',
    '页码一字线上距版心下边缘 7 mm',
    bottom + 7,
    (p) => middleOf({ ...p.find('— 1 —'), x: 0, right: 2 * p.find('— 1 —').y }) - 0.34 * fourth,
  ],
  ['通知', '单页码右空一字', right - fourth, (p) => p.find('— 1 —').right],
  ['请示', '发文字号左空一字', left + character, (p) => number(p).x],
  ['请示', '签发人在标志下空二行', 2 * line, (p) => topOf(label(p)) - red(p, 60, 100).bottom],
  ['请示', '签发人姓名右空一字', right - character, (p) => Math.max(...names(p, label(p).y).map((one) => one.right))],
  ['请示', '第二行签发人与上一行第一个姓名对齐', 0, (p) => names(p, number(p).y)[0]!.x - (label(p).x + 4 * character)],
  ['请示', '发文字号与最后一个签发人同一行', line, (p) => number(p).y - label(p).y],
  ['请示', '三个机关的署名在同一行', 0, (p) => org(p, '某某大学').y - org(p, '某某市人民政府').y],
  ['请示', '最后一个署名以成文日期为准居中', 0, (p) => middleOf(org(p, '某某市人民政府')) - middleOf(date(p))],
  ['请示', '成文日期右空四字', right - 4 * character, (p) => date(p).right],
  ['函', '发文机关标志上边缘距上页边 30 mm', 30, (p) => red(p, 20, 40).top],
  ['函', '第一条红线左端距页边 20 mm', 20, (p) => red(p, 45, 6).left],
  ['函', '第一条红线长 170 mm', 170, (p) => red(p, 45, 6).right - red(p, 45, 6).left],
  ['函', '第二条红线距下页边 20 mm', 297 - 20, (p) => red(p, 270, 12).top],
  ['函', '发文字号与第一条红线相距八分之七字', (third * 7) / 8, (p) => topOf(number(p)) - red(p, 45, 6).bottom],
  ['函', '发文字号顶格在版心右边', right, (p) => number(p).right],
  ['函', '标题与发文字号相距二行', 2 * line, (p) => topOf(title(p)[0]!) - bottomOf(number(p))],
  ['纪要', '标志上边缘距版心上边缘 35 mm', top + 35, (p) => red(p, 60, 40).top],
  ['纪要', '出席在正文下空一行', 2 * line, (p) => p.find('出席：').y - textLines(p).at(-1)!.y],
  ['纪要', '出席左空二字', left + 2 * character, (p) => p.find('出席：').x],
  ['纪要', '列席的姓名与出席的对齐', 0, (p) => p.find('财务处张三').x - p.find('陈国栋').x],
  ['令', '标志上边缘距版心上边缘 20 mm', top + 20, (p) => red(p, 45, 40).top],
  ['令', '令号居中', middle, (p) => middleOf(p.find('第3号'))],
  ['令', '令号在标志下空二行', 2 * line, (p) => topOf(p.find('第3号')) - (top + 20 + 22)],
  ['令', '正文在令号下空二行', 2 * line, (p) => topOf(p.find('为进一步')) - bottomOf(p.find('第3号'))],
  ['令', '签名右空四字', right - 4 * character, (p) => p.find('陈国栋').right],
  ['令', '成文日期在签名下空一行', 2 * line, (p) => date(p).y - p.find('陈国栋').y],
];

test.each(places)('%s：%s', (name, _place, wanted, measure) => {
  const found = measure(set[name]);
  expect(Math.abs(found - wanted), `${found.toFixed(2)} mm, not ${wanted.toFixed(2)}`).toBeLessThanOrEqual(most);
});

test('at least forty places of five papers are measured', () => {
  expect(places.length).toBeGreaterThanOrEqual(40);
  expect(new Set(places.map(([name]) => name)).size).toBe(5);
});

test('seals of 42 mm stand side by side on their names within the text area, without touching each other', () => {
  const paper = set.请示;
  const orgs = ['某某大学', '某某省教育厅', '某某市人民政府'].map((name) => org(paper, name));
  const middles = orgs.map(middleOf);
  expect(middles[0]! - seal / 2).toBeGreaterThanOrEqual(left);
  expect(middles[2]! + seal / 2).toBeLessThanOrEqual(right);
  for (const [index, at] of middles.slice(1).entries()) expect(at - middles[index]!).toBeGreaterThan(seal);
  const above = textLines(paper).at(-1)!;
  expect(topOf(orgs[0]!) + third / 2 - seal / 2 - bottomOf(above)).toBeGreaterThan(0);
  expect(topOf(orgs[0]!) + third / 2 - seal / 2 - bottomOf(above)).toBeLessThan(line);
  expect(row(paper, orgs[0]!)).toHaveLength(3);
});

test('纪要 has no addressee and date below its text, but in its head and its 版记', () => {
  const paper = set.纪要;
  const texts = paper.texts.map((one) => one.text.replace(/\s/g, ''));
  expect(texts.filter((one) => one.includes('各学院、各部门：'))).toEqual([]);
  expect(paper.find('分送：').page).toBe(paper.pages);
  expect(date(paper).y).toBeLessThan(title(paper)[0]!.y);
  expect(paper.texts.filter((one) => one.text === '2026年3月1日')).toHaveLength(1);
});

test('the first page shows text, however many issuers and addressees and however long the title', async () => {
  const body = '本通知的正文从这里开始。';
  const orgs = (count: number) => Array.from({ length: count }, (_, at) => `某某省第${at + 1}人民医院`);
  const firsts: Changes[] = [
    { bodyHtml: `<p>${body}</p>` },
    { bodyHtml: `<p>${body}</p>`, jointOrgs: orgs(2), issuers: ['陈国栋', '李四', '王建国'] },
    { jointOrgs: orgs(6), title: `某某大学关于${'进一步加强实验室安全管理工作'.repeat(4)}的通知` },
    { mainSend: orgs(60) },
    { jointOrgs: orgs(19), mainSend: orgs(60), title: `某某大学关于${'加强管理'.repeat(20)}的通知` },
  ];
  for (const [at, changes] of firsts.entries()) {
    const paper = await readPaper(await documentPdf(letter({ bodyHtml: `<p>${body}</p>${long(3)}`, ...changes })));
    expect([at, paper.find('本通知的正文').page]).toEqual([at, 1]);
  }
  const many = await readPaper(await documentPdf(letter({ mainSend: orgs(60) })));
  expect(many.find('主送：').page).toBe(many.pages);
}, 180_000);

test('attachments are bound with the letter before the 版记, which ends the last page of the last sheet', async () => {
  const sheets = await PDFDocument.create();
  for (let page = 0; page < 3; page += 1) sheets.addPage([595, 842]).drawText(`sheet ${page + 1}`, { x: 90, y: 700 });
  const annexes = [
    {
      at: 0,
      body: { kind: 'text' as const, html: '<p>附件1</p><p>实验室安全检查表</p><p>检查的内容。</p>', pictures: [] },
    },
    { at: 1, body: { kind: 'pages' as const, pdf: new Uint8Array(await sheets.save()) } },
  ];
  const paper = await readPaper(await documentPdf(letter({ annexes })));
  const [first, second] = [paper.find('附件1'), paper.find('附件2')];
  expect(paper.texts.filter((one) => one.text === '附件1')).toHaveLength(1);
  expect([first.x, second.x].map((x) => Math.round(x))).toEqual([left, left]);
  expect(Math.abs(first.y - (top + line / 2 + third * 0.36))).toBeLessThan(most);
  const named = title(paper).findLast((one) => one.text === '实验室安全检查表')!;
  expect([named.page, Math.round((topOf(named) - top) / line)]).toEqual([first.page, 2]);
  expect(paper.find('sheet 1').page).toBe(second.page);
  expect(topOf(paper.find('sheet 1'))).toBeGreaterThan(bottomOf(second));
  expect(paper.find('sheet 3').page).toBe(second.page + 2);
  expect(paper.find('2026年3月2日印发').page).toBe(paper.pages);
  expect(paper.pages % 2).toBe(0);
  const numbered = paper.texts.filter((one) => /^— \d+ —$/.test(one.text)).map((one) => one.page);
  expect(numbered.slice(0, second.page + 2)).toEqual(Array.from({ length: second.page + 2 }, (_, at) => at + 1));
}, 180_000);
