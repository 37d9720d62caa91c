import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#kernel/server/db/db.ts';
import type { Verified } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState, paperKind } from '../contract/codes.ts';
import { custodyKind, custodyState, forStrangers, stampStatus } from '../contract/seal-codes.ts';
import { countOutside, recallsOf } from './recall.ts';
import { applicationFileTable, applicationTable, lineTable } from '../tables/application.ts';
import { useTable } from '../tables/ledger.ts';
import { custodyTable, stampTable } from '../tables/seals.ts';

/** The name of applications in the verification of records. */
export const applicationsName = 'stamps';

const correction = alias(useTable, 'correction');

/**
 * The verification of a sealed paper: its seals and dates, its copies, and whether it is valid. Its name is shown only for kinds made for
 * strangers.
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
  const gone = await goneSince(
    tx,
    lines.filter(({ stamp }) => Object.hasOwn(goneBy, stamp.status)).map((one) => one.stamp),
  );
  const source = await sourceOf(tx, application);
  const sealed = lines.filter(({ use }) => use !== null);
  const approved = application.act_state === actState.finished;
  const state = approved ? lineState.label(application.seal_status) : '未办结';
  const recalls = await recallsOf(tx, id);
  const ofSource = source?.ended ?? null;
  const allBack = recalls.length > 0 && (await countOutside(tx, [id])) === 0;
  const ended = ofSource ?? (allBack ? '用印的文本已全部收回' : null);
  const valid = approved && sealed.length > 0 && sealed.length === lines.length && ended === null;
  const away = lines.find(({ stamp, use }) => use !== null && gone.has(stamp.id));
  const awayCaution = away && `但印章“${away.stamp.name}”已于 ${gone.get(away.stamp.id)!}，请核对用印日期`;
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
        gone.has(stamp.id) ? [['注意', `${stamp.name}已于 ${gone.get(stamp.id)!}，此后加盖的无效`]] : [],
      ),
      ['批准份数', `${application.copies} 份`],
      ...recalls.map(({ at, copies }): [string, string] => ['收回', `${at.slice(0, 10)} 收回 ${copies} 份`]),
      [
        '状态',
        [state, ended && (ofSource === null ? ended : `所盖的${source!.noun ?? '公文'}：${ended}`)]
          .filter(Boolean)
          .join('，'),
      ],
    ],
    valid,
    ended,
    caution: valid ? (awayCaution ?? source?.caution ?? null) : null,
    files: sealed.length > 0 ? await filesOf(tx, id) : [],
  };
}

/** The verification of the linked record. */
const sourceOf = async (tx: Db, { source_module, source_id }: typeof applicationTable.$inferSelect) => {
  const { verified } = tx.services.product;
  return source_id !== null && Object.hasOwn(verified, source_module) ? verified[source_module]!(tx, source_id) : null;
};

/** By the status of a lost or destroyed seal: the custody events that cause it. */
const goneBy: Record<number, { kinds: readonly number[]; word: string }> = {
  [stampStatus.lost]: { kinds: [custodyKind.lost], word: '挂失' },
  [stampStatus.destroyed]: { kinds: [custodyKind.collect, custodyKind.destroy], word: '收缴销毁' },
};
/** The dates since which seals are lost or destroyed, in words. */
async function goneSince(
  tx: Db,
  stamps: readonly Pick<typeof stampTable.$inferSelect, 'id' | 'status'>[],
): Promise<Map<number, string>> {
  const { stamp_id, kind, state, decided_at } = custodyTable;
  const since = new Map<number, string>();
  for (const { id, status } of stamps) {
    const { kinds, word } = goneBy[status]!;
    const [row] = await tx
      .select({ day: sql<string | null>`to_char(max(${decided_at}), 'YYYY-MM-DD')` })
      .from(custodyTable)
      .where(and(eq(stamp_id, id), inArray(kind, [...kinds]), eq(state, custodyState.inEffect)));
    since.set(id, `${row?.day ? `${row.day} ` : ''}${word}`);
  }
  return since;
}

/** The approved files, and the scans of the sealed ones. */
async function filesOf(tx: Db, id: number) {
  const { kind, order_no, sha256, application_id } = applicationFileTable;
  const rows = await tx
    .select({ kind, sha256 })
    .from(applicationFileTable)
    .where(eq(application_id, id))
    .orderBy(kind, order_no);
  return rows.map((row, index) => ({
    what: row.kind === paperKind.copy ? '用印后的扫描件' : `批准用印的文件 ${index + 1}`,
    sha256: row.sha256,
  }));
}
