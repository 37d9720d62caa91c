import { docType } from '../contract/shapes.ts';

/** Types such as 令 and 纪要 have free titles. */
const free = [3, 15, 99];

/** Rewrites a title in the form of the regulation, `关于…的通知`; null if it has that form already, or is empty. */
export function composed(title: string, code: number): string | null {
  const type = docType.label(code);
  if (!type || free.includes(code)) return null;
  const said = title.trim();
  // A modifier may precede the type: 的紧急通知, 的复函.
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
