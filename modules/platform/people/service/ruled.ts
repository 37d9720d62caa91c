import { and, eq } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseBecoming } from '../server/depts/becoming.ts';
import { usersWithin } from '../server/depts/reach.ts';
import { userTable } from '../tables.ts';

/**
 * Refuses an action in somebody's place by a user who does not administer them: people out of reach are reported as absent, and for people with more
 * rights it is forbidden.
 */
export async function requireRuled(tx: Db, viewer: Viewer, person: number): Promise<void> {
  const [found] = await tx
    .select()
    .from(userTable)
    .where(and(eq(userTable.id, person), usersWithin(viewer, 'Update', 'system/user')));
  if (!found) throw absent('用户');
  await refuseBecoming(tx, viewer, found);
}
