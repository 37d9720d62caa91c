import { sha256 } from '@noble/hashes/sha2.js';
import { solveChallenge } from 'altcha-lib';
import type { DeriveKeyFunction } from 'altcha-lib/types';
import { send } from '#kernel/web/client.ts';
import { accounts } from '../contract.ts';

/** The server's `SHA-256` algorithm, for pages on plain http too. */
export const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  let derivedKey = new Uint8Array(salt.length + password.length);
  derivedKey.set(salt);
  derivedKey.set(password, salt.length);
  for (let i = 0; i < Math.max(1, cost); i++) derivedKey = sha256(derivedKey) as Uint8Array<ArrayBuffer>;
  return { derivedKey: derivedKey.subarray(0, keyLength) };
};

/** The hardest challenge takes a slow phone more than a minute; it expires after five. */
const patience = 280_000;

/** Fetches a proof-of-work challenge and solves it: base64 of `{challenge, solution}`, as the server's verifier takes it. */
export async function solveFresh(work: number): Promise<string> {
  const challenge = await send(accounts.challenge, { query: { work } });
  const solution = await solveChallenge({ challenge, deriveKey, timeout: patience });
  if (!solution) throw new Error('安全校验未完成，请重试');
  return btoa(JSON.stringify({ challenge, solution }));
}
