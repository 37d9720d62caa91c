import type { BodyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { keepToken } from '#kernel/web/token.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { proving } from '#modules/platform/accounts/web/challenge.ts';
import { safeWayBack } from '../entry.ts';
import { userData } from '../stored.ts';

type Credentials = BodyOf<typeof accounts.login>;

/**
 * Signs in and goes to the wanted page. `work` solves a challenge first; if the server asks for one only now, it is solved and the attempt repeated
 * once.
 */
export async function signIn(credentials: Credentials, work: number, wanted: string | null): Promise<void> {
  const reply = await proving(work, (challenge) =>
    send(accounts.login, { body: { ...credentials, challenge } }, { quiet: true }),
  );
  enter({ ...reply, token: reply.jwt, staff: reply.is_yg }, wanted);
}

/** Stores the person who signed in and goes to the wanted page. */
export function enter(
  { token, alias, username, staff }: { token: string; alias: string; username: string; staff: boolean },
  wanted: string | null,
): void {
  keepToken(token);
  userData.set({ alias, identity: staff ? 'staff' : 'visitor', username });
  location.replace(safeWayBack(wanted));
}

/** The return address in this page's address. */
export const wayWanted = () => new URLSearchParams(location.search).get('redirect');

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
