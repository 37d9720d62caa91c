import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedBody } from '#kernel/server/http/implement.ts';

/** Seconds by which the time of a signed request may differ from ours. */
const windowSeconds = 300;

/** HMAC-SHA256 as in web hooks. `secret`: `whsec_` and base64, or any text taken as it is. */
export function signature(secret: string, signed: string): string {
  const bytes = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`;
}

/** True if somebody with the secret signed this within five minutes; one valid signature of several is enough. */
export function isSigned(letter: SignedBody, secret: string, now: Date): boolean {
  const { id, timestamp, body } = letter;
  if (secret === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > windowSeconds) return false;
  const wanted = Buffer.from(signature(secret, `${id}.${timestamp}.${body}`));
  return letter.signature.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
