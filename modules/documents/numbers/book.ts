import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { peopleById } from '#modules/people/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { alreadyVoid, numberUnknown, numberUsed } from '../contract/refusals.ts';
import type { documentSettings } from '../contract/settings.ts';
import { docs } from '../record/record.ts';
import { isThrough } from '../rules/standing.ts';
import { nameInNews } from '../rules/facts.ts';
import { numberText } from './numbers.ts';
import { documentTable, numberBookTable, numberRuleTable } from '../tables.ts';

type Asked = QueryOf<typeof documentSettings.book>;
const voided = 3;
const gapsShown = 100;

/** The numbers that were given, and those that are missing among them; titles only of what the reader sees and is not secret. */
export async function bookPage(tx: Db, user: Viewer, asked: Asked) {
  const named = and(docs.definition.named, docs.visible(tx, await docs.viewerOf(tx, user)));
  const select = tx
    .select({
      book: numberBookTable,
      agency: numberRuleTable.agency_code,
      title: sql<string>`case when ${named} then ${documentTable.title} else '' end`,
    })
    .from(numberBookTable)
    .innerJoin(numberRuleTable, eq(numberRuleTable.id, numberBookTable.rule_id))
    .leftJoin(documentTable, eq(documentTable.id, numberBookTable.document_id))
    .where(
      and(
        asked.rule_id ? eq(numberBookTable.rule_id, asked.rule_id) : undefined,
        asked.year ? eq(numberBookTable.year, asked.year) : undefined,
        asked.state ? eq(numberBookTable.state, asked.state) : undefined,
        asked.search_value
          ? contains(
              sql`(${numberRuleTable.agency_code} || '〔' || ${numberBookTable.year} || '〕' || ${numberBookTable.seq} || '号')`,
              asked.search_value,
            )
          : undefined,
      ),
    )
    .$dynamic();
  const page = await pageOf(tx, asked, select, {
    by: { seq: numberBookTable.seq, gmt_created: numberBookTable.gmt_created },
    first: 'seq',
    descending: true,
    tie: numberBookTable.id,
  });
  const people = await peopleById(
    tx,
    page.value.flatMap(({ book }) => book.voided_by ?? []),
  );
  return {
    ...page,
    value: page.value.map(({ book, agency, title }) => ({
      ...book,
      number: numberText(agency, book.year, book.seq),
      state_name: book.state === voided ? '已作废' : '已使用',
      document_title: title,
      voided_by: people.get(book.voided_by ?? 0)?.alias ?? '',
    })),
    gaps: asked.rule_id && asked.year ? await gaps(tx, asked.rule_id, asked.year) : [],
  };
}

async function gaps(tx: Db, ruleId: number, year: number): Promise<string[]> {
  const { rows } = await tx.execute<{ agency: string; seq: number }>(sql`
    select r.agency_code as agency, n.seq from number_rule r
    cross join lateral generate_series(r.start_no,
      (select max(seq) from number_book where rule_id = r.id and year = ${year})) as n(seq)
    where r.id = ${ruleId} and not exists (
      select from number_book b where b.rule_id = r.id and b.year = ${year} and b.seq = n.seq)
    order by n.seq limit ${gapsShown}`);
  return rows.map(({ agency, seq }) => numberText(agency, year, seq));
}

/** Makes a number void for good, with the reason; one that a document bears only once that is void itself, or was given up on its way. */
export async function voidNumber(
  tx: Db,
  user: Viewer,
  { rule_id, year, seq, reason }: BodyOf<typeof documentSettings.voidNumber>,
): Promise<{ id: number; number: string }> {
  const [rule] = await tx.select().from(numberRuleTable).where(eq(numberRuleTable.id, rule_id)).for('no key update');
  if (!rule) throw absent('发文字号规则');
  const number = numberText(rule.agency_code, year, seq);
  const [row] = await tx
    .select({ book: numberBookTable, doc: documentTable })
    .from(numberBookTable)
    .leftJoin(documentTable, eq(documentTable.id, numberBookTable.document_id))
    .where(and(eq(numberBookTable.rule_id, rule_id), eq(numberBookTable.year, year), eq(numberBookTable.seq, seq)));
  if (!row) throw numberUnknown(number);
  if (row.book.state === voided) throw alreadyVoid(number);
  if (row.doc && (row.doc.act_state !== actState.closed || isThrough(row.doc)))
    throw numberUsed(number, nameInNews(row.doc));
  await tx
    .update(numberBookTable)
    .set({ state: voided, reason, voided_by: user.id, voided_at: sql`now()` })
    .where(eq(numberBookTable.id, row.book.id));
  return { id: row.book.id, number };
}
