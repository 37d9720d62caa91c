import { eq } from 'drizzle-orm';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Opens } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { opinionsOnPaper } from '#modules/workflow/tickets/service.ts';
import { dateText, type SheetFact, type SheetInput } from '#modules/platform/typesetting/service.ts';
import { direction, nature, risk } from '../contract/codes.ts';
import { sidesOf } from '../parties/sides.ts';
import { contractCategoryTable, type contractTable } from '../tables.ts';

/** Collects the approval sheet of a contract with all opinions. The caller has checked that the reader may see it. */
export async function sheetInputOf(
  tx: Db,
  fileStore: Opens,
  row: Omit<typeof contractTable.$inferSelect, 'search'>,
): Promise<SheetInput> {
  const sides = await sidesOf(tx, row.id);
  const [category] = await tx
    .select({ name: contractCategoryTable.name })
    .from(contractCategoryTable)
    .where(eq(contractCategoryTable.id, row.category_id));
  const people = await peopleById(tx, [row.undertaker]);
  const depts = await deptNamesById(tx, [row.dept_id]);
  const wide = (label: string, value: string): SheetFact => ({ label, value, wide: true });
  const money = `${moneyText(row.amount)} 元（${capitals(row.amount)}）`;
  return {
    name: '合同审批单',
    org: row.our_party,
    facts: [
      { label: '合同编号', value: row.contract_no },
      { label: '合同类别', value: category?.name ?? '' },
      wide('合同名称', row.name),
      wide('相对方', sides.map((one) => one.name).join('、')),
      { label: '性质', value: nature.label(row.nature) },
      { label: '收付', value: direction.label(row.pay_direction) },
      wide('金额', row.pay_direction === direction.none ? '无' : money),
      { label: '开始日期', value: dateText(row.start_date) },
      { label: '结束日期', value: row.end_date === null ? '长期' : dateText(row.end_date) },
      { label: '承办部门', value: depts.get(row.dept_id) ?? '' },
      { label: '承办人', value: people.get(row.undertaker)?.alias ?? '' },
      { label: '合同文本', value: row.is_standard_text ? '示范文本，未改动' : '非示范文本或有改动' },
      { label: '风险等级', value: row.risk_level === null ? '' : risk.label(row.risk_level) },
      wide('法律意见', row.legal_opinion),
    ],
    opinions: row.ticket_id === null ? [] : await opinionsOnPaper(tx, fileStore, row.ticket_id),
  };
}
