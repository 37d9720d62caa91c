import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** Keys with which an editor's server signs its requests; two during a key change. */
export interface ProofKeys {
  current: KeyObject;
  old: KeyObject | null;
}
/** The signed parts of a request. */
export interface Signed {
  token: string;
  /** The full address, as the editor's server received it. */
  url: string;
  time: string | undefined;
  proof: string | undefined;
  proofOld: string | undefined;
}

const oldestMinutes = 20;
/** Ticks of 100 nanoseconds from the year 1 to 1970. */
const epochTicks = 621_355_968_000_000_000n;

/** An RSA key from its base64 modulus and exponent; null if they are invalid. */
export function proofKey(modulus: string, exponent: string): KeyObject | null {
  if (!modulus || !exponent) return null;
  const part = (text: string) => Buffer.from(text, 'base64').toString('base64url');
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: part(modulus), e: part(exponent) } });
  } catch {
    return null;
  }
}

/** The signed bytes: token, address in capitals and time, each preceded by its length. */
export function proven({ token, url }: Pick<Signed, 'token' | 'url'>, ticks: bigint): Buffer {
  const parts = [Buffer.from(token), Buffer.from(url.toUpperCase()), Buffer.alloc(8)];
  parts[2]!.writeBigInt64BE(ticks);
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(part.length);
      return [length, part];
    }),
  );
}

export const ticksAt = (at: Date): bigint => BigInt(at.getTime()) * 10_000n + epochTicks;

/** True if the request was signed within twenty minutes by one of the keys; during a key change either side may be behind. */
export function isProven(keys: ProofKeys, signed: Signed, now: Date): boolean {
  if (!signed.proof || !/^\d{1,19}$/.test(signed.time ?? '')) return false;
  const ticks = BigInt(signed.time!);
  if (ticks >= 2n ** 63n) return false;
  const distance = ticksAt(now) - ticks;
  const most = BigInt(oldestMinutes) * 600_000_000n;
  if (distance > most || distance < -most) return false;
  const bytes = proven(signed, ticks);
  const by = (key: KeyObject | null, proof: string | undefined) =>
    key !== null && proof !== undefined && verify('sha256', bytes, key, Buffer.from(proof, 'base64'));
  return by(keys.current, signed.proof) || by(keys.current, signed.proofOld) || by(keys.old, signed.proof);
}
