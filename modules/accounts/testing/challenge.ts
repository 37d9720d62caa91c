import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { TestOffice } from '#apps/server/testing.ts';
import { accounts } from '../contract.ts';

/** A challenge asked for and solved, as the sign-in page sends it. */
export async function solved(office: TestOffice): Promise<string> {
  const challenge = await office.stranger.get(accounts.challenge);
  const solution = await solveChallenge({ challenge, deriveKey } as Parameters<typeof solveChallenge>[0]);
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
