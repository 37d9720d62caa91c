import { withoutUnseen } from './plainly.ts';

/** Extracts a mobile number of mainland China from what was typed: full-width, grouped, or with the country code; null if there is none. */
export function mobileOf(text: string): string | null {
  const plain = withoutUnseen(text.normalize('NFKC'))
    .replace(/[\s()\p{Pd}]/gu, '')
    .replace(/^(\+|00)?86(?=1\d{10}$)/, '');
  return /^1[3-9]\d{9}$/.test(plain) ? plain : null;
}

/**
 * Normalises a telephone number: a mobile as its digits, a number with an area code as code, dash and digits, any other as half-width text with plain
 * dashes. An extension after 转 is kept.
 */
export function telephoneOf(typed: string): string {
  const mobile = mobileOf(typed);
  if (mobile !== null) return mobile;
  const [number = '', ...extension] = withoutUnseen(typed.normalize('NFKC'))
    .replace(/\s*\p{Pd}\s*/gu, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=^|[\d)]) ?转 ?(?=\d)/);
  const [, place, own] = /^(010|02\d|0[3-9]\d\d)(\d{7,8})$/.exec(number.replace(/[ ()-]/g, '')) ?? [];
  return [place === undefined ? number : `${place}-${own}`, ...extension].join('转');
}
