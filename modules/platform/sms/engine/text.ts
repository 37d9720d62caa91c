import { charactersIn, cutTo } from '#kernel/contract/words/cut.ts';
import { strangeHost } from './links.ts';

/** What a content may hold besides plain words, as the settings say. */
export interface ContentRules {
  /** Hosts whose links may be sent; their subdomains too. */
  links: readonly string[];
  words: readonly string[];
}

export const maxContent = 500;
const leftOut = '内容从略';
/** A value that is no longer than this is left whole: a code, a time, a number says nothing, or something else, once it is cut. */
const leastKept = 12;
export const defaultOptOut = '拒收请回复 R';

/** Names of the places of a template in the order of their first use. */
export function placesOf(content: string): string[] {
  return [...new Set([...content.matchAll(/\{([\p{L}\p{N}_]{1,20})\}/gu)].map(([, name]) => name!))];
}

/** The content with its places filled; a place without a value stays as it is. */
export function filled(content: string, params: Readonly<Record<string, string>>): string {
  return content.replace(/\{([\p{L}\p{N}_]{1,20})\}/gu, (place, name: string) => params[name] ?? place);
}

/**
 * Values as a provider takes them, `most` characters for a place: each by itself where the template is the provider's own; where the whole
 * text is one place, the longest value gives way, for what is short (a time, a number) says nothing once it is cut.
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

/** As it arrives: the signature first, a hint how to refuse more at the end. */
export function signed(content: string, sign: string, hint = ''): string {
  return `【${sign}】${content}${hint && !content.endsWith(hint) ? `${/[。！？.!?]$/.test(content) ? '' : '，'}${hint}` : ''}`;
}

/** Messages a provider counts for a text: one up to 70 characters, else parts of 67. */
export function segmentsOf(text: string): number {
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

/** The first sensitive word of a text, also where blanks or marks were put between its characters. */
export function badWord(text: string, { words }: ContentRules): string | undefined {
  const bareText = bareOf(text);
  return words.find((word) => bareText.includes(bareOf(word)));
}

const marks: Readonly<Record<string, string>> = { '【': '〔', '】': '〕', '{': '｛', '}': '｝' };

/** A value of the system's own as a text may hold it: brackets of a signature and of places become others; leads it astray, it is left out. `names` of the house's own may hold what they like. */
export function harmless(value: string, rules: ContentRules, names: readonly string[] = []): string {
  let asked = value;
  for (const name of names.toSorted((one, other) => other.length - one.length)) asked = asked.replaceAll(name, ' ');
  if (strangeHost(asked, rules) || badWord(asked, rules)) return leftOut;
  return value.replace(/[【】{}]/g, (mark) => marks[mark]!);
}

/** Whether a reply says that its sender wants no more: by the word of the hint, or by one that is usual. */
export function refusesMore(reply: string, hint: string): boolean {
  const [, asked = 'r'] = /回复?\s*[“"「]?([a-z\d]{1,6})/iu.exec(hint) ?? [];
  return ['r', 't', 'td', '退订', '拒收', asked.toLowerCase()].includes(bareOf(reply));
}

const bareOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
