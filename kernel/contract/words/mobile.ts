import { withoutUnseen } from './plainly.ts';

/** A mobile number of mainland China out of what somebody typed: full-width, in groups, with the number of the country; null when it is none. */
export function mobileOf(text: string): string | null {
  const plain = withoutUnseen(text.normalize('NFKC'))
    .replace(/[\s()\p{Pd}]/gu, '')
    .replace(/^(\+|00)?86(?=1\d{10}$)/, '');
  return /^1[3-9]\d{9}$/.test(plain) ? plain : null;
}

/**
 * A number to be called, written one way: a mobile as its digits, one with the code of a place as that code, a bar and its digits, any other
 * in one width with plain bars. What stands behind 转 stays.
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
