import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { zipSync, strToU8 } from 'fflate';
import PdfKit from 'pdfkit';

const font = '@expo-google-fonts/noto-serif-sc/400Regular/NotoSerifSC_400Regular.ttf';

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const drawn =
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
/** Makes a run raised, as in m². */
export const raised = '<w:vertAlign w:val="superscript"/>';
export const run = (text: string, how = '') =>
  `<w:r>${how && `<w:rPr>${how}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
/** A paragraph of a Word file; `how` is the XML of its properties. */
export const para = (content: string, how = '') =>
  `<w:p>${how && `<w:pPr>${how}</w:pPr>`}${content.startsWith('<') ? content : run(content)}</w:p>`;
export const centred = '<w:jc w:val="center"/>';
export const right = '<w:jc w:val="right"/>';
export const numbered = (level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
export const table = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${para(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
export const picture = `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="图"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rPic"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const level = (at: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const numbering = `${head}<w:numbering ${w}><w:abstractNum w:abstractNumId="0">${level(0, 'chineseCounting', '%1、')}${level(1, 'chineseCounting', '（%2）')}${level(2, 'decimal', '%3.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;

/** A Word file of these paragraphs, as an office program writes it. `parts` are further parts of the package. */
export function wordFile(
  body: string,
  { png, footnotes, parts = {} }: { png?: Uint8Array; footnotes?: string; parts?: Record<string, Uint8Array> } = {},
): Uint8Array {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const of = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const part = (name: string, type: string) =>
    `<Override PartName="/word/${name}.xml" ContentType="${of}.${type}+xml"/>`;
  return zipSync(
    {
      '[Content_Types].xml': strToU8(
        `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${part('document', 'document.main')}${part('numbering', 'numbering')}${part('footnotes', 'footnotes')}</Types>`,
      ),
      '_rels/.rels': strToU8(
        `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', 'officeDocument', 'word/document.xml')}</Relationships>`,
      ),
      'word/_rels/document.xml.rels': strToU8(
        `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rNum', 'numbering', 'numbering.xml')}${footnotes ? relation('rNotes', 'footnotes', 'footnotes.xml') : ''}${png ? relation('rPic', 'image', 'media/image1.png') : ''}</Relationships>`,
      ),
      'word/numbering.xml': strToU8(numbering),
      ...(footnotes && {
        'word/footnotes.xml': strToU8(
          `${head}<w:footnotes ${w}><w:footnote w:id="1">${para(footnotes)}</w:footnote></w:footnotes>`,
        ),
      }),
      ...(png && { 'word/media/image1.png': png }),
      'word/document.xml': strToU8(`${head}<w:document ${w} ${drawn}><w:body>${body}</w:body></w:document>`),
      ...parts,
    },
    { mtime: new Date('2026-01-01T00:00:00Z') },
  );
}

/** A Word file of one paragraph. */
export const wordOf = (text: string): Uint8Array => wordFile(para(text));

/** A PDF with one page per line. `lying`: landscape. */
export async function pdfOf(lines: readonly string[], { locked = false, lying = false } = {}): Promise<Buffer> {
  const pdf = new PdfKit({
    autoFirstPage: false,
    info: { CreationDate: new Date('2026-01-01T00:00:00Z') },
    ...(locked && { ownerPassword: 'owner', permissions: { modifying: false } }),
  });
  const bytes = buffer(pdf);
  pdf.font(fileURLToPath(import.meta.resolve(font))).fontSize(16);
  for (const line of lines) pdf.addPage({ size: 'A4', layout: lying ? 'landscape' : 'portrait' }).text(line);
  pdf.end();
  return bytes;
}
