import {
  and,
  asc,
  count,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  type AnyColumn,
  type SQL,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { QueryOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { paperKind } from '../contract/codes.ts';
import type { ledgerCalls, Loan, Use } from '../contract/ledger.ts';
import { monthEmpty } from '../contract/seal-refusals.ts';
import { keeperNow } from '../custody/keeper.ts';
import { ledgerOf } from '../seals/visibility.ts';
import { applicationTable, lineTable, loanTable } from '../tables/application.ts';
import { pictureTable, useTable } from '../tables/ledger.ts';
import { stampTable } from '../tables/seals.ts';

type Asked = QueryOf<typeof ledgerCalls.ledger>;
const correction = alias(useTable, 'correction');
const hasAlert = sql<boolean>`exists (select from stamp_alert a where a.stamp_id = stamp_use.stamp_id
  and a.application_id = stamp_use.application_id and not a.handled)`;

const selectUses = (tx: Db) =>
  tx
    .select({
      use: useTable,
      correction,
      stamp_name: stampTable.name,
      stamp_type: stampTable.type,
      has_it: keeperNow.mapWith(Number),
      kept: sql<boolean>`exists (select from stamp_file f where f.application_id = stamp_use.application_id and f.kind = ${inSql(paperKind.copy)})`,
      alert: hasAlert,
    })
    .from(useTable)
    .innerJoin(stampTable, eq(stampTable.id, useTable.stamp_id))
    .leftJoin(correction, eq(correction.corrects_id, useTable.id));
type Selected = Awaited<ReturnType<typeof selectUses>>[number];

const between = (
  column: typeof useTable.sealed_at | typeof loanTable.out_at,
  { start, end }: Pick<Asked, 'start' | 'end'>,
) => and(start ? gte(column, start) : undefined, end ? lte(column, `${end} 23:59:59.999`) : undefined);

/** Matches the row's own words, or the name of its seal. */
function saysOrNames(own: AnyColumn, stamp: AnyColumn, words: string): SQL | undefined {
  const named = containsWords(sql`${stampTable.name} || ' ' || ${stampTable.stamp_no}`, words);
  return or(matches(own, words), named && sql`${stamp} in (select ${stampTable.id} from ${stampTable} where ${named})`);
}

function usesLike(viewer: Viewer, asked: Asked): SQL | undefined {
  const person = asked.keeper && sql`(select id from app_user where username = ${asked.keeper})`;
  return and(
    isNull(useTable.corrects_id),
    ledgerOf(viewer),
    saysOrShows(
      asked.search_value,
      (word) => saysOrNames(useTable.search, useTable.stamp_id, word),
      (ids) =>
        sql`(${useTable.keeper_id} in ${ids} or ${useTable.operator_id} in ${ids} or ${useTable.confirmed_by} in ${ids})`,
    ),
    between(useTable.sealed_at, asked),
    asked.stamp ? eq(useTable.stamp_id, asked.stamp) : undefined,
    asked.dept ? eq(useTable.dept_id, asked.dept) : undefined,
    asked.file_kind ? eq(useTable.file_kind, asked.file_kind) : undefined,
    asked.use_type ? eq(useTable.use_type, asked.use_type) : undefined,
    asked.application ? eq(useTable.application_id, asked.application) : undefined,
    person ? sql`${useTable.keeper_id} = ${person}` : undefined,
    asked.after_hours === undefined ? undefined : eq(useTable.after_hours, asked.after_hours),
    asked.corrected === undefined ? undefined : asked.corrected ? isNotNull(correction.id) : isNull(correction.id),
    asked.alert ? hasAlert : undefined,
  );
}

async function useRows(tx: Db, viewer: Viewer, found: readonly Selected[]): Promise<Use[]> {
  const lines = found.map((row) => row.use.line_id);
  const { line_id, file_id, id: tie } = pictureTable;
  const pictures =
    lines.length === 0
      ? []
      : await tx.select({ line_id, file_id }).from(pictureTable).where(inArray(line_id, lines)).orderBy(asc(tie));
  const byLine = Map.groupBy(pictures, (one) => one.line_id);
  const cards = await fileCards(
    tx,
    pictures.map((one) => one.file_id),
    viewer,
  );
  const people = await peopleById(
    tx,
    found.flatMap(({ use, correction: after }) =>
      [use.operator_id, use.keeper_id, use.confirmed_by, after?.keeper_id].filter((one) => one != null),
    ),
  );
  const depts = await deptNamesById(
    tx,
    found.flatMap(({ use }) => use.dept_id ?? []),
  );
  const aliasOf = (id: number | null) => people.get(id ?? 0)?.alias ?? '';
  const corrects = holds(viewer, 'chuli', 'stamp/desk');
  return found.map(({ use, correction: after, has_it, ...row }) => ({
    ...use,
    ...row,
    dept_name: depts.get(use.dept_id ?? 0) ?? '',
    operator: aliasOf(use.operator_id),
    serial: [use.serial_from, use.serial_to].filter(Boolean).join('–'),
    keeper: aliasOf(use.keeper_id),
    confirmed_by: aliasOf(use.confirmed_by),
    pictures: (byLine.get(use.line_id) ?? []).flatMap((one) => cards.get(one.file_id) ?? []),
    correction: after && { ...after, by: aliasOf(after.keeper_id), at: after.gmt_created },
    actions: corrects && !after && has_it === viewer.id ? ['correct'] : [],
  }));
}

export async function listLedger(tx: Db, viewer: Viewer, asked: Asked) {
  if (asked.of === 'loans') return listLoans(tx, viewer, asked);
  const select = selectUses(tx).where(usesLike(viewer, asked));
  const { sealed_at, id, real_copies } = useTable;
  const order = { by: { sealed_at, id, real_copies }, first: 'sealed_at', descending: true, tie: id };
  const found = await pageOf(tx, asked, select.$dynamic(), order);
  return { ...found, value: await useRows(tx, viewer, found.value) };
}

/** Loans; overdue from the first minute, for as long as the seal is out. */
async function listLoans(tx: Db, viewer: Viewer, asked: Asked) {
  const select = tx
    .select({
      id: loanTable.id,
      stamp_id: loanTable.stamp_id,
      stamp_name: stampTable.name,
      application_id: lineTable.application_id,
      title: applicationTable.title,
      place: applicationTable.borrow_place,
      escort_id: loanTable.escort_id,
      dept_id: applicationTable.dept_id,
      out_at: loanTable.out_at,
      due_at: loanTable.due_at,
      returned_at: loanTable.returned_at,
      late: sql<boolean>`coalesce(${loanTable.returned_at}, now()) > ${loanTable.due_at}`,
    })
    .from(loanTable)
    .innerJoin(stampTable, eq(stampTable.id, loanTable.stamp_id))
    .innerJoin(lineTable, eq(lineTable.id, loanTable.line_id))
    .innerJoin(applicationTable, eq(applicationTable.id, lineTable.application_id))
    .where(
      and(
        ledgerOf(viewer),
        saysOrShows(
          asked.search_value,
          (word) => saysOrNames(applicationTable.search, loanTable.stamp_id, word),
          (ids) => sql`${loanTable.escort_id} in ${ids}`,
        ),
        between(loanTable.out_at, asked),
        asked.stamp ? eq(loanTable.stamp_id, asked.stamp) : undefined,
        asked.dept ? eq(applicationTable.dept_id, asked.dept) : undefined,
      ),
    );
  const order = { by: { sealed_at: loanTable.out_at }, first: 'sealed_at', descending: true, tie: loanTable.id };
  const found = await pageOf(tx, asked, select.$dynamic(), order);
  const people = await peopleById(
    tx,
    found.value.map((row) => row.escort_id),
  );
  const depts = await deptNamesById(
    tx,
    found.value.flatMap((row) => row.dept_id ?? []),
  );
  const value: Loan[] = found.value.map(({ escort_id, dept_id, ...row }) => ({
    ...row,
    escort: people.get(escort_id)?.alias ?? '',
    dept_name: depts.get(dept_id ?? 0) ?? '',
  }));
  return { ...found, value };
}

const mostInBook = 5000;
/** All sealings of a month in order, for the printed book; `total` if there are more than shown. */
export async function registerOf(
  tx: Db,
  viewer: Viewer,
  { month, stamp }: QueryOf<typeof ledgerCalls.register>,
  most = mostInBook,
) {
  const which = and(
    isNull(useTable.corrects_id),
    ledgerOf(viewer),
    gte(useTable.sealed_at, `${month}-01`),
    lt(useTable.sealed_at, sql`(${`${month}-01`}::date + interval '1 month')`),
    stamp ? eq(useTable.stamp_id, stamp) : undefined,
  );
  const rows = await selectUses(tx).where(which).orderBy(asc(useTable.sealed_at), asc(useTable.id)).limit(most);
  if (rows.length === 0) throw monthEmpty(month);
  const all = tx.select({ n: count() }).from(useTable).innerJoin(stampTable, eq(stampTable.id, useTable.stamp_id));
  const total = rows.length < most ? rows.length : (await all.where(which))[0]!.n;
  return { value: await useRows(tx, viewer, rows), total };
}
