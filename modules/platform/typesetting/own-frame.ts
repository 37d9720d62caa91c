import { wordsOf, type Block } from './blocks.ts';
import type { PdfInput } from './input.ts';

/** The compared part of a paragraph: its characters without blanks. */
const bare = (text: string) => text.replace(/[\s\u3000]/g, '');
/** A list of names with uniform separators. */
const listed = (text: string) => bare(text).replace(/[，,；;]+/g, '、');
const textAt = (block: Block | undefined) => (block?.kind === 'paragraph' ? bare(wordsOf(block)) : null);
const date =
  /^[\dX×*二〇○零一二三四五六七八九]{2,4}年[\dX×*十〇一二三四五六七八九]{0,3}月[\dX×*十〇一二三四五六七八九]{0,3}日$/i;
const number = /^[^〔]{1,20}〔\d{4}〕[\dX×]*号$/i;
const longestTitle = 4;

/**
 * A text from a file often contains its own head, title, addressees, signature and date. Those equal to the document's are left out, because they are
 * set once, in the standard's places.
 */
export function withoutOwnFrame(blocks: readonly Block[], input: PdfInput): Block[] {
  const rest = [...blocks];
  const orgs = [input.issueOrg, ...input.jointOrgs].filter(Boolean).map(bare);
  const heads = new Set([...orgs, ...orgs.map((org) => `${org}文件`), bare(input.head?.orgLine ?? '')]);
  const addressed = listed(input.mainSend.join('、'));
  let hadTitle = false;
  for (;;) {
    const text = textAt(rest[0]);
    if (text === null) break;
    const title = hadTitle ? 0 : titleLength(rest, bare(input.title));
    if (title > 0) {
      rest.splice(0, title);
      hadTitle = true;
    } else if (text === '' || (/[：:]$/.test(text) && listed(text.slice(0, -1)) === addressed)) rest.shift();
    else if (!hadTitle && (heads.has(text) || number.test(text))) rest.shift();
    else break;
  }
  // If only a head is left, it is the text.
  if (rest.length === 0) return [...blocks];
  return withoutOwnEnd(rest, orgs);
}

/** The text of an attachment without its own number and title, which are set above it. */
export function withoutOwnTitle(blocks: readonly Block[], titles: readonly string[]): Block[] {
  const own = new Set(['', ...titles.map(bare)]);
  const from = blocks.findIndex((block) => !own.has(textAt(block) ?? '\0'));
  return from < 0 ? [...blocks] : blocks.slice(from);
}

/** The number of paragraphs that make up the title; 0 if it is missing. */
function titleLength(blocks: readonly Block[], title: string): number {
  let text = '';
  for (let count = 1; count <= longestTitle; count += 1) {
    text += textAt(blocks[count - 1]) ?? '\0';
    if (text === title) return count;
    if (!title.startsWith(text)) return 0;
  }
  return 0;
}

function withoutOwnEnd(blocks: readonly Block[], orgs: readonly string[]): Block[] {
  const rest = [...blocks];
  const isOrg = (at: number) => orgs.includes(textAt(rest.at(at)) ?? '');
  const last = rest.at(-1);
  const text = textAt(last);
  if (text !== null && date.test(text)) {
    const aside = last?.kind === 'paragraph' && last.align === 'right';
    if (aside || isOrg(-2)) rest.pop();
  }
  while (rest.length > 1 && isOrg(-1)) rest.pop();
  return rest.length > 0 ? rest : [...blocks];
}
