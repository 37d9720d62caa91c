import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById } from '#modules/platform/files/service.ts';
import type { Verified } from '#modules/platform/verification/service.ts';
import { stageName } from '../contract/codes.ts';
import { changedBy, endedOf } from './ended.ts';
import { contractCategoryTable, contractTable } from '../tables.ts';
import { frozenText } from './freezing.ts';

/** The verification of a printed contract for strangers: never its amount or parties, the name only if its category allows it. */
export async function verifiedContracts(tx: Db, id: number): Promise<Verified | null> {
  const [found] = await tx
    .select({ row: contractTable, named: contractCategoryTable.verify_title })
    .from(contractTable)
    .innerJoin(contractCategoryTable, eq(contractCategoryTable.id, contractTable.category_id))
    .where(eq(contractTable.id, id));
  if (!found?.row.text_version) return null;
  const { row, named } = found;
  const text = await frozenText(tx, row);
  const signed = row.signed_file === null ? undefined : await fileById(tx, row.signed_file);
  const ended = await endedOf(tx, row);
  const changes = await changedBy(tx, id);
  const state = stageName(row.stage);
  return {
    noun: '合同',
    title: named ? row.name : null,
    facts: [
      ['合同编号', row.contract_no],
      ['签订日期', row.sign_date ?? ''],
      ['我方', row.our_party],
      ['状态', ended === null || ended.what === state ? state : `${state}（${ended.what}）`],
      ...(ended ? [[`${ended.mark}日期`, ended.day] as const] : []),
      ...changes.map((change) => ['变更', change] as const),
      // The signed text stays the original, even after supplements.
      [changes.length > 0 ? '原正文校验值（SHA-256）' : '正文校验值（SHA-256）', text?.sha256 ?? ''],
    ],
    valid: row.sign_date !== null && ended === null,
    caution:
      ended === null && row.sign_date !== null && changes.length > 0
        ? `但${changes.join('，')}，请一并核对补充协议`
        : null,
    ended: ended && [ended.what, ended.day].filter(Boolean).join(' '),
    files: [
      ...(text?.file_id ? [{ what: '合同文本', sha256: text.sha256 }] : []),
      ...(signed ? [{ what: '签订扫描件', sha256: signed.sha256 }] : []),
    ],
  };
}
