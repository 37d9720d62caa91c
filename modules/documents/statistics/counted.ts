import { and, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Period } from '#kernel/server/list/period.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { deptsBelow } from '#modules/people/service.ts';
import { keptRecords, ticketViewerFor } from '#modules/tickets/service.ts';
import { statisticsPage, type documentStatistics } from '../contract/statistics.ts';
import { alive, fromInside, visible } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

type Asked = QueryOf<typeof documentStatistics.call>;

/**
 * The documents a person may count: the page's scope and the filters; what is secret only where the person sees it, and in no
 * sheet. `shown` are those of them whose handling the person sees as well.
 */
export async function countedBy(
  tx: Db,
  user: Viewer,
  asked: Asked,
  { start, end }: Period,
): Promise<{ counted: SQL; shown: SQL }> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const seen = visible(tx, viewer);
  const own = eq(documentTable.creatorId, user.id);
  const open = eq(documentTable.secretLevel, 0);
  const counted = and(
    alive,
    ne(documentTable.actState, 0),
    keptRecords(viewer) ? seen : within(scopeOf(user, 'Retrieve', statisticsPage), documentTable.deptId, own),
    asked.export ? open : or(open, seen),
    sql`${documentTable.created} >= ${start}::date and ${documentTable.created} < ${end}::date + 1`,
    asked.doc_kind ? eq(documentTable.docKind, asked.doc_kind) : undefined,
    asked.dept ? inArray(documentTable.deptId, await deptsBelow(tx, [asked.dept])) : undefined,
  )!;
  return { counted, shown: and(counted, fromInside(tx, viewer))! };
}
