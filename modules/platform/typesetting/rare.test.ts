import { describe, expect, it } from 'vitest';
import { raisedText } from '#kernel/contract/words/raised.ts';
import { letter, readPaper } from './testing/paper.ts';
import { contractPdf, documentPdf, processingSheetPdf, tablePdf, unprintable } from './service.ts';

describe('a character that the letter fonts lack', () => {
  it('is printed in a font that has it, and only its part of that font is embedded', async () => {
    const plain = await documentPdf(letter({ title: '关于聘任某某等同志的通知' }));
    const named = await documentPdf(
      letter({ title: '关于聘任𠮷田、𰻝某、𡋾某等同志的通知', annotation: '联系人：𪚥某' }),
    );
    const words = (await readPaper(named)).texts.map((one) => one.text).join('');
    for (const character of ['𠮷', '𰻝', '𡋾', '𪚥']) expect(words).toContain(character);
    expect(words).not.toContain('〓');
    expect(named.length - plain.length).toBeLessThan(40_000);
  });

  it('is reported by field and place if no font has it, and only then', async () => {
    const texts = [
      { field: 'title', label: '标题', text: '关于𠮷田先生的通知' },
      { field: 'main_send', label: '主送第 2 个', text: '\u{3FFFD}某\u{10FFFD}研究所' },
    ];
    const [error, ...others] = await unprintable(texts);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ field: 'main_send', label: '主送第 2 个' });
    expect(error?.msg).toContain('“\u{3FFFD}”');
    expect(error?.msg).toContain('字体目录（FONT_DIR）');
  });

  it('is no raised or lowered digit: each is printed', async () => {
    const digits = ['sup', 'sub'].map((kind) => raisedText('0123456789+-=()n', kind as 'sup')!).join('');
    expect(await unprintable([{ field: 'body', label: '正文', text: digits }])).toEqual([]);
    const paper = await readPaper(await documentPdf(letter({ title: `关于 120 m${digits}的通知` })));
    expect(paper.texts.map((one) => one.text).join('')).not.toContain('〓');
  });

  it('is reported at the foot of the page in sheets, tables and reports that nobody submits', async () => {
    const name = '\u{3FFFD}某';
    const asTable = (cell: string) =>
      tablePdf({ title: '值班表', under: '', head: ['日期', '带班'], widths: [1, 1], rows: [['3月1日', cell]] });
    const asSheet = (value: string) =>
      processingSheetPdf({ name: '督办单', org: '', facts: [{ label: '责任人', value }], opinions: [] });
    const asReport = (title: string) =>
      contractPdf({ title, number: '', bodyHtml: '<p>如下。</p>', watermark: '', picture: null, day: null });
    for (const print of [asTable, asSheet, asReport]) {
      const words = async (text: string) =>
        (await readPaper(await print(text))).texts.map((one) => one.text.replace(/\s/g, '')).join('');
      expect(await words(name)).toContain('本页印作〓的字没有可用的字体（U+3FFFD），请系统管理员补充字体（FONT_DIR）');
      expect(await words('𠮷某')).not.toContain('没有可用的字体');
    }
  });

  it('and is invisible leaves nothing on paper, and a space of another width is a space', async () => {
    const paper = await readPaper(await documentPdf(letter({ title: '关于\u200B聘任\u{E0100}某\u2005某的通知' })));
    const words = paper.texts.map((one) => one.text).join('');
    expect(words).not.toContain('〓');
    expect(words.replace(/\s/g, '')).toContain('关于聘任某某的通知');
    expect(await unprintable([{ field: 'title', label: '标题', text: '\u200B\u2005' }])).toEqual([]);
  });
});
