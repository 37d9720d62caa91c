import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Seconds for which a code is shown; the one before it is still taken, for whoever scanned it in the last moment. */
export const step = 30;
/** Minutes for which a scanned code may be signed in with. */
export const ticketMinutes = 5;

/** Codes and tickets of meetings, from the secret of the house: nothing of them is kept. */
export function signCodes(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'meeting sign-in', 32));
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();
  const same = (given: string, right: string) => {
    const [a, b] = [Buffer.from(given), Buffer.from(right)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  /** A code that is not renewed belongs to step 0 for good. */
  const stepAt = (now: Date, renewed: boolean) => (renewed ? Math.floor(now.getTime() / 1000 / step) : 0);
  const at = (meet: number, of: number) => {
    const bytes = mac(`code:${meet}:${of}`);
    return {
      /** For a picture that is scanned. */
      long: bytes.toString('hex', 0, 10),
      /** For somebody who types it. */
      short: String(bytes.readUInt32BE(12) % 1_000_000).padStart(6, '0'),
    };
  };
  /** The device, as it is kept: in one meeting the same for the same, and of no use in another. */
  const mark = (meet: number, device: string) => mac(`device:${meet}:${device}`).toString('hex');
  const sealOf = (meet: number, until: number, device: string) =>
    mac(`ticket:${meet}:${until}:${mark(meet, device)}`).toString('hex', 0, 16);
  return {
    mark,
    code: (meet: number, now: Date, renewed: boolean) => at(meet, stepAt(now, renewed)),
    /** Seconds until the next. */
    left: (now: Date) => step - (Math.floor(now.getTime() / 1000) % step),
    /** Whether a code is that of now, or the one before. */
    takes(meet: number, given: string, now: Date, renewed: boolean): boolean {
      const of = stepAt(now, renewed);
      return (renewed ? [of, of - 1] : [of]).some((one) => {
        const { long, short } = at(meet, one);
        return same(given, given.length === short.length ? short : long);
      });
    },
    /** The same of one that was scanned: what is asked without a session takes none that could be guessed. */
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
