import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { letterheadName } from '#modules/platform/letterheads/service.ts';
import { docLevel, docType, type DocumentFields, type Party, publicity, secretLevel } from '../contract/shapes.ts';
import { documentCategoryTable as category, documentTable as doc, numberRuleTable as rule } from '../tables.ts';

const choices: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  doc_type: docType.names,
  level: docLevel.names,
  secret_level: secretLevel.names,
  publicity: publicity.names,
};

/** The name of a referenced record, by field; undefined if it is gone. */
const names: Readonly<Record<string, (tx: Db, id: number) => Promise<string | null | undefined>>> = {
  category_id: (tx, id) => first(tx.select({ name: category.name }).from(category).where(eq(category.id, id))),
  number_rule_id: (tx, id) => first(tx.select({ name: rule.agency_code }).from(rule).where(eq(rule.id, id))),
  reply_to_id: (tx, id) => first(tx.select({ name: doc.title }).from(doc).where(eq(doc.id, id))),
  redhead_id: letterheadName,
  lead_dept: async (tx, id) => (await deptNamesById(tx, [id])).get(id),
  issuer: async (tx, id) => (await peopleById(tx, [id])).get(id)?.alias,
};
const first = async (found: Promise<{ name: string }[]>) => (await found)[0]?.name;

/** The value of a field in words. */
export async function worded(tx: Db, key: keyof DocumentFields, value: unknown): Promise<string> {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return choices[key]?.[value] ?? (await names[key]?.(tx, value)) ?? String(value);
  if (!Array.isArray(value)) return String(value);
  if (key === 'attachments') {
    const files = await filesById(tx, value as number[]);
    return (value as number[]).map((id) => files.get(id)?.name ?? '').join('、');
  }
  if (key === 'co_depts') {
    const names = await deptNamesById(tx, value as number[]);
    return (value as number[]).map((id) => names.get(id) ?? String(id)).join('、');
  }
  return value.map((one) => (typeof one === 'string' ? one : (one as Party).name)).join('、');
}
