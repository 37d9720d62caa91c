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
