import { asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#kernel/server/db/db.ts';
import type { Verified } from '#modules/verification/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { sealStatuses } from '../contract/codes.ts';
import { custodyKind, forStrangers, labelOf, stampStatus } from '../contract/seal-codes.ts';
import { applicationFileTable, applicationTable, lineTable } from '../tables/application.ts';
import { useTable } from '../tables/ledger.ts';
import { custodyTable, stampTable } from '../tables/seals.ts';

/** What codes of applications lead to, as the verification of records names it. */
export const applicationsName = 'stamps';

const correction = alias(useTable, 'correction');

/**
 * What whoever holds a sealed paper may know: which seals it bears since when, how many copies, and whether that holds. Its name is told
 * where such papers are made for strangers.
 */
export async function verifiedSealing(tx: Db, id: number): Promise<Verified | null> {
  const [application] = await tx.select().from(applicationTable).where(eq(applicationTable.id, id));
  if (!application || application.act_state === actState.draft) return null;
  const lines = await tx
    .select({
      stamp: stampTable,
      use: useTable,
      copies: sql<number>`coalesce(${correction.real_copies}, ${useTable.real_copies})`,
    })
    .from(lineTable)
    .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
    .leftJoin(useTable, sql`${useTable.line_id} = ${lineTable.id} and ${useTable.corrects_id} is null`)
    .leftJoin(correction, eq(correction.corrects_id, useTable.id))
    .where(eq(lineTable.application_id, id))
    .orderBy(asc(lineTable.id));
  const lost = await lostSince(
    tx,
    lines.filter(({ stamp }) => stamp.status === stampStatus.lost).map((one) => one.stamp.id),
  );
  const sealed = lines.filter(({ use }) => use !== null);
  const approved = application.act_state === actState.finished;
  const state = approved ? labelOf(sealStatuses, application.seal_status) : '未办结';
  const valid = approved && sealed.length > 0 && sealed.length === lines.length;
  return {
    noun: '用印文件',
    title: forStrangers.includes(application.file_kind) ? application.title : null,
    facts: [
      ['单号', sealed[0]?.use?.sn ?? ''],
      ...lines.map(({ stamp, use, copies }): [string, string] => [
        stamp.name,
        use ? `${use.sealed_at.slice(0, 10)} 用印 ${copies} 份` : '没有用印',
      ]),
      ...lines.flatMap(({ stamp }): [string, string][] =>
        lost.has(stamp.id)
          ? [['注意', `${stamp.name}已于 ${lost.get(stamp.id)!.slice(0, 10)} 挂失，此后加盖的无效`]]
          : [],
      ),
      ['批准份数', `${application.copies} 份`],
      ['状态', state],
    ],
    valid,
    files: sealed.length > 0 ? await filesOf(tx, id) : [],
  };
}

/** Since when seals that are lost now have been. */
async function lostSince(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      stamp: custodyTable.stamp_id,
      at: sql<string>`to_char(max(${custodyTable.decided_at}), 'YYYY-MM-DD HH24:MI:SS')`,
    })
    .from(custodyTable)
    .where(
      sql`${inArray(custodyTable.stamp_id, [...ids])} and ${custodyTable.kind} = ${custodyKind.lost} and ${custodyTable.state} = 1`,
    )
    .groupBy(custodyTable.stamp_id);
  return new Map(rows.map((row) => [row.stamp, row.at]));
}

/** The files that were approved, and the scans of what was sealed. */
async function filesOf(tx: Db, id: number) {
  const { kind, order_no, sha256, application_id } = applicationFileTable;
  const rows = await tx
    .select({ kind, sha256 })
    .from(applicationFileTable)
    .where(eq(application_id, id))
    .orderBy(kind, order_no);
  return rows.map((row, index) => ({
    what: row.kind === 2 ? '用印后的扫描件' : `批准用印的文件 ${index + 1}`,
    sha256: row.sha256,
  }));
}
