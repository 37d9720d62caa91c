import { maskPhones } from '#kernel/server/mask-phones.ts';
import type { Channel } from './contract.ts';

/** Where something goes, as people may see it: no whole number, no whole address, and of a URL only the server. */
export function maskTarget(channel: Channel, target: string): string {
  if (channel === 'mail') return target.replace(/[^\s,;@<]+(?=@)/g, (name) => `${name.slice(0, 1)}***`);
  if (URL.canParse(target) && target.includes('://')) return `${new URL(target).origin}/••••••`;
  return maskPhones(target);
}
