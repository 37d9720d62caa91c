import type { CellKind } from '#kernel/contract/sheet/cells.ts';

/** Hides the middle of every mobile number in a text, also one with a country code or in groups: `138****0000`. For sheets and logs. */
export function maskPhones(text: string): string {
  return text.replace(/(?<!\d)((?:00)?86[- ]?)?(1[3-9]\d)[- ]?\d{4}[- ]?(\d{4})(?!\d)/g, '$1$2****$3');
}

const ofThings = /(?:编号|单号|文号|字号|学号|工号|档号|案号|凭证号|发票号|流水号|序列号|代码)$/;
/** Masks a value that has a title: eleven digits in the number of a thing are no telephone number; an account often is one. */
export const maskIn = (title: string, text: string): string => (ofThings.test(title) ? text : maskPhones(text));

/** A mobile number whose middle or beginning is hidden, as exported sheets have it. */
const hidden = /1[3-9]\d\*{4}\d{4}|\*{7}\d{4}/;

/**
 * Finds a number with hidden digits in a cell that is brought in, where the number would be overwritten by its mask; in a column of telephone
 * numbers any star is one. Returns it as it stands there, or null.
 */
export function maskedNumberIn(kind: CellKind | undefined, text: string): string | null {
  const plain = text.normalize('NFKC');
  if (kind === 'phone' && plain.includes('*')) return text;
  return hidden.exec(plain)?.[0] ?? null;
}
/** Returns the message for a cell that contains a number with hidden digits. */
export const maskedWords = (number: string): string =>
  `“${number}”隐去了部分数字，导入会丢失原来的号码，请填写完整的号码，或删去`;
