import { beforeAll, describe, expect, test } from 'vitest';
import { dateText, elementsOf } from './elements.ts';
import { documentPdf, processingSheetPdf } from './worker/press.ts';
import { letter, long, readPaper } from './testing/paper.ts';

type Paper = Awaited<ReturnType<typeof readPaper>>;
const print = async (changes?: Parameters<typeof letter>[0]) => readPaper(await documentPdf(letter(changes)));
/** Within half a millimetre. */
const near = (value: number, wanted: number, by = 0.5) => expect(Math.abs(value - wanted)).toBeLessThanOrEqual(by);
const [left, right, top, bottom] = [28, 184, 37, 262];
const line = 225 / 22;
const character = 156 / 28;

describe('the elements of a letter', () => {
  test('include a date with Arabic digits and without leading zeros', () => {
    expect(dateText('2026-03-01')).toBe('2026年3月1日');
    expect(dateText(null)).toBe('');
  });

  test('put urgency, secrecy and copy number in the corner in order, joined by a star', () => {
    const { copyNo, secrecy, urgency } = elementsOf(
      letter({ copyNo: '000012', secrecy: '机密', secretPeriod: '1年', urgency: '特急' }),
    );
    expect([copyNo, secrecy, urgency]).toEqual(['000012', '机密★1年', '特急']);
  });

  test('give each of several issuing organisations a line, the leading one first', () => {
    const { head, signatures } = elementsOf(letter({ jointOrgs: ['某某省教育厅'] }));
    expect(head).toMatchObject({ mark: ['某某大学', '某某省教育厅'], suffix: '文件' });
    expect(signatures).toEqual(['某某大学', '某某省教育厅']);
  });

  test('use the issuing organisation for a letterhead without its own text', () => {
    expect(elementsOf(letter({ head: { orgLine: '', colour: '', line: 1 } })).head).toMatchObject({
      mark: ['某某大学文件'],
      colour: '#e60012',
    });
  });

  test('put the note, and the contact of a request, in one pair of round brackets', () => {
    expect(elementsOf(letter({ annotation: '（此件主动公开）' })).annotation).toBe('（此件主动公开）');
    expect(elementsOf(letter({ annotation: '', contactName: '张三', contactPhone: '010-1' })).annotation).toBe(
      '（联系人：张三，电话：010-1）',
    );
  });

  test('end copies with a full stop and addressees with a colon', () => {
    const { mainSend, sends } = elementsOf(letter());
    expect(mainSend).toBe('各学院、各部门：');
    expect(sends).toEqual([{ label: '抄送：', names: '校党委各部门，纪委办公室。' }]);
  });
});

test('a paragraph typed with leading blanks begins like any other, and one without indentation keeps them', async () => {
  const html = '<p>\u3000\u3000一段正文。</p><p><strong>\u3000 </strong>二段正文。</p><p>三段正文。</p>';
  const flush = '<p style="text-indent: 0">\u3000四段正文。</p>';
  const paper = await print({ bodyHtml: html + flush });
  for (const text of ['一段', '二段', '三段']) near(paper.find(text).x, left + 2 * character);
  near(paper.find('四段').right - paper.find('三段').right, -character);
});

describe('a letter on paper', () => {
  let paper: Paper;
  beforeAll(async () => {
    paper = await readPaper(await documentPdf(letter()), true);
  }, 180_000);

  test('is A4 with all text within 156 by 225 mm', () => {
    near(paper.width, 210);
    near(paper.height, 297);
    for (const { text, x, right: end, y } of paper.texts.filter((one) => !one.text.startsWith('—'))) {
      expect([text, x >= left - 0.1, end <= right + 0.6, y > top, y <= bottom]).toEqual([text, true, true, true, true]);
    }
  });

  test('has its mark in red 35 mm below the top of the text, centred', () => {
    const mark = paper.find('某某大学文件');
    near((mark.x + mark.right) / 2, 106, 4);
    expect(mark.size).toBeGreaterThan(40);
    expect(paper.ink(1, { x: left, y: top + 34, width: 156, height: 25 }, true)).toBeGreaterThan(0.05);
    expect(paper.ink(1, { x: left, y: top, width: 156, height: 34 })).toBe(0);
  });

  test('has its number centred, and the red line over the whole width 4 mm below', () => {
    const number = paper.find('校发〔2026〕12号');
    near((number.x + number.right) / 2, 106, 1);
    near(number.size, 16, 0.01);
    const square = number.y + (16 * 0.14 * 25.4) / 72;
    const rule = { x: left + 0.5, y: square + 3.5, width: 155, height: 1 };
    expect(paper.ink(1, rule, true)).toBeGreaterThan(0.3);
    expect(paper.ink(1, { ...rule, x: left - 3, width: 2.5 })).toBe(0);
    expect(paper.ink(1, { ...rule, x: right + 0.5, width: 2.5 })).toBe(0);
  });

  test('has its title in 二号, centred, and the addressees at the edge below an empty line', () => {
    const title = paper.find('某某大学关于');
    near(title.size, 22, 0.01);
    const addressed = paper.find('各学院、各部门：');
    near(addressed.x, left, 0.2);
    near(addressed.size, 16, 0.01);
  });

  test('has paragraphs that begin two characters in, on lines of 225 / 22 mm with 28 characters', () => {
    const first = paper.find('为进一步');
    near(first.x, left + 2 * character, 0.3);
    const second = paper.texts.find((one) => one.y > first.y + 1 && one.page === first.page)!;
    near(second.y - first.y, line, 0.05);
    expect([...first.text].length).toBe(26);
    near(first.right, right, 0.8);
    near(((first.y - top) / line) % 1, ((second.y - top) / line) % 1, 0.02);
  });

  test('has its attachments under one another, two characters in', () => {
    const label = paper.find('附件：');
    near(label.x, left + 2 * character, 0.3);
    near(paper.find('2. 安全责任人名单').x, label.x + 3 * character, 0.5);
  });

  test('has its date four characters from the right and the organisation centred above', () => {
    const date = paper.find('2026年3月1日');
    near(date.right, right - 4 * character, 0.6);
    const organisation = paper.texts.findLast((one) => one.text === '某某大学')!;
    near((organisation.x + organisation.right) / 2, (date.x + date.right) / 2, 0.6);
    near(date.y - organisation.y, line, 0.1);
  });

  test('has the block of printing at the very bottom of its last page, in 四号 between lines', () => {
    const printed = paper.find('2026年3月2日印发');
    expect(printed.page).toBe(paper.pages);
    near(printed.size, 14, 0.01);
    near(printed.right, right - 14 * (25.4 / 72), 0.6);
    expect(bottom - printed.y).toBeLessThan(6);
    expect(paper.find('抄送：').y).toBeLessThan(printed.y);
    const rule = (y: number) => paper.ink(paper.pages, { x: left + 1, y: y - 0.4, width: 154, height: 0.8 });
    expect(rule(bottom)).toBeGreaterThan(0.3);
  });

  test('draws every character with ink', () => {
    for (const { page, text, x, right: end, y, size } of paper.texts.filter((one) => !/^[—\s]/.test(one.text))) {
      const height = (size * 25.4) / 72;
      const share = paper.ink(page, { x, y: y - height * 0.8, width: end - x, height });
      expect([text, share > 0.03]).toEqual([text, true]);
    }
  });

  test('is identical byte for byte when it is typeset again', async () => {
    const [one, two] = [await documentPdf(letter()), await documentPdf(letter())];
    expect(one.equals(two)).toBe(true);
    expect(one.equals(await documentPdf(letter({ title: '关于另一件事的通知' })))).toBe(false);
  });
});

describe('other papers', () => {
  test('have pages numbered on the outer side, 7 mm below the text', async () => {
    const paper = await print({ bodyHtml: long(24) });
    expect(paper.pages).toBeGreaterThan(2);
    const [odd, even] = [paper.find('— 1 —'), paper.find('— 2 —')];
    near(odd.right, right - 14 * (25.4 / 72), 1);
    near(even.x, left + 14 * (25.4 / 72), 1);
    near(odd.y - bottom, 7 + 1.8, 1.2);
    const lines = new Set(paper.texts.filter((one) => one.page === 2 && one.y < bottom).map((one) => one.y.toFixed(1)));
    expect(lines.size).toBe(22);
  }, 180_000);

  test('that go upward have number and signer at the left and right of one line', async () => {
    const paper = await print({ issuers: ['张三'], title: '关于购置设备的请示' });
    const [number, label] = [paper.find('校发〔'), paper.find('签发人')];
    const [name] = paper.texts.filter((one) => Math.abs(one.y - label.y) < 0.1).toSorted((a, b) => b.right - a.right);
    expect(name!.text.replace(/\s/g, '')).toMatch(/三$/);
    near(number.x, left + character, 0.5);
    near(number.y, label.y, 0.1);
    near(name!.right, right - character, 0.8);
  }, 180_000);

  test('never have the signature on a page without text', async () => {
    for (let paragraphs = 7; paragraphs <= 10; paragraphs += 1) {
      const paper = await print({ bodyHtml: long(paragraphs), copySend: [], printOrg: '', printDate: null });
      const { page } = paper.find('2026年3月1日');
      const above = paper.texts.filter((one) => one.page === page && /[，。]/.test(one.text));
      expect([paragraphs, above.length > 0]).toEqual([paragraphs, true]);
    }
  }, 180_000);

  test('keep a table with its words within the text', async () => {
    const cells = '<tr><td>化学学院</td><td colspan="2">检查时间</td></tr><tr><td>一</td><td>二</td><td>三</td></tr>';
    const paper = await print({ bodyHtml: `<p>如下：</p><table>${cells}</table>` });
    near(paper.find('化学学院').x, left + 1.4, 0.5);
    near(paper.find('检查时间').x, left + 52 + 1.4, 0.5);
  }, 180_000);

  test('such as a processing sheet hold every opinion with name and time, over as many pages as needed', async () => {
    const opinions = Array.from({ length: 30 }, (_, index) => ({
      state: '部门核稿',
      who: `处长${index + 1}`,
      dept: '教务处',
      did: '同意',
      words: index % 2 ? '同意。' : '同意，请办公室按程序办理，并抓紧落实有关工作。',
      at: '2026-03-01 10:00',
      signature: null,
    }));
    const facts = [{ label: '标题', value: '关于某事的通知', wide: true }];
    const paper = await readPaper(await processingSheetPdf({ name: '发文稿纸', org: '', facts, opinions }));
    expect(paper.pages).toBeGreaterThan(1);
    for (const { who } of opinions) expect(paper.find(who).text).toContain(who);
    expect(paper.find(`共 ${paper.pages} 页`).page).toBe(1);
  }, 180_000);
});
