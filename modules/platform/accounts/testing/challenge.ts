import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { TestOffice } from '#apps/server/testing.ts';
import { accounts } from '../contract.ts';

/** Fetches and solves a challenge, as the sign-in page sends it. */
export async function solved(app: TestOffice, work = 1): Promise<string> {
  const challenge = await app.stranger.get(accounts.challenge, { query: { work } });
  const solution = await solveChallenge({ challenge, deriveKey } as Parameters<typeof solveChallenge>[0]);
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

interface Asked {
  code: number;
  data: { work?: number } | null;
}
/** A sign-in, repeated with the required work. */
export async function proved<T extends Asked>(
  app: TestOffice,
  signIn: (body: Record<string, string>) => Promise<T>,
  body: Record<string, string>,
): Promise<T> {
  const first = await signIn(body);
  if (first.code !== 4029) return first;
  return signIn({ ...body, challenge: await solved(app, first.data?.work) });
}
