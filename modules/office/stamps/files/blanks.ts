import type { BlankPage } from '../tables/application.ts';

/** What a look at the pages of a PDF found. */
export interface Look {
  pages: number;
  blanks: BlankPage[];
}

/** Places that somebody was to fill in: a run of underscores, or an underlined run of blanks between words. */
const place = /[_＿]{3,}|[（(][\s_＿　]{2,}[)）]|(?:年|第|于|自|至)[ 　]{2,}(?=[年月日条号页])/gu;
const mostPages = 300;
/** A page with less drawn on it is blank; a scan draws at least its picture. */
const leastDrawn = 3;

/** Pages of a PDF with places still to be filled in, and those that are blank altogether (no places). A scan is not judged. */
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
