import { and, eq, gte, lte, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf, type Page } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { ofFoundDocuments, ofOpenDocuments } from '#modules/office/documents/service.ts';
import { ticketViewerFor } from '#modules/workflow/tickets/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import type { Dist, distributionList } from './contract/list.ts';
import { rowsOf, selectDists } from './rows.ts';
import { visibleTo } from './visibility.ts';
import { distTable } from './tables.ts';

/** One page of the distributions a person sent, received or looks after. */
export async function listed(tx: Db, user: Viewer, asked: QueryOf<typeof distributionList>): Promise<Page<Dist>> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const select = selectDists(tx, viewer).where(
    and(
      visibleTo(tx, viewer, asked.scope, asked.state),
      saysOrShows(
        asked.search_value,
        (word) => ofFoundDocuments(tx, distTable.document_id, word),
        (ids) => sql`${distTable.sender_id} in ${ids}`,
      ),
      asked.document_id ? eq(distTable.document_id, asked.document_id) : undefined,
      asked.start ? gte(distTable.gmt_created, asked.start) : undefined,
      asked.end ? lte(distTable.gmt_created, `${asked.end} 23:59:59.999`) : undefined,
      // Secret documents are left out of exports.
      asked.export ? ofOpenDocuments(tx, distTable.document_id) : undefined,
    ),
  );
  const page = await pageOf(tx, asked, select.$dynamic(), {
    by: { send_time: distTable.gmt_created, deadline: distTable.deadline },
    first: 'send_time',
    descending: true,
    tie: distTable.id,
  });
  return { ...page, value: await rowsOf(tx, user, page.value) };
}
