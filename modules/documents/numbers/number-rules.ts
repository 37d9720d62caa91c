import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { agencyTaken, ruleInUse, startLocked } from '../contract/refusals.ts';
import type { documentSettings } from '../contract/settings.ts';
import { numberText } from './numbers.ts';
import { documentCategoryTable, numberBookTable, numberRuleTable } from '../tables.ts';

type Input = BodyOf<typeof documentSettings.addRule>;
type Row = typeof numberRuleTable.$inferSelect;
const alive = eq(numberRuleTable.deleted, false);
const taken = (code: string) => refuseOn('number_rule_agency_unique', () => agencyTaken(code));
const columnsOf = ({ agency_code, start_no, ...same }: Input) => ({
  ...same,
  agencyCode: agency_code,
  startNo: start_no,
});

export async function rulePage(tx: Db, user: Viewer, asked: QueryOf<typeof documentSettings.rules>, now: Date) {
  const year = Number(dayOf(now).slice(0, 4));
  const wanted = `%${asked.search_value.replace(/[\\%_]/g, '\\$&')}%`;
  const last = sql<number | null>`(select max(b.seq) from number_book b
    where b.rule_id = "number_rule"."id" and b.year = ${year})`;
  const select = tx
    .select({ rule: numberRuleTable, last })
    .from(numberRuleTable)
    .where(and(alive, sql`(${numberRuleTable.agencyCode} ilike ${wanted} or ${numberRuleTable.scope} ilike ${wanted})`))
    .$dynamic();
  const page = await pageOf(tx, asked, select, {
    by: { agency_code: numberRuleTable.agencyCode, gmt_modified: numberRuleTable.modified },
    first: 'agency_code',
    tie: numberRuleTable.id,
  });
  const may = (code: 'Update' | 'Delete') => holds(user, code, 'document/setting');
  const actions = [...(may('Update') ? ['edit'] : []), ...(may('Delete') ? ['delete'] : [])];
  return {
    ...page,
    value: page.value.map(({ rule, last: seq }) => ({
      id: rule.id,
      agency_code: rule.agencyCode,
      scope: rule.scope,
      start_no: rule.startNo,
      status: rule.status,
      last_number: seq === null ? '' : numberText(rule.agencyCode, year, seq),
      gmt_modified: rule.modified,
      version: rule.version,
      actions,
    })),
  };
}

const mostOffered = 500;
/** Those that letters are numbered by now. */
export const agencies = (tx: Db) =>
  tx
    .select({ id: numberRuleTable.id, agency_code: numberRuleTable.agencyCode, scope: numberRuleTable.scope })
    .from(numberRuleTable)
    .where(and(alive, eq(numberRuleTable.status, 1)))
    .orderBy(numberRuleTable.agencyCode)
    .limit(mostOffered);

export async function addRule(tx: Db, body: Input): Promise<number> {
  const [row] = await tx
    .insert(numberRuleTable)
    .values(columnsOf(body))
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
const usedBy = (tx: Db, id: number) => tx.$count(numberBookTable, eq(numberBookTable.ruleId, id));

/** Changes a rule; its name and start only while no number was given. Answers it as it was. */
export async function changeRule(tx: Db, id: number, body: Input, version: number | undefined): Promise<Row> {
  const before = await held(tx, id);
  checkVersion('发文字号规则', before, version, { id, agency_code: before.agencyCode, version: before.version });
  const moved = before.agencyCode !== body.agency_code || before.startNo !== body.start_no;
  if (moved && (await usedBy(tx, id)) > 0) throw startLocked(before.agencyCode);
  await tx
    .update(numberRuleTable)
    .set({ ...columnsOf(body), ...(touched(numberRuleTable) as object) })
    .where(eq(numberRuleTable.id, id))
    .catch(taken(body.agency_code));
  return before;
}

/** Deletes a rule that gave no number and that no category uses. */
export async function removeRule(tx: Db, id: number): Promise<Row> {
  const row = await held(tx, id);
  const inCategories = and(eq(documentCategoryTable.number_rule_id, id), eq(documentCategoryTable.deleted, false));
  const used = (await usedBy(tx, id)) + (await tx.$count(documentCategoryTable, inCategories));
  if (used > 0) throw ruleInUse(row.agencyCode, used);
  await tx.update(numberRuleTable).set({ deleted: true }).where(eq(numberRuleTable.id, id));
  return row;
}
