import { levelOf } from '#modules/platform/typesetting/service.ts';
import { cited, error, mapBeginnings, onText, type At, type Check } from './found.ts';

const names = ['', '一、', '（一）', '1.', '（1）'];
const digits = '零一二三四五六七八九';
const numbers = '[一二三四五六七八九十百]+';

/** Writes 23 as 二十三. */
export function chinese(value: number): string {
  if (value < 10) return digits[value]!;
  if (value < 20) return `十${value % 10 === 0 ? '' : digits[value % 10]}`;
  if (value < 100) return `${digits[Math.floor(value / 10)]}十${value % 10 === 0 ? '' : digits[value % 10]}`;
  return String(value);
}
/** Reads 二十三 as 23; 0 for anything but a number below a hundred. */
export function fromChinese(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const one = ones === '' ? 0 : digits.indexOf(ones ?? '');
  const ten = text.includes('十') ? (tens === '' ? 1 : digits.indexOf(tens ?? '')) : 0;
  return one < 0 || ten < 0 || text.length > 3 ? 0 : ten * 10 + one;
}
const marker = (level: number, value: number) =>
  [`${chinese(value)}、`, `（${chinese(value)}）`, `${value}.`, `（${value}）`][level - 1]!;

/** Frequent misspellings of level numbers, with the correct form. */
const misspelt: readonly [RegExp, string][] = [
  [new RegExp(`^(${numbers})[.．,，]\\s*`), '$1、'],
  [new RegExp(`^[(（](${numbers})[)）]\\s*[、.，,]?\\s*`), '（$1）'],
  [/^(\d{1,2})(?:[、，,]|．(?!\d))\s*/, '$1. '],
  [/^[(（](\d{1,2})[)）]\s*[、.，,]?\s*/, '（$1）'],
];
function spelt(text: string): string {
  for (const [pattern, right] of misspelt) {
    const better = text.replace(pattern, right);
    if (better !== text) return better;
  }
  return text;
}

/** Levels from `1.` on are lists, which may restart anywhere. */
const listed = 3;

/** Counts each level: 二、 follows 一、, below it （一） restarts, and a list restarts where it says 1. */
function counter() {
  const counts = [0, 0, 0, 0, 0];
  return (level: number, value: number): number => {
    counts[level] = level >= listed && value === 1 ? 1 : counts[level]! + 1;
    counts.fill(0, level + 1);
    return counts[level]!;
  };
}
const pattern = [/^/, /^[一二三四五六七八九十百]+、/, /^（[一二三四五六七八九十百]+）/, /^\d+[.．]/, /^（\d+）/];
const valueOf = (text: string, level: number) => {
  const number = /[一二三四五六七八九十百]+|\d+/.exec(text)?.[0] ?? '';
  return level <= 2 ? fromChinese(number) : Number(number);
};
const renumbered = (html: string): string => {
  const next = counter();
  return mapBeginnings(html, (text) => {
    const level = levelOf(text);
    return level === 0 ? text : text.replace(pattern[level]!, marker(level, next(level, valueOf(text, level))));
  });
};

/** Checks 结构层次序数: 一、 → （一） → 1. → （1）, each in this form, with none left out or skipped. */
export const levelChecks: Check = function* ({ paragraphs }) {
  const at = (index: number): At => [`正文第 ${index + 1} 段`, 'body_html'];
  const short = (text: string) => cited(text.slice(0, 6));
  const texts = paragraphs.map((text) => text.trim());
  for (const [index, text] of texts.entries()) {
    const better = spelt(text);
    if (better === text) continue;
    const mend = onText((html) => mapBeginnings(html, spelt));
    yield error('level_spelling', at(index), `层次序数应写作“${short(better)}”，现为“${short(text)}”`, mend);
  }
  const next = counter();
  let above = 0;
  for (const [index, text] of texts.map(spelt).entries()) {
    const level = levelOf(text);
    if (level === 0) continue;
    if (level > above + 1 && level !== listed) {
      const msg = `“${names[level]}”前面缺少上一层“${names[level - 1]}”，层次依次为一、（一）1.（1）`;
      yield error('level_skipped', at(index), msg);
    }
    above = level;
    const value = valueOf(text, level);
    const due = next(level, value);
    if (value === due) continue;
    const msg = `“${short(text)}”应为“${marker(level, due)}”，同一层的序数要连续`;
    yield error('level_order', at(index), msg, onText(renumbered));
  }
};
