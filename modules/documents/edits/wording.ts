import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById } from '#modules/files/service.ts';
import { deptNamesById, peopleById } from '#modules/people/service.ts';
import { letterheadName } from '#modules/letterheads/service.ts';
import { docTypes, levels, secretLevels, type DocumentFields, type Party } from '../contract/shapes.ts';
import { documentCategoryTable, documentTable, numberRuleTable } from '../tables.ts';

const choices: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  doc_type: docTypes,
  level: levels,
  secret_level: secretLevels,
  publicity: { 1: '主动公开', 2: '依申请公开', 3: '不予公开' },
};

/** What a reference is called; its number where it is gone. */
async function nameOf(tx: Db, key: string, id: number): Promise<string> {
  const one = async (found: Promise<{ name: string }[]>) => (await found)[0]?.name ?? String(id);
  switch (key) {
    case 'category_id':
      return one(
        tx
          .select({ name: documentCategoryTable.name })
          .from(documentCategoryTable)
          .where(eq(documentCategoryTable.id, id)),
      );
    case 'number_rule_id':
      return one(
        tx.select({ name: numberRuleTable.agency_code }).from(numberRuleTable).where(eq(numberRuleTable.id, id)),
      );
    case 'redhead_id':
      return (await letterheadName(tx, id)) ?? String(id);
    case 'reply_to_id':
      return one(tx.select({ name: documentTable.title }).from(documentTable).where(eq(documentTable.id, id)));
    case 'lead_dept':
      return (await deptNamesById(tx, [id])).get(id) ?? String(id);
    case 'issuer':
      return (await peopleById(tx, [id])).get(id)?.alias ?? String(id);
    default:
      return String(id);
  }
}

/** The value of a field as people read it. */
export async function worded(tx: Db, key: keyof DocumentFields, value: unknown): Promise<string> {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return choices[key]?.[value] ?? nameOf(tx, key, value);
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
