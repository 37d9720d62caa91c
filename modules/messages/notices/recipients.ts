import type { BodyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { cards, deptsBelow, holdersOfAny, membersOf, working, workingAmong } from '#modules/people/service.ts';
import type { messages } from '../contract.ts';

/** Everybody a notice goes to, each once: people, departments with all below them, roles, or all who work here. */
export async function recipientsOf(tx: Db, body: BodyOf<typeof messages.reach>): Promise<number[]> {
  const ids = (people: readonly { id: number }[]) => people.map((person) => person.id);
  if (body.all) return ids(await cards(tx, working));
  const found = new Set(await workingAmong(tx, body.users));
  for (const id of ids(await membersOf(tx, await deptsBelow(tx, body.depts)))) found.add(id);
  if (body.roles.length > 0) for (const id of ids(await holdersOfAny(tx, body.roles))) found.add(id);
  return [...found];
}
