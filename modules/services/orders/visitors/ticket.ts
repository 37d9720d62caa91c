import { isIPv6 } from 'node:net';
import type { Context } from '#kernel/server/http/implement.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { visitorHeader } from '../contract/visitors.ts';
import { noVisitor } from '../contract/refusals.ts';

export const ticketSeconds = 900;
const purpose = 'order visitor';
const family = (ip: string) => (isIPv6(ip) && !ip.startsWith('::ffff:') ? '6' : '4');

/** A ticket for a proven number, valid for a quarter of an hour and the same network; it is not stored. */
export const ticketFor = (box: SecretBox, phone: string, ip: string, now: Date): string =>
  box.seal([purpose, Math.floor(now.getTime() / 1000) + ticketSeconds, family(ip), phone].join('|'));

/** The number that a request's ticket proves; none if the ticket was altered, has expired or comes from another network. */
export function phoneOf({
  wire,
  origin,
  now,
  services,
}: Pick<Context, 'wire' | 'origin' | 'now' | 'services'>): string {
  const ticket = wire.header(visitorHeader) ?? '';
  let said: string;
  try {
    said = services.secretBox.open(ticket);
  } catch {
    throw noVisitor();
  }
  const [what, until, from, phone] = said.split('|');
  if (what !== purpose || from !== family(origin.ip) || Number(until) * 1000 < now.getTime() || !phone)
    throw noVisitor();
  return phone;
}
