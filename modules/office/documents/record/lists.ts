import { and, eq, gte, lte, not, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page } from '#kernel/server/list/paging.ts';
import { contains } from '#kernel/server/list/contains.ts';
import type { RecordCategory } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { documents } from '../contract.ts';
import type { DocumentRow } from '../contract/shapes.ts';
import { secretLevel } from '../contract/shapes.ts';
import { documentTable } from '../tables.ts';
import { documentArchiveTable } from '../tables/archive.ts';
import { collectedBy, type DocumentCategory } from '../visibility/visibility.ts';
import { unanswered } from '../replies/replies.ts';
import { docs, type DocumentViewer } from './record.ts';
import { rowsOf } from './rows.ts';

type Asked = QueryOf<typeof documents.list>;

/** The category of records behind one of documents: 全部 is the page of the office, which reads by its data scope; what one received stands in lists of its own. */
export const recordCategoryOf = (category: DocumentCategory | undefined): RecordCategory | undefined =>
  category === 'collect' ? undefined : category === 'all' ? 'scope' : category;

/** One page of a category; a recipient finds documents only by the fields their row shows. */
export async function listed(tx: Db, asked: Asked, viewer: DocumentViewer, now: Date): Promise<Page<DocumentRow>> {
  const { category, ...query } = asked;
  const told = forRecipients(tx, viewer, category);
  const wanted = recordCategoryOf(category);
  const { written_date, received_date } = documentTable;
  const { found: page } = await docs.list(
    tx,
    viewer,
    { ...query, category: wanted },
    {
      where: and(filtersOf(asked, told), category === 'collect' ? collectedBy(viewer.user) : undefined),
      sort: { due_at: told.due_at, written_date, received_date },
    },
  );
  return { ...page, value: await rowsOf(tx, page.value, viewer, now, wanted) };
}

const archived = sql<boolean>`exists (select from ${documentArchiveTable} a where a.document_id = ${documentTable.id})`;

/** The filter and sort columns of a list; for recipients limited to what their row shows. */
function forRecipients(tx: Db, viewer: DocumentViewer, category: DocumentCategory | undefined) {
  if (category !== undefined && category !== 'collect')
    return { act_state: documentTable.act_state, due_at: documentTable.due_at, archived, unanswered: unanswered(tx) };
  const known = docs.inside(tx, viewer);
  const told = (inside: SQL, received: SQL) => sql`case when ${known} then ${inside} else ${received} end`;
  return {
    act_state: told(
      sql`${documentTable.act_state}`,
      sql`case when ${documentTable.is_void} then ${actState.closed}::smallint else ${actState.finished}::smallint end`,
    ),
    due_at: told(sql`${documentTable.due_at}`, sql`null`),
    archived: told(archived, sql`false`),
    unanswered: told(unanswered(tx), sql`false`),
  };
}

function filtersOf(asked: Asked, told: ReturnType<typeof forRecipients>): SQL | undefined {
  // Any kind of brackets is accepted.
  const number = asked.number?.replace(/[[［【（(]/g, '〔').replace(/[\]］】）)]/g, '〕');
  return and(
    asked.doc_kind ? eq(documentTable.doc_kind, asked.doc_kind) : undefined,
    asked.doc_type ? eq(documentTable.doc_type, asked.doc_type) : undefined,
    asked.level !== undefined ? eq(documentTable.level, asked.level) : undefined,
    asked.act_state !== undefined ? sql`${told.act_state} = ${asked.act_state}` : undefined,
    asked.act_state === actState.finished ? not(told.unanswered) : undefined,
    asked.unanswered === undefined ? undefined : asked.unanswered ? told.unanswered : not(told.unanswered),
    asked.dept ? eq(documentTable.dept_id, asked.dept) : undefined,
    number
      ? or(
          contains(documentTable.doc_number, number),
          contains(documentTable.receipt_no, number),
          contains(documentTable.from_number, number),
          contains(documentTable.from_number, asked.number ?? ''),
        )
      : undefined,
    asked.start ? gte(documentTable.gmt_created, asked.start) : undefined,
    asked.end ? lte(documentTable.gmt_created, `${asked.end} 23:59:59.999`) : undefined,
    asked.archived === undefined ? undefined : asked.archived ? told.archived : not(told.archived),
    // Secret documents are left out of exports.
    asked.export ? eq(documentTable.secret_level, secretLevel.none) : undefined,
  );
}
