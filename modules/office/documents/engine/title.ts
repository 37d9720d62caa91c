import { docType } from '../contract/shapes.ts';

/** 令, 纪要 and other papers have titles of their own. */
const free = [3, 15, 99];

/** A title as the regulation writes it, `关于…的通知`; null where it is so already, or nothing is said yet. */
export function composed(title: string, code: number): string | null {
  const type = docType.label(code);
  if (!type || free.includes(code)) return null;
  const said = title.trim();
  // 的紧急通知, 的复函: a word of its own may stand before the type.
  const ending = new RegExp(`的[^的]{0,4}${type}$`).exec(said)?.[0] ?? `的${type}`;
  const closing = [ending, type].find((one) => said.endsWith(one)) ?? '';
  const matter = said
    .slice(0, said.length - closing.length)
    .replace(/^.*?关于/, '')
    .trim();
  const before = /^(.*?)关于/.exec(said)?.[1] ?? '';
  const whole = `${before}关于${matter}${ending}`;
  return matter.length < 2 || whole === said ? null : whole;
}
