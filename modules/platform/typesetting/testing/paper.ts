import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfInput } from '../input.ts';

/** A piece of text on paper: millimetres from the left and the top edge to its beginning and its baseline; size in points. */
export interface Found {
  page: number;
  text: string;
  x: number;
  y: number;
  right: number;
  size: number;
}
interface Dots {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

interface Drawing {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
}

const mm = 25.4 / 72;
const scale = 2;

/** Parses a PDF like a reader program: the texts with their positions and, if `drawn`, the pixels. */
export async function readPaper(bytes: Buffer, drawn = false) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 }).promise;
  // The library brings its own canvas outside a browser.
  const canvases = pdf.canvasFactory as { create(width: number, height: number): Drawing };
  const texts: Found[] = [];
  const pictures: Dots[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    const sheet = await pdf.getPage(page);
    const view = sheet.getViewport({ scale: 1 });
    for (const item of (await sheet.getTextContent()).items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [, , , size = 0, x = 0, y = 0] = item.transform as number[];
      const left = x * mm;
      texts.push({ page, text: item.str, x: left, y: (view.height - y) * mm, right: left + item.width * mm, size });
    }
    if (!drawn) continue;
    const viewport = sheet.getViewport({ scale });
    const { canvas, context } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
    await sheet.render({ canvas, canvasContext: context, viewport }).promise;
    pictures.push(context.getImageData(0, 0, canvas.width, canvas.height));
  }
  const pages = pdf.numPages;
  const size = (await pdf.getPage(1)).getViewport({ scale: 1 });
  await pdf.loadingTask.destroy();
  /** Fraction of dark or coloured pixels in a box of millimetres. */
  const ink = (page: number, box: { x: number; y: number; width: number; height: number }, red = false) => {
    const picture = pictures[page - 1]!;
    const dots = (value: number) => Math.round((value / mm) * scale);
    let [seen, inked] = [0, 0];
    for (let y = dots(box.y); y < dots(box.y + box.height); y += 1)
      for (let x = dots(box.x); x < dots(box.x + box.width); x += 1) {
        const at = (y * picture.width + x) * 4;
        const [r = 0, g = 0, b = 0] = picture.data.subarray(at, at + 3);
        seen += 1;
        if (red ? r > 150 && g < 120 && b < 120 : g < 200) inked += 1;
      }
    return inked / seen;
  };
  /** The extent of the ink within a box of millimetres. */
  const edges = (page: number, box: { x: number; y: number; width: number; height: number }, red = false) => {
    const picture = pictures[page - 1]!;
    const dots = (value: number) => Math.round((value / mm) * scale);
    const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let y = dots(box.y); y < dots(box.y + box.height); y += 1)
      for (let x = dots(box.x); x < dots(box.x + box.width); x += 1) {
        const [r = 0, g = 0, b = 0] = picture.data.subarray((y * picture.width + x) * 4);
        if (red ? !(r > 150 && g < 120 && b < 120) : g >= 200) continue;
        found.left = Math.min(found.left, x);
        found.right = Math.max(found.right, x + 1);
        found.top = Math.min(found.top, y);
        found.bottom = Math.max(found.bottom, y + 1);
      }
    const back = (value: number) => (value / scale) * mm;
    return {
      left: back(found.left),
      top: back(found.top),
      right: back(found.right),
      bottom: back(found.bottom),
    };
  };
  return {
    pages,
    width: size.width * mm,
    height: size.height * mm,
    texts,
    ink,
    edges,
    /** The first piece that contains a text. */
    find: (text: string): Found => {
      const found = texts.find((one) => one.text.includes(text)) ?? spread(texts, text);
      if (!found) throw new Error(`not on paper: ${text}`);
      return found;
    },
  };
}

/** A text with spaced characters, which a reader program splits into several pieces. */
function spread(texts: readonly Found[], text: string): Found | undefined {
  for (const [index, first] of texts.entries()) {
    let read = '';
    for (const piece of texts.slice(index)) {
      if (piece.page !== first.page || Math.abs(piece.y - first.y) > 0.1) break;
      read += piece.text.replace(/\s/g, '');
      if (read === text) return { ...first, text, right: piece.right };
    }
  }
  return undefined;
}

const paragraph = '为进一步加强实验室安全管理，落实安全责任，防范和化解安全风险，现就做好安全检查工作通知如下。';
/** A school's letter with all parts that a letter may have. */
export const letter = (changes: Partial<PdfInput> = {}): PdfInput => ({
  form: 'document',
  head: { orgLine: '某某大学文件', colour: '#e60012', line: 1 },
  title: '某某大学关于做好2026年实验室安全检查工作的通知',
  docNumber: '校发〔2026〕12号',
  copyNo: '',
  secrecy: '',
  secretPeriod: '',
  urgency: '',
  issueOrg: '某某大学',
  jointOrgs: [],
  issuers: [],
  mainSend: ['各学院', '各部门'],
  copySend: ['校党委各部门', '纪委办公室'],
  bodyHtml: `<p>${paragraph}</p><p>一、总体要求</p><p>${paragraph}</p>`,
  bodyFile: null,
  attachments: ['实验室安全检查表', '安全责任人名单'],
  annexes: [],
  writtenDate: '2026-03-01',
  annotation: '此件主动公开',
  contactName: '',
  contactPhone: '',
  printOrg: '某某大学党政办公室',
  printDate: '2026-03-02',
  ...changes,
});
/** Enough paragraphs to fill more than a page. */
export const long = (count: number) => `<p>${paragraph}</p>`.repeat(count);
