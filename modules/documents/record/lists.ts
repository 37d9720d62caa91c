import { and, eq, gte, lte, not, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page } from '#kernel/server/list/paging.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { contains } from '#kernel/server/list/contains.ts';
import type { TicketViewer } from '#modules/tickets/service.ts';
import type { documents } from '../contract.ts';
import type { DocumentRow } from '../contract/shapes.ts';
import { forRecipients } from '../visibility/recipient-view.ts';
import { rowsOf } from './rows.ts';
import { alive, inCategory } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

type Asked = QueryOf<typeof documents.list>;

/** One page of a category: the ids first, then what is shown of just those. */
export async function listed(tx: Db, asked: Asked, viewer: TicketViewer, now: Date): Promise<Page<DocumentRow>> {
  const told = forRecipients(tx, viewer, asked.category);
  const filters = filtersOf(asked, told);
  const shown = and(inCategory(tx, viewer, asked.category), filters);
  const select = (found: SQL | undefined) =>
    tx.select({ id: documentTable.id }).from(documentTable).where(and(found, shown)).$dynamic();
  const page = await searchedPageOf(tx, asked, { column: documentTable.search, value: asked.search_value }, select, {
    by: {
      gmt_created: documentTable.gmt_created,
      due_at: told.due_at,
      written_date: documentTable.written_date,
      received_date: documentTable.received_date,
    },
    first: 'gmt_created',
    descending: true,
    tie: documentTable.id,
    along: { gmt_created: alive! },
    steady: filters === undefined && asked.search_value === '',
  });
  const ids = page.value.map((row) => row.id);
  return { ...page, value: await rowsOf(tx, ids, viewer, now, asked.category) };
}

function filtersOf(asked: Asked, told: ReturnType<typeof forRecipients>): SQL | undefined {
  const { number } = asked;
  return and(
    asked.doc_kind ? eq(documentTable.doc_kind, asked.doc_kind) : undefined,
    asked.doc_type ? eq(documentTable.doc_type, asked.doc_type) : undefined,
    asked.level !== undefined ? eq(documentTable.level, asked.level) : undefined,
    asked.act_state !== undefined ? sql`${told.act_state} = ${asked.act_state}` : undefined,
    asked.dept ? eq(documentTable.dept_id, asked.dept) : undefined,
    number
      ? or(
          contains(documentTable.doc_number, number),
          contains(documentTable.receipt_no, number),
          contains(documentTable.from_number, number),
        )
      : undefined,
    asked.start ? gte(documentTable.gmt_created, asked.start) : undefined,
    asked.end ? lte(documentTable.gmt_created, `${asked.end} 23:59:59.999`) : undefined,
    asked.archived === undefined ? undefined : asked.archived ? told.archived : not(told.archived),
    // What is secret leaves by no sheet.
    asked.export ? eq(documentTable.secret_level, 0) : undefined,
  );
}
