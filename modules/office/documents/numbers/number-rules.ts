import { and, eq, inArray, max } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { agencyTaken, ruleInUse, startLocked } from '../contract/refusals.ts';
import { numberRules } from '../contract/settings.ts';
import { documentCategoryTable, numberBookTable, numberRuleTable } from '../tables.ts';
import { numberText } from './numbers.ts';

const { id, agency_code, scope, style, status, is_deleted } = numberRuleTable;
const usedBy = (tx: Db, rule: number) => tx.$count(numberBookTable, eq(numberBookTable.rule_id, rule));

export const ruleHandlers = nounHandlers(numberRules, {
  table: numberRuleTable,
  noun: '机关代字',
  title: (rule) => rule.agency_code,
  search: [agency_code, scope],
  async shows(rules, { tx, now }) {
    const year = Number(dayOf(now).slice(0, 4));
    const { rule_id, seq } = numberBookTable;
    const ids = rules.map((rule) => rule.id);
    const rows = await tx
      .select({ rule_id, last: max(seq) })
      .from(numberBookTable)
      .where(and(inArray(rule_id, ids), eq(numberBookTable.year, year)))
      .groupBy(rule_id);
    const last = new Map(rows.map((row) => [row.rule_id, row.last]));
    return (rule) => ({ last_number: last.get(rule.id) ? numberText(rule, year, last.get(rule.id)!) : '' });
  },
  /** Its name and start cannot change once a number was given. */
  async check({ tx }, { row, before }) {
    const moved =
      before &&
      (before.agency_code !== row.agency_code || before.start_no !== row.start_no || before.style !== row.style);
    if (moved && (await usedBy(tx, before.id)) > 0) throw startLocked(before.agency_code);
  },
  async removing({ tx }, rule) {
    const inCategories = and(
      eq(documentCategoryTable.number_rule_id, rule.id),
      eq(documentCategoryTable.is_deleted, false),
    );
    const used = (await usedBy(tx, rule.id)) + (await tx.$count(documentCategoryTable, inCategories));
    if (used > 0) throw ruleInUse(rule.agency_code, used);
  },
  unique: { number_rule_agency_unique: (rule) => agencyTaken(rule.agency_code) },
});

const mostOffered = 500;
/** The rules by which letters are numbered now. */
export const agencies = (tx: Db) =>
  tx
    .select({ id, agency_code, scope, style })
    .from(numberRuleTable)
    .where(and(eq(is_deleted, false), eq(status, onOff.on)))
    .orderBy(agency_code)
    .limit(mostOffered);
