import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { notBegunFor } from '../contract/refusals.ts';

/**
 * The person for whom an application begins a ticket, with their present rights and the application's limits. Somebody who does not exist, has left,
 * or may not be acted for is refused alike.
 */
export async function inNameOf(tx: Db, { application, sessionId }: Viewer, username: string): Promise<Viewer> {
  if (!application) throw new Error('only an application begins in the name of those whom its token names');
  const refuse = () => notBegunFor(application.name, username);
  const card = (await peopleByName(tx, [username])).get(username);
  const person = card && (await personWithRights(tx, card.id));
  if (!person?.active || !application.beginsFor({ ...person, roleIds: person.rights.ids })) throw refuse();
  return viewerOf(person, sessionId, application);
}
