import { strFromU8, unzipSync } from 'fflate';
import { listArchive } from '#kernel/server/export/sheet-archive.ts';
import type { PageText } from './pdf-text.ts';

const page = /(?:^|\/)Pages\/[^/]*?(\d+)\/Content\.xml$/i;
const code = /<(?:\w+:)?TextCode[^>]*>([^<]*)</g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of an OFD file, page by page. Throws if it exceeds the limit. */
export function ofdText(bytes: Uint8Array): PageText {
  listArchive(bytes);
  const pages = Object.entries(unzipSync(bytes, { filter: (entry) => page.test(entry.name) })).toSorted(
    ([one], [other]) => Number(page.exec(one)![1]) - Number(page.exec(other)![1]),
  );
  const words = pages.map(([, xml]) =>
    [...strFromU8(xml).matchAll(code)]
      .map(([, text]) => text!.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole))
      .join('\n'),
  );
  return { words: words.join('\n').trim(), pages: pages.length };
}
