import { and, inArray, sql, type SQL } from 'drizzle-orm';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { NounCode } from '#kernel/server/noun/handlers.ts';
import { listPage } from '../definition/administer.ts';
import { scheduleTable as s } from '../tables.ts';

/** Schedules of workflows that somebody administers with a code; `mayAdminister` is the same for one. */
export function ofAdministered(viewer: Viewer, code: NounCode): SQL | undefined {
  const only = viewer.application?.only['workflows'];
  const kept = only && inArray(s.workflow_id, [...only, 0]);
  if (scopeOf(viewer, code, listPage).all) return kept;
  const { id, places, roleCodes } = viewer;
  const granted = sql`exists (select from workflow_grant g where g.workflow_id = w.id and g.permission = 'admin' and (
    (g.holder_type = 'user' and g.holder = ${String(id)})
    or (g.holder_type = 'role' and g.holder = any(${sql.param([...roleCodes])}::text[]))
    or (g.holder_type = 'dept' and g.holder = any(${sql.param(places.map(String))}::text[]))))`;
  const administers = sql`exists (select from workflow w where w.id = ${s.workflow_id} and not w.is_deleted
    and (w.creator_id = ${id} or ${granted}))`;
  return and(kept, administers);
}
