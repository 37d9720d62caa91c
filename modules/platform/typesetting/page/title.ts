import type { Item } from './flow.ts';
import { centredOn } from '../ink/ink.ts';
import { core, em, size2, type Measure } from '../ink/measures.ts';

export const titleHeight = size2 * 1.5;
/** The space of a title line above and below its characters. */
export const titleLead = (titleHeight - size2) / 2;
const widest = core.width - 2 * em;
const mostEnumerated = 4;

const words = new Intl.Segmenter('zh-CN', { granularity: 'word' });
/** Parts that belong to the preceding word, and to the following one. */
const tail =
  /^(?:[，。、；：？！）》」』】〕〉”’%—]+|[的等年月日号届次级项个]|[室厅局处科部所院馆站组会员者性化率费案法制型类区市县省校生])$/u;
const lead = /^(?:[（《「『【〔〈“‘]+|和|与|及|暨|或|关于)$/u;

/** A title in inseparable parts: words with their marks and particles. */
export function wordsOfTitle(title: string): string[] {
  const parts: string[] = [];
  let open = '';
  let lone = false;
  for (const { segment } of words.segment(title)) {
    // Two separate characters in a row are a word that the dictionary does not know: 印发.
    const character = /^\p{Script=Han}$/u.test(segment) && !lead.test(segment);
    const joined: boolean = tail.test(segment) || (lone && character);
    lone = character && !joined;
    if (joined && parts.length > 0 && open === '') parts[parts.length - 1] += segment;
    else if (lead.test(segment)) open += segment;
    else {
      parts.push(open + segment);
      open = '';
    }
  }
  if (open) parts.push(open);
  return parts;
}

const afterName = /(?:的|》|厅|局|委|部|院|校|大学|办公室|委员会)$/u;
const withinName = /(?:省|市|县|区|州)$/u;
/** The cost of a break here: negative before 关于, high within the name of a paper or of an organisation. */
function breakCost(parts: readonly string[], at: number): number {
  if (parts[at]!.startsWith('关于')) return -8;
  const before = parts.slice(0, at).join('');
  const within = before.lastIndexOf('《') > before.lastIndexOf('》');
  return (within ? 30 : 0) + (afterName.test(before) ? -2 : 0) + (withinName.test(before) ? 8 : 0);
}

/** The deviation of lines of these widths, in characters, from a well-proportioned trapezium or diamond. */
function shapeCost(widths: readonly number[]): number {
  const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  const uneven = widths.reduce((sum, width) => sum + Math.abs(width - mean), 0) / widths.length;
  const waisted = widths.slice(1, -1).some((width, at) => width < widths[at]! && width < widths[at + 2]!);
  const oblong = Math.max(...widths) - Math.min(...widths) < 1;
  const orphan = Math.min(...widths) < 4;
  return uneven + (waisted ? 40 : 0) + (oblong ? 6 : 0) + (orphan ? 20 : 0);
}

/** Broken greedily between words, for texts too long to be optimised. */
function packed(parts: readonly string[], widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last + part) <= widest) lines[lines.length - 1] = last + part;
    else if (widthOf(part) <= widest) lines.push(part);
    else for (const character of part) lines.push(...cut(lines, character, widthOf));
  }
  return lines;
}
/** A word longer than a line is cut anywhere. */
function cut(lines: string[], character: string, widthOf: (text: string) => number): string[] {
  const last = lines.at(-1);
  if (last === undefined || widthOf(last + character) > widest) return [character];
  lines[lines.length - 1] = last + character;
  return [];
}

/** The lines of a title: broken between words, as few as possible, shaped as a trapezium or a diamond. */
export function titleLines(title: string, measure: Measure): string[] {
  const widthOf = (text: string) => measure(text, 'title', size2);
  const parts = wordsOfTitle(title);
  const fallback = packed(parts, widthOf);
  const rows = fallback.length;
  if (rows < 2 || rows > mostEnumerated) return fallback;
  let best = { lines: fallback, cost: Number.POSITIVE_INFINITY };
  const sizes = parts.map((part) => widthOf(part));
  const weigh = (lines: readonly string[], widths: readonly number[], from: number, cost: number) => {
    const left = rows - lines.length;
    const rest = sizes.slice(from).reduce((sum, size) => sum + size, 0);
    if (rest > left * widest) return;
    if (left === 1) {
      const total = cost + shapeCost([...widths, rest].map((width) => width / size2));
      if (total < best.cost) best = { lines: [...lines, parts.slice(from).join('')], cost: total };
      return;
    }
    let width = 0;
    for (let to = from + 1; to <= parts.length - left + 1; to += 1) {
      width += sizes[to - 1]!;
      if (width > widest) return;
      weigh([...lines, parts.slice(from, to).join('')], [...widths, width], to, cost + breakCost(parts, to));
    }
  };
  weigh([], [], 0, 0);
  return best.lines;
}

/** The title, centred. */
export function titleItems(title: string, measure: Measure): Item[] {
  return titleLines(title, measure).map((text) => ({
    height: titleHeight,
    onGrid: false,
    held: true,
    draw: (top) => [
      centredOn(measure, core.left + core.width / 2, { text, face: 'title', size: size2, top: top + titleLead }),
    ],
  }));
}
