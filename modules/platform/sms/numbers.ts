import { mobileOf } from '#kernel/contract/words/mobile.ts';

/** Single numbers of a pasted text or a list, as typed. */
export function typedNumbers(typed: string | readonly string[] | undefined): string[] {
  const parts =
    typeof typed === 'string' ? typed.replace(/(?:\+|\b00)86[\s-]*(?=1\d)/g, '').split(/[\s,，;；、]+/) : (typed ?? []);
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** `138****0000`; for an invalid number only its length. */
export function maskedNumber(text: string): string {
  return mobileOf(text)?.replace(/^(\d{3})\d{4}/, '$1****') ?? '*'.repeat(Math.min(text.length, 11));
}

/** Only the end of a stored number is known without opening it. */
export const maskedTail = (tail: string) => `*******${tail}`;
