import { maskPhones } from '#kernel/server/text/mask-phones.ts';
import type { Channel } from './contract.ts';

const maskNames = (text: string) => text.replace(/[^\s,;:@<>（）“”]+(?=@[\w-])/g, (name) => `${[...name][0]}***`);

/** The other side's reply for people: servers tend to repeat the recipient, so it is masked. */
export const maskAnswer = (answer: string) => maskNames(maskPhones(answer));

/** A recipient for people: no complete number or address, and only the server of a URL. */
export function maskTarget(channel: Channel, target: string): string {
  if (channel === 'mail') return maskNames(target);
  if (URL.canParse(target) && target.includes('://')) return `${new URL(target).origin}/••••••`;
  return maskPhones(target);
}
