import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Seconds for which a code is shown; the previous one is accepted too, for people who scanned it just before. */
export const step = 30;
/** Minutes for which the ticket of a scanned code can sign in. */
export const ticketMinutes = 5;

/** Derives codes and tickets of meetings from the session secret; none is stored. */
export function signCodes(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'meeting sign-in', 32));
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();
  const same = (given: string, right: string) => {
    const [a, b] = [Buffer.from(given), Buffer.from(right)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  /** A fixed code always belongs to step 0. */
  const stepAt = (now: Date, renewed: boolean) => (renewed ? Math.floor(now.getTime() / 1000 / step) : 0);
  const at = (meet: number, of: number) => {
    const bytes = mac(`code:${meet}:${of}`);
    return {
      /** To be scanned from a picture. */
      long: bytes.toString('hex', 0, 10),
      /** To be typed. */
      short: String(bytes.readUInt32BE(12) % 1_000_000).padStart(6, '0'),
    };
  };
  /** A keyed hash of the device, equal within one meeting and different between meetings. */
  const mark = (meet: number, device: string) => mac(`device:${meet}:${device}`).toString('hex');
  const sealOf = (meet: number, until: number, device: string) =>
    mac(`ticket:${meet}:${until}:${mark(meet, device)}`).toString('hex', 0, 16);
  return {
    mark,
    code: (meet: number, now: Date, renewed: boolean) => at(meet, stepAt(now, renewed)),
    /** Seconds until the next code. */
    left: (now: Date) => step - (Math.floor(now.getTime() / 1000) % step),
    /** True for the present code and the one before. */
    takes(meet: number, given: string, now: Date, renewed: boolean): boolean {
      const of = stepAt(now, renewed);
      return (renewed ? [of, of - 1] : [of]).some((one) => {
        const { long, short } = at(meet, one);
        return same(given, given.length === short.length ? short : long);
      });
    },
    /** The same for a scanned code alone: the call without a session must not accept a code that can be guessed. */
    takesScanned(meet: number, given: string, now: Date, renewed: boolean): boolean {
      return given.length > 6 && this.takes(meet, given, now, renewed);
    },
    ticket(meet: number, device: string, now: Date): string {
      const until = Math.floor(now.getTime() / 1000) + ticketMinutes * 60;
      return `${until}.${sealOf(meet, until, device)}`;
    },
    takesTicket(meet: number, given: string, device: string, now: Date): boolean {
      const [until = '', seal = ''] = given.split('.');
      const fresh = /^\d{1,12}$/.test(until) && Number(until) >= now.getTime() / 1000;
      return fresh && same(seal, sealOf(meet, Number(until), device));
    },
  };
}
