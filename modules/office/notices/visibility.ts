import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { meantFor as meantForPerson } from '#modules/platform/people/service/audience.ts';
import { documentNoticeTable } from './tables.ts';

export const page = 'document/notice';

export const alive = eq(documentNoticeTable.is_deleted, false);
export const stateOf = sql<
  'coming' | 'current' | 'expired'
>`case when ${documentNoticeTable.publish_at} > now() then 'coming'
  when ${documentNoticeTable.expire_at} <= now() then 'expired' else 'current' end`;

/** Condition: published, and the user belongs to the audience. */
export const meantFor = (user: Viewer): SQL =>
  sql`(${stateOf} = 'current' and ${meantForPerson(documentNoticeTable.audience, user)})`;

/** Notices a person manages: their own, and those of the departments in which they may delete. */
export function managedBy(user: Viewer): SQL {
  const own = eq(documentNoticeTable.creator_id, user.id);
  return holds(user, 'Delete', page)
    ? or(own, within(scopeOf(user, 'Delete', page), documentNoticeTable.dept_id, own))!
    : own;
}

/** The one condition of get, list, count and search. */
export const visibleTo = (user: Viewer): SQL | undefined => and(alive, or(meantFor(user), managedBy(user)));
