import { moneyRead, moneyText } from '#kernel/contract/money/money.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { cleanHtml, linesOf } from '#kernel/server/text/rich-text.ts';
import type { TextPart } from '#modules/office/documents/contract/revision.ts';
import { compareBodies } from '#modules/office/documents/service.ts';
import { dateText } from '#modules/platform/typesetting/service.ts';
import type { TemplateVariable } from '../contract/templates.ts';

// A template is formatted text with two elements of its own: a variable is an empty `<span data-variable="key">`, a locked clause a `<div
// data-locked="id">` around paragraphs. Nothing in it is executed, and filled-in values are never parsed again.
const own = {
  span: { attribute: 'data-variable', value: /^[a-z][a-z0-9_]{0,29}$/ },
  div: { attribute: 'data-locked', value: /^[a-z0-9]{1,12}$/ },
};
const variable = /<span data-variable="([a-z0-9_]+)">.*?<\/span>/gs;
const locked = /<div data-locked="[a-z0-9]+">(.*?)<\/div>/gs;
const edges = /<div data-locked="[a-z0-9]+">|<\/div>/g;
// Marks around a variable within text, from the private use area, which no text contains.
const [open, close] = ['\uE000', '\uE001'];

/** The sanitized text of a template, or of a contract written from one. */
export function cleanTemplate(html: string): string {
  const clean = cleanHtml(html.replaceAll(open, '').replaceAll(close, ''), own);
  const bare = clean.replace(variable, (_all, key: string) => `<span data-variable="${key}"></span>`);
  return bare === clean ? clean : cleanHtml(bare, own);
}

/** The distinct keys of variables in a text, in order. */
export const variablesIn = (content: string): string[] => [
  ...new Set([...content.matchAll(variable)].map((found) => found[1]!)),
];

const wordsOf = (content: string) => linesOf(content.replace(variable, (_all, key: string) => open + key + close));
const lockedIn = (content: string) => [...content.matchAll(locked)].map((found) => wordsOf(found[1]!));

/** Compares a text with its template by words, ignoring differences in formatting by an editor. */
export function compared(content: string, template: string): { standard: boolean; lockedKept: boolean } {
  const kept = JSON.stringify(lockedIn(content)) === JSON.stringify(lockedIn(template));
  return { standard: kept && wordsOf(content) === wordsOf(template), lockedKept: kept };
}

/** Beyond this many changes a text counts as a different one, because comparing blocks the process. */
const mostChanges = 200;
/** The changed lines between two plain texts. */
export const linesChanged = (before: string, after: string): TextPart[] => compareBodies(before, after, mostChanges);
/** The same for formatted texts. */
export const changesBetween = (before: string, after: string): TextPart[] =>
  linesChanged(linesOf(before), linesOf(after));

/** A text for comparison, with labels in place of variables. */
export function labelled(content: string, variables: readonly TemplateVariable[]): string {
  const labels = new Map(variables.map((one) => [one.key, one.label]));
  return filled(content, (key) => `【${labels.get(key) ?? key}】`);
}

/** A text with values in place of variables, and locked clauses unwrapped. */
export const filled = (content: string, valueOf: (key: string) => string): string =>
  content
    .replace(variable, (_all, key: string) => asMarkup(valueOf(key)).replaceAll('\n', '<br />'))
    .replace(edges, '');

/** A value as printed; an invalid date or amount is printed as entered. */
export function valueText({ type }: TemplateVariable, value: string): string {
  if (type === 'date') return dateText(/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null) || value;
  const amount = type === 'money' ? moneyRead(value) : null;
  return amount === null ? value : moneyText(amount);
}
