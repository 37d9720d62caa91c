import type sanitize from 'sanitize-html';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { raisedText } from '#kernel/contract/words/raised.ts';
import { whenNeeded } from '../process/when-needed.ts';
import { fromMarkup } from './markup.ts';

const sanitizer = whenNeeded<typeof sanitize>('sanitize-html');
const blocks = ['p', 'h2', 'h3', 'h4', 'h5', 'ul', 'ol', 'li', 'table', 'tbody', 'thead', 'tr', 'th', 'td'];
const cells = ['colspan', 'rowspan'];
const options: sanitize.IOptions = {
  allowedTags: [...blocks, 'strong', 'em', 'u', 's', 'br'],
  allowedAttributes: {
    ...Object.fromEntries(['p', 'h2', 'h3', 'h4', 'h5', 'th', 'td'].map((tag) => [tag, ['style']])),
    ol: ['start'],
  },
  allowedStyles: { '*': { 'text-align': [/^(left|center|right|justify)$/], 'text-indent': [/^(0|2em)$/] } },
  allowedSchemes: [],
  transformTags: { b: 'strong', i: 'em', h1: 'h2', h6: 'h5', del: 's', strike: 's' },
  disallowedTagsMode: 'discard',
  // An area in m² must not become m2.
  textFilter: (text, tag) => (tag === 'sup' || tag === 'sub' ? raisedText(text.trim(), tag) : null) ?? text,
  enforceHtmlBoundary: false,
  nestingLimit: 30,
};
options.allowedAttributes = {
  ...(options.allowedAttributes as Record<string, string[]>),
  th: ['style', ...cells],
  td: ['style', ...cells],
};

/** Further elements of some texts, each with one attribute that accepts only these values; any other element is removed. */
export type OwnElements = Readonly<Record<string, { attribute: string; value: RegExp }>>;
function withOwn(own: OwnElements): sanitize.IOptions {
  const kept = Object.entries(own).map(([tag, { attribute, value }]) => {
    const keep: sanitize.Transformer = (tagName, attribs) =>
      value.test(attribs[attribute] ?? '')
        ? { tagName, attribs: { [attribute]: attribs[attribute]! } }
        : { tagName: 'unknown', attribs: {} };
    return [tag, keep] as const;
  });
  const attributes = Object.entries(own).map(([tag, { attribute }]) => [tag, [attribute]] as const);
  return {
    ...options,
    allowedTags: [...(options.allowedTags as string[]), ...Object.keys(own)],
    allowedAttributes: { ...options.allowedAttributes, ...Object.fromEntries(attributes) } as Record<string, string[]>,
    transformTags: { ...options.transformTags, ...Object.fromEntries(kept) },
  };
}

const mostRounds = 5;
/** Parses wrongly nested markup again until it no longer changes. */
function settled(html: string, own?: OwnElements): string {
  const allowed = own ? withOwn(own) : options;
  let clean = html;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = sanitizer()(clean, allowed);
    if (round > 0 && next === clean) break;
    clean = next;
  }
  return clean;
}

const hasBlock = new RegExp(`<(${blocks.join('|')})[\\s>]`);
const paragraphs = (text: string) =>
  text
    .split(/(?:\r?\n|<br \/>)+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${line}</p>`)
    .join('');

const empty = /^<p(?: [^>]*)?>(?:\s|<br \/>)*<\/p>\s*$/;
/** Removes empty paragraphs at the end one by one: the time grows only linearly with the text. */
function withoutEmptyEnd(html: string): string {
  let end = html.length;
  for (;;) {
    const last = html.lastIndexOf('<p', end - 1);
    if (last < 0 || !empty.test(html.slice(last, end))) return html.slice(0, end);
    end = last;
  }
}

/**
 * Cleans formatted text for storage: paragraphs, headings of four levels, emphasis, lists, tables, alignment and first-line indentation are kept;
 * raised and lowered digits become the characters for them; of everything else only the words stay. Plain text becomes a paragraph for each line. '' if there is nothing to read. `own` lists elements that this text
 * may have in addition.
 */
export function cleanHtml(html: string, own?: OwnElements): string {
  const clean = withoutEmptyEnd(settled(html, own)).trim();
  if (plainly(textOf(clean)) === '') return '';
  return hasBlock.test(clean) ? clean : paragraphs(clean);
}

/** Receives the parts of formatted text in order. */
export interface HtmlReader {
  open(tag: string, attributes: Record<string, string>): void;
  text(text: string): void;
  close(tag: string): void;
}

/** Walks through formatted text, which is cleaned on the way. */
export function readHtml(html: string, reader: HtmlReader): void {
  sanitizer()(html, {
    ...options,
    transformTags: {},
    onOpenTag: (tag, attributes) => reader.open(tag, attributes),
    onCloseTag: (tag) => reader.close(tag),
    textFilter: (text) => {
      reader.text(fromMarkup(text));
      return text;
    },
  });
}

/** The words of formatted text, a line for each paragraph and cell. */
export function textOf(html: string): string {
  let text = '';
  readHtml(html, {
    open: (tag) => void (text += tag === 'br' ? '\n' : ''),
    text: (words) => void (text += words),
    close: (tag) => void (text += blocks.includes(tag) && tag !== 'table' && tag !== 'tbody' ? '\n' : ''),
  });
  return withoutEmptyLines(text);
}

const withoutEmptyLines = (text: string) =>
  text
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** The words of formatted text as people compare it: a line for each paragraph and each row of a table, whose cells stand side by side. */
export function linesOf(html: string): string {
  let text = '';
  let row: string[] = [];
  let [cell, depth] = ['', 0];
  const isCell = (tag: string) => tag === 'td' || tag === 'th';
  const add = (words: string) => void (depth > 0 ? (cell += words) : (text += words));
  readHtml(html, {
    open(tag) {
      if (isCell(tag)) depth += 1;
      else if (tag === 'br') add('\n');
    },
    text: add,
    close(tag) {
      if (isCell(tag) && (depth -= 1) === 0) {
        row.push(cell.replace(/\s+/g, ' ').trim());
        cell = '';
      } else if (tag === 'tr' && depth === 0) {
        if (row.some(Boolean)) text += `${row.join(' │ ')}\n`;
        row = [];
      } else if (blocks.includes(tag)) add('\n');
    },
  });
  return withoutEmptyLines(text);
}
