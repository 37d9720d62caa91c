/** A mobile number of mainland China out of what somebody typed; null when it is none. */
export function mobileOf(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s-]/g, '')
    .replace(/^(\+|00)?86(?=1\d{10}$)/, '');
  return /^1[3-9]\d{9}$/.test(plain) ? plain : null;
}

/** Single numbers of a pasted text or a list, as they were typed. */
export function typedNumbers(typed: string | readonly string[] | undefined): string[] {
  const parts =
    typeof typed === 'string' ? typed.replace(/(?:\+|\b00)86[\s-]*(?=1\d)/g, '').split(/[\s,，;；、]+/) : (typed ?? []);
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** `138****0000`; of what is no number only its length. */
export function maskedNumber(text: string): string {
  return mobileOf(text)?.replace(/^(\d{3})\d{4}/, '$1****') ?? '*'.repeat(Math.min(text.length, 11));
}

/** Of a kept number only the end is known without opening it. */
export const maskedTail = (tail: string) => `*******${tail}`;
