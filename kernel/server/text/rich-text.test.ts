// @vitest-environment jsdom
import { leastCost } from '../testing/cost.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanHtml, linesOf, textOf } from './rich-text.ts';

const allowedTags = 'p h2 h3 h4 h5 ul ol li table tbody thead tr th td strong em u s br'.split(' ');
const allowedAttributes = ['style', 'colspan', 'rowspan', 'start'];
const styles = /^(?:(?:text-align:\s*(?:left|center|right|justify)|text-indent:\s*(?:0|2em));?\s*)*$/;

/** Elements and attributes, as a browser parses them, that are not allowed. */
function strangersIn(html: string): string[] {
  const { body } = new DOMParser().parseFromString(`<!doctype html><body>${html}</body>`, 'text/html');
  return [...body.querySelectorAll('*')].flatMap((element) => [
    ...(allowedTags.includes(element.localName) ? [] : [element.localName]),
    ...[...element.attributes]
      .filter(({ name, value }) => !allowedAttributes.includes(name) || (name === 'style' && !styles.test(value)))
      .map(({ name, value }) => `${name}=${value}`),
  ]);
}

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#9;script:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="text-align:center;position:fixed;inset:0">x</p>',
  '<p style="text-align:expression(alert(1))">x</p>',
  '<p onclick="alert(1)" onmouseover=alert(1) id=a class=b data-x=1>x</p>',
  '<table background="javascript:alert(1)"><tr><td onload=alert(1)>x</td></tr></table>',
  '<textarea><p title="</textarea><img src onerror=alert(1)>"></textarea>',
  '<template><img src=x onerror=alert(1)></template>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  '<!--[if gte mso 9]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<p><b><p><i></b><script>alert(1)</i></script>',
  '<base href="https://example.com/"><meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<p>&#60;img src=x onerror=alert(1)&#62;</p>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<button formaction=javascript:alert(1)>x</button><input autofocus onfocus=alert(1)>',
  '<style>@import "https://example.com/x.css";</style><link rel=stylesheet href=x>',
  '<video><source onerror="alert(1)"></video><audio src onloadstart=alert(1)>',
];

describe('rich text', () => {
  test.each(attacks)('keeps only what is allowed: %s', (attack) => {
    for (const html of [attack, `<p>前${attack}后</p>`, `<table><tr><td>${attack}</td></tr></table>`]) {
      const clean = cleanHtml(html);
      expect(strangersIn(clean)).toEqual([]);
      expect(cleanHtml(clean)).toBe(clean);
    }
  });

  test('keeps only what is allowed, however attacks are cut, doubled and nested', () => {
    const part = fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<',
        '>',
        '"',
        "'",
        '--',
        '<!--',
        '</',
        '<svg>',
        '<math>',
        '\u0000',
        '&lt;',
        '<table>',
        '<td>',
      ),
      fc.string({ maxLength: 6 }),
      fc.tuple(fc.constantFrom(...attacks), fc.nat(120)).map(([attack, length]) => attack.slice(0, length)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const clean = cleanHtml(parts.join(''));
        expect(strangersIn(clean)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('keeps the elements that documents need', () => {
    const html =
      '<h2>一、总则</h2><p style="text-align:center">甲<strong>乙</strong><em>丙</em><u>丁</u></p>' +
      '<ol start="3"><li><p>三</p></li></ol><table><tbody><tr><td colspan="2">合并</td></tr></tbody></table>';
    expect(cleanHtml(html)).toBe(html);
    expect(cleanHtml('<h1>甲</h1><b>乙</b>')).toBe('<h2>甲</h2><strong>乙</strong>');
  });

  test('keeps the meaning of raised and lowered digits, and the words of other raised text', () => {
    expect(cleanHtml('<p>120 m<sup>2</sup>、H<sub>2</sub>O、10<sup>-3</sup>，见<sup>[1]</sup></p>')).toBe(
      '<p>120 m²、H₂O、10⁻³，见[1]</p>',
    );
  });

  test('made of plain text has a paragraph for each line, and is empty if there is nothing to read', () => {
    expect(cleanHtml('甲\n乙 < 丙')).toBe('<p>甲</p><p>乙 &lt; 丙</p>');
    const unseen = ['\u200b', '<p>\u200b</p>', '<p>&#8203;</p>', '<p>&zwnj; </p><p>\u2060</p>'];
    for (const nothing of ['', ' ', '<p></p>', '<p><br></p><p> </p>', '<script>1</script>', ...unseen])
      expect(cleanHtml(nothing)).toBe('');
  });

  test('is converted to text with a line for each paragraph and cell', () => {
    expect(textOf('<p>甲&amp;乙<br />丙</p><table><tbody><tr><td>一</td><td>二</td></tr></tbody></table>')).toBe(
      '甲&乙\n丙\n一\n二',
    );
  });

  test('is compared with the cells of a row side by side', () => {
    const cell = '<td><p>二</p><p>三<br />四</p></td>';
    const html = `<p>甲</p><table><tbody><tr><th>一</th>${cell}<td></td></tr><tr><td></td></tr></tbody></table><p>乙</p>`;
    expect(linesOf(html)).toBe('甲\n一 │ 二 三 四 │\n乙');
    expect(linesOf('甲&amp;乙')).toBe('甲&乙');
  });

  test.each([
    ['blanks in a line', `<p>${'\u00a0'.repeat(27)}甲</p>`],
    ['empty lines', `${'<p></p>'.repeat(20_000)}<p>甲</p>`],
    ['blanks at the end of nothing', `<p>${' '.repeat(60_000)}甲</p>`],
  ])('is processed in time proportional to its length: %s', async (_what, html) => {
    expect(await leastCost(() => expect(textOf(cleanHtml(html))).toContain('甲'), 1)).toBeLessThan(5000);
  });
});
