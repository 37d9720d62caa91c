import type { BlankPage } from '../tables/application.ts';

/** The result of inspecting a PDF. */
export interface Look {
  pages: number;
  blanks: BlankPage[];
}

/** Blank places to fill in: a run of underscores, or of underlined blanks between words. */
const place = /[_＿]{3,}|[（(][\s_＿　]{2,}[)）]|(?:年|第|于|自|至)[ 　]{2,}(?=[年月日条号页])/gu;
const mostPages = 300;
/** A page with fewer drawing operations is blank; a scan has at least its picture. */
const leastDrawn = 3;

/** Pages of a PDF with places still to be filled in, and fully blank pages (without places). Scans are not judged. */
export async function blanksIn(data: Uint8Array): Promise<Look> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 });
  try {
    const pdf = await loading.promise;
    const blanks: BlankPage[] = [];
    for (let number = 1; number <= pdf.numPages && number <= mostPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      const places = [...text.matchAll(place)].length;
      const empty = text.trim() === '' && (await page.getOperatorList()).fnArray.length < leastDrawn;
      if (places > 0 || empty) blanks.push({ page: number, places });
      page.cleanup();
    }
    return { pages: pdf.numPages, blanks };
  } finally {
    await loading.destroy();
  }
}
