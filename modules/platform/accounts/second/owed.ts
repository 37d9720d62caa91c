import type { Db } from '#kernel/server/db/db.ts';
import { personWithRights } from '#modules/platform/people/service/rights.ts';
import type { LoginValue } from '#modules/platform/settings/service.ts';
import type { SecondStep } from '../contract/second.ts';
import { confirmedFactor } from './factor.ts';

/** Permissions of administrators only: to change something on an administration page. */
const writing = ['Create', 'Update', 'Delete', 'chuli'] as const;

/** True if a person must have a second step: everybody, or the site's administrators, as configured. */
export async function isRequired(tx: Db, userId: number, { second_step: asked }: LoginValue): Promise<boolean> {
  if (asked !== 1) return asked === 2;
  const person = await personWithRights(tx, userId);
  return person !== null && administers(person.rights);
}

type Rights = NonNullable<Awaited<ReturnType<typeof personWithRights>>>['rights'];
const administers = ({ superAdmin, grants }: Rights) =>
  superAdmin ||
  [...grants].some(([page, codes]) => page.startsWith('system/') && writing.some((code) => codes.has(code)));

/** The step somebody still needs after signing in by any way. */
export async function owedBy(tx: Db, userId: number, login: LoginValue): Promise<SecondStep | null> {
  if (await confirmedFactor(tx, userId)) return 'code';
  return (await isRequired(tx, userId, login)) ? 'enrol' : null;
}
