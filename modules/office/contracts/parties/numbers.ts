import { and, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { contractNumbers } from '../contract/numbers.ts';
import { patternOf } from '../record/numbers.ts';
import { contracts } from '../record/record.ts';
import { contractCategoryTable, contractNumberTable, contractTable } from '../tables.ts';

const gapsShown = 100;
const book = contractNumberTable;

/** The number book; names of contracts only for those who see them. */
export async function numberBook(asked: QueryOf<typeof contractNumbers.numberBook>, tx: Db, user: Viewer) {
  const seen = contracts.visible(tx, await contracts.viewerOf(tx, user));
  const { category_id: category, year, state } = asked;
  const where = and(
    category ? eq(book.category_id, category) : undefined,
    year ? eq(book.year, year) : undefined,
    state ? eq(book.state, state) : undefined,
    containsWords(
      sql`concat_ws(' ', ${book.contract_no}, ${book.reason}, case when ${seen} then ${contractTable.name} end)`,
      asked.search_value,
    ),
  );
  const rows = tx
    .select({
      id: book.id,
      contract_no: book.contract_no,
      category_name: sql<string>`coalesce(${contractCategoryTable.name}, '补充协议')`,
      year: book.year,
      seq: book.seq,
      state: book.state,
      reason: book.reason,
      voided_at: book.voided_at,
      gmt_created: book.gmt_created,
      contract_name: sql<string>`case when ${seen} then ${contractTable.name} else '' end`,
      contract_id: sql<number | null>`case when ${seen} then ${contractTable.id} end`,
    })
    .from(book)
    .innerJoin(contractTable, eq(contractTable.id, book.contract_id))
    .leftJoin(contractCategoryTable, eq(contractCategoryTable.id, book.category_id))
    .where(where)
    .$dynamic();
  const page = await pageOf(tx, asked, rows, {
    by: { seq: book.seq, gmt_created: book.gmt_created },
    first: 'gmt_created',
    descending: true,
    tie: book.id,
  });
  return { ...page, gaps: category && year ? await gapsIn(tx, category, year) : [] };
}

async function gapsIn(tx: Db, category: number, year: number): Promise<number[]> {
  const { prefix, digits } = await patternOf(tx, category, year);
  const { rows } = await tx.execute<{ seq: number }>(sql`
    select n.seq::int from generate_series(1, (select max(seq) from contract_number
      where category_id = ${category} and year = ${year})) n(seq)
    where not exists (select from contract_number b where b.category_id = ${category} and b.year = ${year} and b.seq = n.seq)
      and not exists (select from contract c
        where c.contract_no = ${prefix} || lpad(n.seq::text, greatest(${digits}::int, length(n.seq::text)), '0'))
    order by 1 limit ${gapsShown}`);
  return rows.map((row) => row.seq);
}
