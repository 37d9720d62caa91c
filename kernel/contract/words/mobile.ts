/** A mobile number of mainland China out of what somebody typed: full-width, in groups, with the number of the country; null when it is none. */
export function mobileOf(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s()\p{Pd}]/gu, '')
    .replace(/^(\+|00)?86(?=1\d{10}$)/, '');
  return /^1[3-9]\d{9}$/.test(plain) ? plain : null;
}
