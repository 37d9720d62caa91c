import { Editor } from '@tiptap/core';
import { expect, test } from 'vitest';
import { extensions } from './extensions.ts';
import { pasted } from './pasting.ts';

const shown = (given: string) => {
  const { html, lost } = pasted(given);
  const editor = new Editor({ extensions: [...extensions], content: html });
  const kept = editor.getHTML();
  editor.destroy();
  return { kept, lost };
};

test('a pasted block of spreadsheet cells is a table of the same rows', () => {
  const sheet = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td{color:red}</style></head><body>
<table border=0 width=144><!--StartFragment--> <col width=72 span=2> <tr height=20> <td class=xl65>物资</td> <td>数量</td></tr>
<tr><td>帐篷</td><td align=right x:num>12</td></tr><!--EndFragment--></table></body></html>`;
  const { kept, lost } = shown(sheet);
  const table = new DOMParser().parseFromString(kept, 'text/html').querySelector('table')!;
  expect([...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))).toEqual([
    ['物资', '数量'],
    ['帐篷', '12'],
  ]);
  expect(lost).toEqual([]);
});

test('a framed picture is counted once, and so is a doubly marked deletion', () => {
  const { lost } = pasted('<p><picture><img src="a.png"></picture><del><span class="msoDel">周一</span></del>开会</p>');
  expect(lost).toEqual(['1 张图片（正文不能放图片，请作为附件上传）', '1 处修订中已删除的文字']);
});

test('deleted text and comments of tracked changes are dropped, insertions are kept, and the editor says so', () => {
  const { kept, lost } = shown(
    `<p>兹定于<del cite="mailto:a">周一</del><ins cite="mailto:a">周二</ins>开会<span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[A1]</a></span></p>
<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>时间待定</p></div></div>`,
  );
  expect(new DOMParser().parseFromString(kept, 'text/html').body.textContent!.trim()).toBe('兹定于周二开会');
  expect(lost).toEqual(['1 处修订中已删除的文字', '批注']);
});

test('raised and lowered digits are pasted as characters that mean the same; for others the editor says that they became ordinary text', () => {
  const { kept, lost } = shown(
    '<p>占地 120 m<sup>2</sup>，二氧化碳 CO<span style="vertical-align:sub">2</span>，10<sup><b>-3</b></sup>，见<sup>[1]</sup>及 x<sub>甲</sub></p>',
  );
  expect(kept).toBe('<p>占地 120 m²，二氧化碳 CO₂，10⁻³，见[1]及 x甲</p>');
  expect(lost).toEqual(['2 处上标或下标的格式（文字已作为普通文字粘贴，请核对）']);
});

test('struck text is left out like a deletion, and the editor says so', () => {
  const { kept, lost } = shown(
    '<p>会议定于<s>周一</s><strike>周二</strike><span style="text-decoration: line-through">周三</span>周四召开</p>',
  );
  expect(kept).toBe('<p>会议定于周四召开</p>');
  expect(lost).toEqual(['3 处带删除线的文字']);
});

test('a row keeps all its cells if one of them is struck out, deleted or raised as a whole', () => {
  const row = (middle: string) => shown(`<table><tr><td>帐篷</td>${middle}<td>顶</td></tr></table>`);
  const cellsOf = (kept: string) =>
    [...new DOMParser().parseFromString(kept, 'text/html').querySelectorAll('td')].map((cell) => cell.textContent);
  const struck = row('<td style="text-decoration:line-through">12</td>');
  expect([cellsOf(struck.kept), struck.lost]).toEqual([['帐篷', '', '顶'], ['1 处带删除线的文字']]);
  const deleted = row('<td class="msoDel">12</td>');
  expect([cellsOf(deleted.kept), deleted.lost]).toEqual([['帐篷', '', '顶'], ['1 处修订中已删除的文字']]);
  expect(cellsOf(row('<td style="vertical-align:super">2</td>').kept)).toEqual(['帐篷', '²', '顶']);
  expect(shown('<p>甲</p><p style="vertical-align:super">2</p><p>乙</p>').kept).toBe('<p>甲</p><p>²</p><p>乙</p>');
});

test('a heading with an attribute that no program can set is pasted with its place', () => {
  expect(shown('<h1 title="x"" align="center">总则</h1>').kept).toBe('<h2 style="text-align: center;">总则</h2>');
});

test('headings of levels that the editor lacks become the nearest ones', () => {
  const { kept, lost } = shown('<h1 style="text-align:center">总则</h1><h3>第一节</h3><h6>附注</h6>');
  expect(kept).toBe('<h2 style="text-align: center;">总则</h2><h3>第一节</h3><h5>附注</h5>');
  expect(lost).toEqual([]);
});

test('pictures are not pasted into a text, and the editor says how many there were', () => {
  const { kept, lost } = shown(
    '<p>现场情况</p><p><img src="file:///C:/a.png"><img src="https://example.com/b.png"></p>',
  );
  expect(kept).not.toContain('img');
  expect(lost).toEqual(['2 张图片（正文不能放图片，请作为附件上传）']);
});

test('lists, headings and emphasis are pasted, and indenting blanks are not', () => {
  const { kept } = shown(
    '<h2>一、目的</h2><p style="text-indent:28pt">&nbsp;&nbsp;<span> </span>为<b>加强</b>管理</p><ol><li>甲</li><li>乙</li></ol>',
  );
  expect(kept).toContain('<h2>一、目的</h2>');
  expect(kept).toContain('<p>为<strong>加强</strong>管理</p>');
  expect(kept.match(/<li>/g)).toHaveLength(2);
});
