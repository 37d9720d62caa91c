import type { BodyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { keepToken } from '#kernel/web/token.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { proving } from '#modules/platform/accounts/web/challenge.ts';
import { safeWayBack } from '../entry.ts';
import { userData } from '../stored.ts';

type Credentials = BodyOf<typeof accounts.login>;

/**
 * Signs in and goes where the person wanted to go. `work` solves a challenge before; when the server asks for one
 * only now, it is solved and the attempt repeated once.
 */
export async function signIn(credentials: Credentials, work: number, wanted: string | null): Promise<void> {
  const reply = await proving(work, (challenge) =>
    send(accounts.login, { body: { ...credentials, challenge } }, { quiet: true }),
  );
  enter({ ...reply, token: reply.jwt, staff: reply.is_yg }, wanted);
}

/** Keeps who came in and goes where they wanted to go. */
export function enter(
  { token, alias, username, staff }: { token: string; alias: string; username: string; staff: boolean },
  wanted: string | null,
): void {
  keepToken(token);
  userData.set({ alias, identity: staff ? 'staff' : 'visitor', username });
  location.replace(safeWayBack(wanted));
}

/** The way back the address of this page names. */
export const wayWanted = () => new URLSearchParams(location.search).get('redirect');

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
