import { and, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Period } from '#kernel/server/list/period.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { deptsBelow } from '#modules/platform/people/service.ts';
import { keptRecords } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { secretLevel } from '../contract/shapes.ts';
import { statisticsPage, type documentStatistics } from '../contract/statistics.ts';
import { docs } from '../record/record.ts';
import { documentTable } from '../tables.ts';

type Asked = QueryOf<typeof documentStatistics.call>;

/**
 * The documents that a person may count: the page's scope and the filters; secret ones only if the person sees them, and never in exports.
 * `shown` are those whose handling the person sees, too.
 */
export async function countedBy(
  tx: Db,
  user: Viewer,
  asked: Asked,
  { start, end }: Period,
): Promise<{ counted: SQL; shown: SQL }> {
  const viewer = await docs.viewerOf(tx, user);
  const seen = docs.visible(tx, viewer);
  const own = eq(documentTable.creator_id, user.id);
  const open = eq(documentTable.secret_level, secretLevel.none);
  const counted = and(
    docs.alive,
    ne(documentTable.act_state, actState.draft),
    keptRecords(viewer.tickets) ? seen : within(scopeOf(user, 'Retrieve', statisticsPage), documentTable.dept_id, own),
    asked.export ? open : or(open, seen),
    sql`${documentTable.gmt_created} >= ${start}::date and ${documentTable.gmt_created} < ${end}::date + 1`,
    asked.doc_kind ? eq(documentTable.doc_kind, asked.doc_kind) : undefined,
    asked.dept ? inArray(documentTable.dept_id, await deptsBelow(tx, [asked.dept])) : undefined,
  )!;
  return { counted, shown: and(counted, docs.inside(tx, viewer))! };
}
