import { and, eq, or, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { agencyTaken, ruleInUse, startLocked } from '../contract/refusals.ts';
import type { documentSettings } from '../contract/settings.ts';
import { numberText } from './numbers.ts';
import { documentCategoryTable, numberBookTable, numberRuleTable } from '../tables.ts';

type Input = BodyOf<typeof documentSettings.addRule>;
type Row = typeof numberRuleTable.$inferSelect;
const alive = eq(numberRuleTable.is_deleted, false);
const taken = (code: string) => refuseOn('number_rule_agency_unique', () => agencyTaken(code));

export async function rulePage(tx: Db, user: Viewer, asked: QueryOf<typeof documentSettings.rules>, now: Date) {
  const year = Number(dayOf(now).slice(0, 4));
  const typed = asked.search_value;
  const last = sql<number | null>`(select max(b.seq) from number_book b
    where b.rule_id = "number_rule"."id" and b.year = ${year})`;
  const select = tx
    .select({ rule: numberRuleTable, last })
    .from(numberRuleTable)
    .where(and(alive, or(contains(numberRuleTable.agency_code, typed), contains(numberRuleTable.scope, typed))))
    .$dynamic();
  const page = await pageOf(tx, asked, select, {
    by: { agency_code: numberRuleTable.agency_code, gmt_modified: numberRuleTable.gmt_modified },
    first: 'agency_code',
    tie: numberRuleTable.id,
  });
  const may = (code: 'Update' | 'Delete') => holds(user, code, 'document/setting');
  const actions = [...(may('Update') ? ['edit'] : []), ...(may('Delete') ? ['delete'] : [])];
  return {
    ...page,
    value: page.value.map(({ rule, last: seq }) => ({
      ...rule,
      last_number: seq === null ? '' : numberText(rule.agency_code, year, seq),
      actions,
    })),
  };
}

const mostOffered = 500;
/** Those that letters are numbered by now. */
export const agencies = (tx: Db) =>
  tx
    .select({ id: numberRuleTable.id, agency_code: numberRuleTable.agency_code, scope: numberRuleTable.scope })
    .from(numberRuleTable)
    .where(and(alive, eq(numberRuleTable.status, 1)))
    .orderBy(numberRuleTable.agency_code)
    .limit(mostOffered);

export async function addRule(tx: Db, body: Input): Promise<number> {
  const [row] = await tx
    .insert(numberRuleTable)
    .values(body)
    .returning({ id: numberRuleTable.id })
    .catch(taken(body.agency_code));
  return row!.id;
}

async function held(tx: Db, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(numberRuleTable)
    .where(and(alive, eq(numberRuleTable.id, id)))
    .for('update');
  if (!row) throw absent('发文字号规则');
  return row;
}
const usedBy = (tx: Db, id: number) => tx.$count(numberBookTable, eq(numberBookTable.rule_id, id));

/** Changes a rule; its name and start only while no number was given. Answers it as it was. */
export async function changeRule(tx: Db, id: number, body: Input, version: number | undefined): Promise<Row> {
  const before = await held(tx, id);
  checkVersion('发文字号规则', before, version, before);
  const moved = before.agency_code !== body.agency_code || before.start_no !== body.start_no;
  if (moved && (await usedBy(tx, id)) > 0) throw startLocked(before.agency_code);
  await tx
    .update(numberRuleTable)
    .set({ ...body, ...touched(numberRuleTable) })
    .where(eq(numberRuleTable.id, id))
    .catch(taken(body.agency_code));
  return before;
}

/** Deletes a rule that gave no number and that no category uses. */
export async function removeRule(tx: Db, id: number): Promise<Row> {
  const row = await held(tx, id);
  const inCategories = and(eq(documentCategoryTable.number_rule_id, id), eq(documentCategoryTable.is_deleted, false));
  const used = (await usedBy(tx, id)) + (await tx.$count(documentCategoryTable, inCategories));
  if (used > 0) throw ruleInUse(row.agency_code, used);
  await tx.update(numberRuleTable).set({ is_deleted: true }).where(eq(numberRuleTable.id, id));
  return row;
}
