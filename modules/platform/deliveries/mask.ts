import { maskPhones } from '#kernel/server/text/mask-phones.ts';
import type { Channel } from './contract.ts';

const maskNames = (text: string) => text.replace(/[^\s,;:@<>（）“”]+(?=@[\w-])/g, (name) => `${[...name][0]}***`);

/** What the other side said, as people may see it: servers like to repeat whom they were told to reach. */
export const maskAnswer = (answer: string) => maskNames(maskPhones(answer));

/** Where something goes, as people may see it: no whole number, no whole address, and of a URL only the server. */
export function maskTarget(channel: Channel, target: string): string {
  if (channel === 'mail') return maskNames(target);
  if (URL.canParse(target) && target.includes('://')) return `${new URL(target).origin}/••••••`;
  return maskPhones(target);
}
