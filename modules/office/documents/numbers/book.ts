import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  alreadyVoid,
  numberInBook,
  numberRuleOff,
  numberTooEarly,
  numberTooFar,
  numberUnknown,
  numberUsed,
} from '../contract/refusals.ts';
import { bookState, type documentSettings } from '../contract/settings.ts';
import { docs } from '../record/record.ts';
import { isThrough } from '../rules/standing.ts';
import { nameInNews } from '../rules/facts.ts';
import { holdRule, keptBack, nextOf, numberText } from './numbers.ts';
import { documentTable, numberBookTable, numberRuleTable } from '../tables.ts';

type Asked = QueryOf<typeof documentSettings.book>;
/** The maximum distance of a reserved number from the last one. */
const farthest = 200;
const gapsShown = 100;

/** The numbers given, and those missing between them; titles only of documents the reader sees that are not secret. */
export async function bookPage(tx: Db, user: Viewer, asked: Asked) {
  const named = and(docs.definition.named, docs.visible(tx, await docs.viewerOf(tx, user)));
  const select = tx
    .select({
      book: numberBookTable,
      rule: numberRuleTable,
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
              sql`concat_ws(' ', case ${numberRuleTable.style} when 2 then '第' || ${numberBookTable.seq} || '号'
                else ${numberRuleTable.agency_code} || '〔' || ${numberBookTable.year} || '〕' || ${numberBookTable.seq} || '号' end, case when ${named} then ${documentTable.title} end)`,
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
    page.value.flatMap(({ book }) => book.voided_by ?? book.made_by ?? []),
  );
  return {
    ...page,
    value: page.value.map(({ book, rule, title }) => ({
      ...book,
      number: numberText(rule, book.year, book.seq),
      state_name: bookState.label(book.state),
      document_title: book.title || title,
      voided_by: people.get(book.voided_by ?? 0)?.alias ?? '',
      made_by: people.get(book.made_by ?? 0)?.alias ?? '',
    })),
    gaps: asked.rule_id && asked.year ? await gaps(tx, asked.rule_id, asked.year) : [],
  };
}

async function gaps(tx: Db, ruleId: number, year: number): Promise<string[]> {
  const { rows } = await tx.execute<{ agency: string; seq: number }>(sql`
    select r.agency_code as agency, n.seq from number_rule r
    cross join lateral generate_series(r.start_no,
      (select max(seq) from number_book where rule_id = r.id and year = ${year} and not ${keptBack})) as n(seq)
    where r.id = ${ruleId} and r.style = 1 and not exists (
      select from number_book b where b.rule_id = r.id and b.year = ${year} and b.seq = n.seq)
    order by n.seq limit ${gapsShown}`);
  return rows.map(({ agency, seq }) => numberText({ agency_code: agency, style: 1 }, year, seq));
}

/** Voids a number for good, with the reason. The number of a document can be voided only after the document is void or was given up. */
export async function voidNumber(
  tx: Db,
  user: Viewer,
  { rule_id, year, seq, reason }: BodyOf<typeof documentSettings.voidNumber>,
): Promise<{ id: number; number: string }> {
  const [rule] = await tx.select().from(numberRuleTable).where(eq(numberRuleTable.id, rule_id)).for('no key update');
  if (!rule) throw absent('发文字号规则');
  const number = numberText(rule, year, seq);
  const [row] = await tx
    .select({ book: numberBookTable, doc: documentTable })
    .from(numberBookTable)
    .leftJoin(documentTable, eq(documentTable.id, numberBookTable.document_id))
    .where(and(eq(numberBookTable.rule_id, rule_id), eq(numberBookTable.year, year), eq(numberBookTable.seq, seq)));
  if (!row) throw numberUnknown(number);
  if (row.book.state === bookState.voided) throw alreadyVoid(number);
  if (row.doc && (row.doc.act_state !== actState.closed || isThrough(row.doc)))
    throw numberUsed(number, nameInNews(row.doc));
  await tx
    .update(numberBookTable)
    .set({ state: bookState.voided, reason, voided_by: user.id, voided_at: sql`now()` })
    .where(eq(numberBookTable.id, row.book.id));
  return { id: row.book.id, number };
}

/** Reserves a number for a later document, or enters a paper issued outside; both with the reason. */
export async function reserveNumber(
  tx: Db,
  user: Viewer,
  { rule_id, year, seq: asked, title, reason }: BodyOf<typeof documentSettings.reserve>,
  now: Date,
): Promise<{ id: number; number: string }> {
  const rule = await holdRule(tx, rule_id);
  if (!rule) throw absent('机关代字');
  if (rule.status === onOff.off && title === '') throw numberRuleOff(rule.agency_code);
  if (year > Number(dayOf(now).slice(0, 4)) + 1) throw numberTooEarly(year);
  const next = await nextOf(tx, rule, year);
  const seq = asked ?? next;
  const number = numberText(rule, year, seq);
  if (seq >= next + farthest) throw numberTooFar(number, numberText(rule, year, next));
  const state = title ? bookState.entered : bookState.reserved;
  const [made] = await tx
    .insert(numberBookTable)
    .values({ rule_id, year, seq, state, title, reason, made_by: user.id })
    .onConflictDoNothing()
    .returning({ id: numberBookTable.id });
  if (!made) throw numberInBook(number);
  return { id: made.id, number };
}

const reservedShown = 100;
/** Reserved numbers of a year, by rule. */
export async function reservedIn(tx: Db, year: number): Promise<Map<number, { seq: number; number: string }[]>> {
  const t = numberBookTable;
  const rows = await tx
    .select({ seq: t.seq, rule: numberRuleTable })
    .from(t)
    .innerJoin(numberRuleTable, eq(numberRuleTable.id, t.rule_id))
    .where(and(eq(t.state, bookState.reserved), eq(t.year, year)))
    .orderBy(t.rule_id, t.seq)
    .limit(reservedShown);
  const byRule = Map.groupBy(rows, ({ rule }) => rule.id);
  return new Map(
    [...byRule].map(([id, ones]) => [id, ones.map(({ seq, rule }) => ({ seq, number: numberText(rule, year, seq) }))]),
  );
}
