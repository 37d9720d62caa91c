import { charactersIn, cutTo } from '#kernel/contract/words/cut.ts';
import { strangeHost } from './links.ts';

/** The settings for contents. */
export interface ContentRules {
  /** Hosts to which links may lead, including their subdomains. */
  links: readonly string[];
  words: readonly string[];
}

export const maxContent = 500;
const leftOut = '内容从略';
/** A value up to this length is never shortened: a code, a time or a number would become meaningless or wrong. */
const leastKept = 12;
export const defaultOptOut = '拒收请回复 R';

/** Names of a template's placeholders in the order of their first use. */
export function placesOf(content: string): string[] {
  return [...new Set([...content.matchAll(/\{([\p{L}\p{N}_]{1,20})\}/gu)].map(([, name]) => name!))];
}

/** The content with its placeholders filled; one without a value stays. */
export function filled(content: string, params: Readonly<Record<string, string>>): string {
  return content.replace(/\{([\p{L}\p{N}_]{1,20})\}/gu, (place, name: string) => params[name] ?? place);
}

/**
 * Values within a provider's limit, `most` characters for a placeholder: each by itself in the provider's own template; if the whole text is one
 * placeholder, the longest value is shortened, because a short one (a time, a number) would become meaningless.
 */
export function fitting(
  content: string,
  params: Readonly<Record<string, string>>,
  { most, apart }: { most: number; apart: boolean },
): Record<string, string> {
  const values = Object.entries(params);
  if (apart) return Object.fromEntries(values.map(([place, value]) => [place, cutTo(value, most)]));
  const over = charactersIn(filled(content, params)) - most;
  if (over <= 0) return { ...params };
  const [longest] = values.toSorted(([, one], [, other]) => charactersIn(other) - charactersIn(one));
  if (!longest) return { ...params };
  const [place, value] = longest;
  return { ...params, [place]: cutTo(value, Math.max(leastKept, charactersIn(value) - over)) };
}

/** The text as received: the signature first, the opt-out hint at the end. */
export function signed(content: string, sign: string, hint = ''): string {
  return `【${sign}】${content}${hint && !content.endsWith(hint) ? `${/[。！？.!?]$/.test(content) ? '' : '，'}${hint}` : ''}`;
}

/** Messages that a provider counts for a text: one up to 70 characters, else parts of 67. */
export function segmentsOf(text: string): number {
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

/** The first sensitive word of a text, even with blanks or marks between its characters. */
export function badWord(text: string, { words }: ContentRules): string | undefined {
  const bareText = bareOf(text);
  return words.find((word) => bareText.includes(bareOf(word)));
}

const marks: Readonly<Record<string, string>> = { '【': '〔', '】': '〕', '{': '｛', '}': '｝' };

/**
 * A system value made safe for a text: brackets of signatures and placeholders are replaced; a misleading one is left out. The organisation's own
 * `names` may contain anything.
 */
export function harmless(value: string, rules: ContentRules, names: readonly string[] = []): string {
  let asked = value;
  for (const name of names.toSorted((one, other) => other.length - one.length)) asked = asked.replaceAll(name, ' ');
  if (strangeHost(asked, rules) || badWord(asked, rules)) return leftOut;
  return value.replace(/[【】{}]/g, (mark) => marks[mark]!);
}

/** True if a reply opts out: by the word of the hint, or by a usual one. */
export function refusesMore(reply: string, hint: string): boolean {
  const [, asked = 'r'] = /回复?\s*[“"「]?([a-z\d]{1,6})/iu.exec(hint) ?? [];
  return ['r', 't', 'td', '退订', '拒收', asked.toLowerCase()].includes(bareOf(reply));
}

const bareOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
