import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The length of a step: an address lives at least one, at most two. */
const stepSeconds = 300;

export interface Address {
  u?: number | undefined;
  e?: number | undefined;
  s?: string | undefined;
}

/** Creates and checks short-lived addresses of files for `<img>` and downloads, each bound to a file and a user. */
export interface Signer {
  /** Query string of an address valid for 5 to 10 minutes; constant within a step, so that a browser may cache the picture. */
  sign(fileId: number, userId: number, now: Date): string;
  /** The user of an address; null if it is forged, for another file or too old. */
  holder(fileId: number, address: Address, now: Date): number | null;
}

export function createSigner(secret: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'file address', 32));
  const mac = (fileId: number, userId: number, ends: number) =>
    createHmac('sha256', key)
      .update(JSON.stringify([fileId, userId, ends]))
      .digest();
  return {
    sign(fileId, userId, now) {
      const ends = (Math.floor(now.getTime() / 1000 / stepSeconds) + 2) * stepSeconds;
      return `u=${userId}&e=${ends}&s=${mac(fileId, userId, ends).toString('base64url')}`;
    },
    holder(fileId, { u, e, s }, now) {
      if (!u || !e || !s || e * 1000 <= now.getTime()) return null;
      const given = Buffer.from(s, 'base64url');
      const wanted = mac(fileId, u, e);
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? u : null;
    },
  };
}

declare module '#kernel/server/services.ts' {
  interface Services {
    signer: Signer;
  }
}
