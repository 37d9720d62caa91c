import type { Db } from '#kernel/server/db/db.ts';
import { personWithRights } from '#modules/platform/people/service/rights.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import type { SecondStep } from '../contract/second.ts';
import { confirmedFactor } from './factor.ts';

/** What only administrators may: to change something on a page of the administration. */
const writing = ['Create', 'Update', 'Delete', 'chuli'] as const;

/** Whether a person has to have a second step: everybody, or whoever administers the site. */
export async function isRequired(tx: Db, userId: number, { second_step: asked }: LoginValue): Promise<boolean> {
  if (asked !== 1) return asked === 2;
  const person = await personWithRights(tx, userId);
  return person !== null && administers(person.rights);
}

type Rights = NonNullable<Awaited<ReturnType<typeof personWithRights>>>['rights'];
const administers = ({ superAdmin, grants }: Rights) =>
  superAdmin ||
  [...grants].some(([page, codes]) => page.startsWith('system/') && writing.some((code) => codes.has(code)));

/** What somebody who has just signed in still owes, whichever way they came. */
export async function owedBy(tx: Db, userId: number, login: LoginValue): Promise<SecondStep | null> {
  if (await confirmedFactor(tx, userId)) return 'code';
  return (await isRequired(tx, userId, login)) ? 'enrol' : null;
}
