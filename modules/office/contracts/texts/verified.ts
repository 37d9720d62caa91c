import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById } from '#modules/platform/files/service.ts';
import type { Verified } from '#modules/platform/verification/service.ts';
import { nature, stageName } from '../contract/codes.ts';
import { mainOf } from '../performing/pending.ts';
import { changesTo, endedOf } from './ended.ts';
import { contractCategoryTable, contractTable } from '../tables.ts';
import { frozenText } from './freezing.ts';

type Beside = { facts: (readonly [string, string])[]; changes: string[]; caution: string | null };

/** The supplements that changed a contract since its signature. */
async function ofMain(tx: Db, id: number): Promise<Beside> {
  const changes = (await changesTo(tx, id)).map((one) => one.said);
  return {
    facts: [],
    changes,
    caution: changes.length > 0 ? `但${changes.join('，')}，请一并核对补充协议` : null,
  };
}

/** The contract of a supplement, whether it was changed accordingly, and the later supplements, which may say something else. */
async function ofSupplement(tx: Db, row: typeof contractTable.$inferSelect): Promise<Beside> {
  const main = await mainOf(tx, row);
  const all = await changesTo(tx, main.id);
  const at = all.findIndex((one) => one.supplement === row.id);
  const later = at < 0 ? [] : all.slice(at + 1).map((one) => one.said);
  return {
    facts: [
      ['主合同', `${main.contract_no}（${stageName(main.stage)}）`],
      ['变更登记', all[at]?.day ?? '尚未登记'],
    ],
    changes: later,
    caution:
      at < 0
        ? '但主合同尚未据此登记变更，请向我方核实'
        : later.length > 0
          ? `但主合同此后${later.join('，')}，请一并核对`
          : null,
  };
}

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
  const { facts, changes, caution } =
    row.nature === nature.supplement ? await ofSupplement(tx, row) : await ofMain(tx, id);
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
      ...facts,
      ...changes.map((change) => ['变更', change] as const),
      // The signed text stays the original, even after supplements.
      [
        row.nature !== nature.supplement && changes.length > 0 ? '原正文校验值（SHA-256）' : '正文校验值（SHA-256）',
        text?.sha256 ?? '',
      ],
    ],
    valid: row.sign_date !== null && ended === null,
    caution: ended === null && row.sign_date !== null ? caution : null,
    ended: ended && [ended.what, ended.day].filter(Boolean).join(' '),
    files: [
      ...(text?.file_id ? [{ what: '合同文本', sha256: text.sha256 }] : []),
      ...(signed ? [{ what: '签订扫描件', sha256: signed.sha256 }] : []),
    ],
  };
}
