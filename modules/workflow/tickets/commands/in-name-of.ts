import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { notBegunFor } from '../contract/refusals.ts';

/**
 * Whoever an application begins a ticket for, with the rights that are theirs now, still kept to what the application is kept to. Who
 * is not there, has left, or is nobody it may act for is refused alike.
 */
export async function inNameOf(tx: Db, { application, sessionId }: Viewer, username: string): Promise<Viewer> {
  const refuse = () => notBegunFor(application?.name ?? '', username);
  if (!application) throw refuse();
  const card = (await peopleByName(tx, [username])).get(username);
  const person = card && (await personWithRights(tx, card.id));
  if (!person?.active || !application.beginsFor({ ...person, roleIds: person.rights.ids })) throw refuse();
  return viewerOf(person, sessionId, application);
}
