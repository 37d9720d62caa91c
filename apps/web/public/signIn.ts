import type { BodyOf } from '#kernel/contract/call.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { send } from '#kernel/web/client.ts';
import { keepToken } from '#kernel/web/token.ts';
import { accounts } from '#modules/accounts/contract.ts';
import { safeWayBack } from '../entry.ts';
import { claimDrafts, userData } from '../stored.ts';
import { solveFresh } from './challenge.ts';

type Credentials = BodyOf<typeof accounts.login>;

/**
 * Signs in and goes where the person wanted to go. `prove` solves a challenge before; when the server asks for one
 * only now, it is solved and the attempt repeated once.
 */
export async function signIn(credentials: Credentials, prove: boolean, wanted: string | null): Promise<void> {
  const reply = await proving(prove, (challenge) =>
    send(accounts.login, { body: { ...credentials, challenge } }, { quiet: true }),
  );
  keepToken(reply.jwt);
  claimDrafts(reply.username);
  userData.set({ alias: reply.alias, identity: reply.is_yg ? 'staff' : 'visitor', username: reply.username });
  location.replace(safeWayBack(wanted));
}

/** Runs an attempt, with a solved challenge where one is asked for before anything was tried (code 4029). */
export async function proving<T>(prove: boolean, attempt: (challenge?: string) => Promise<T>): Promise<T> {
  try {
    return await attempt(prove ? await solveFresh() : undefined);
  } catch (error) {
    if (prove || !(error instanceof CallFailed) || error.code === -1 || !wantsChallenge(error)) throw error;
    return attempt(await solveFresh());
  }
}

export function wantsChallenge(error: unknown): boolean {
  return (
    error instanceof CallFailed && (error.data as { challenge_needed?: boolean } | null)?.challenge_needed === true
  );
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
