import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong, within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { headsOf } from '#modules/platform/people/service.ts';
import { stampPage } from '../contract/seals.ts';
import { keeperNow } from '../custody/keeper.ts';
import { stampTable } from '../tables/seals.ts';
import type { StampRow } from '../custody/write.ts';

/** Condition: the person keeps, backs up or supervises the seal, or has it now. */
export const partIn = ({ id }: Viewer): SQL =>
  sql`(${id} in (stamp.keeper_id, stamp.backup_id, stamp.supervisor_id) or ${keeperNow} = ${id})`;

/** Condition: the person heads the seal's department. */
export const ownedBy = (person: number): SQL =>
  sql`exists (select from dept_person p where p.dept_id = ${stampTable.dept_id} and p.user_id = ${person} and p.part in ('leader', 'approver'))`;

/** Condition: the viewer's scope reaches the seal. Seals in which they have a role or which they own are visible in addition. */
export const reached = (viewer: Viewer, code: PermissionCode): SQL =>
  within(
    scopeOf(viewer, code, stampPage),
    stampTable.dept_id,
    code === 'Retrieve' ? sql`(${partIn(viewer)} or ${ownedBy(viewer.id)})` : sql`false`,
  );

/** Condition: the viewer may read the seal's sealings in the ledger. */
export const ledgerOf = (viewer: Viewer): SQL =>
  within(scopeOf(viewer, 'Retrieve', 'stamp/ledger'), stampTable.dept_id, partIn(viewer));

export async function sees(tx: Db, viewer: Viewer, id: number): Promise<boolean> {
  return (await tx.$count(stampTable, and(eq(stampTable.id, id), reached(viewer, 'Retrieve')))) > 0;
}

export async function requireStamp(tx: Db, viewer: Viewer, id: number, code: PermissionCode = 'Retrieve') {
  const [row] = await tx
    .select()
    .from(stampTable)
    .where(and(eq(stampTable.id, id), reached(viewer, code)));
  if (!row) throw absent('印章');
  return row;
}

/** Powers over one seal. `manages`: as the office; `owns`: as head of its department. */
export interface Powers {
  manages: boolean;
  owns: boolean;
  keeps: boolean;
  hasNow: boolean;
}
export async function powersOver(tx: Db, viewer: Viewer, stamp: StampRow, hasIt: number): Promise<Powers> {
  const { all, depts } = scopeOf(viewer, 'Update', stampPage);
  const heads = await headsOf(tx, [stamp.dept_id]);
  return {
    manages: holds(viewer, 'Update', stampPage) && (all || depts.has(stamp.dept_id)),
    owns: heads.some((head) => head.id === viewer.id),
    keeps: stamp.keeper_id === viewer.id,
    hasNow: hasIt === viewer.id,
  };
}

/**
 * Condition: departments that may use the seal: those listed with all below them, everybody if none is. `places` are a person's departments
 * with all above them.
 */
export const usableFrom = (places: readonly number[]): SQL | undefined =>
  or(
    sql`not exists (select from stamp_dept d where d.stamp_id = stamp.id)`,
    sql`exists (select from stamp_dept d where d.stamp_id = stamp.id and d.dept_id = any(${sql.param([...places])}::int[]))`,
    isAmong(stampTable.dept_id, places),
  );
