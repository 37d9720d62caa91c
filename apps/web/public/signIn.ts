import type { BodyOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { keepToken } from '#kernel/web/token.ts';
import { accounts } from '#modules/accounts/contract.ts';
import { proving } from '#modules/accounts/web/challenge.ts';
import { safeWayBack } from '../entry.ts';
import { userData } from '../stored.ts';

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
  userData.set({ alias: reply.alias, identity: reply.is_yg ? 'staff' : 'visitor', username: reply.username });
  location.replace(safeWayBack(wanted));
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
