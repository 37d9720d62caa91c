import { leastCost } from '#kernel/server/testing/cost.ts';
import { solveChallenge } from 'altcha-lib';
import { expect, test } from 'vitest';
import { createChallenges } from '../sign-in/challenge.ts';
import { deriveKey } from './solve-challenge.ts';

test('a browser without crypto.subtle solves the server’s challenge in a few seconds', async () => {
  const write = async () => true as never;
  const challenges = createChallenges('s'.repeat(48), write);
  const challenge = await challenges.create(1);
  const solving = { challenge, deriveKey } as Parameters<typeof solveChallenge>[0];
  let solution: unknown;
  expect(await leastCost(async () => (solution = await solveChallenge(solving)), 1)).toBeLessThan(5000);
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  expect(await challenges.accept(payload, 1)).toBe(true);
});
