import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { deptNames, peopleById } from '#modules/platform/people/service.ts';
import { codeRead, recordOfCode, type VerifiedRecords } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Scanned } from '../contract/ledger.ts';
import { keepersNow } from '../custody/keeper.ts';
import { labelRead } from '../seals/list.ts';
import { sees } from '../seals/visibility.ts';
import { applicationTable, lineTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { applicationsName } from './verified.ts';

/** The code within a scanned text: from the address of a verification page, or the code itself. */
const codeIn = (text: string) => codeRead(/\/api\/verify\/([^/?#]+)/.exec(text)?.[1] ?? text);

/**
 * The target of a code for the viewer: an application for its applicant and keepers, a seal for those who may see it, else the answer for
 * strangers.
 */
export async function scanned(tx: Db, viewer: Viewer, text: string, verified: VerifiedRecords): Promise<Scanned> {
  const label = labelRead(text);
  if (label !== null) return (await sealOf(tx, viewer, label)) ?? { kind: 'unknown' };
  const code = codeIn(text);
  const record = code && (await recordOfCode(tx, code));
  if (!record) return { kind: 'unknown' };
  if (record.module === applicationsName) {
    const own = await applicationOf(tx, viewer, record.id);
    if (own) return own;
  }
  const told = await verified[record.module]?.(tx, record.id);
  if (!told) return { kind: 'unknown' };
  return {
    kind: 'other',
    title: told.title,
    valid: told.valid,
    caution: told.caution ?? '',
    facts: told.facts.filter(([, value]) => value !== '').map(([name, value]) => [name, value]),
    files: [...told.files],
  };
}

async function applicationOf(tx: Db, viewer: Viewer, id: number): Promise<Scanned | null> {
  const [row] = await tx
    .select({
      id: applicationTable.id,
      title: applicationTable.title,
      act_state: applicationTable.act_state,
      creator: applicationTable.creator_id,
      operator: applicationTable.operator_id,
    })
    .from(applicationTable)
    .where(eq(applicationTable.id, id));
  if (!row) return null;
  const lines = await tx.select().from(lineTable).where(eq(lineTable.application_id, id));
  const keepers = await keepersNow(
    tx,
    lines.map((line) => line.stamp_id),
  );
  const mine = lines.filter((line) => keepers.get(line.stamp_id) === viewer.id);
  const applied = row.creator === viewer.id || row.operator === viewer.id;
  if (mine.length === 0 && !applied) return null;
  // An application that is not approved, or was withdrawn, cannot be sealed.
  const ready = row.act_state === actState.finished;
  const has = (state: number) => ready && mine.some((line) => line.state === state);
  return {
    kind: 'application',
    id,
    path: mine.length > 0 ? `/stamp/desk?id=${id}` : `/stamp/detail/${id}`,
    title: row.title,
    sn: '',
    actions: [...(has(1) ? ['seal', 'refuse'] : []), ...(has(3) ? ['return'] : [])],
  };
}

async function sealOf(tx: Db, viewer: Viewer, id: number): Promise<Scanned | null> {
  if (!(await sees(tx, viewer, id))) return null;
  const [stamp] = await tx.select().from(stampTable).where(eq(stampTable.id, id));
  const keeper = (await keepersNow(tx, [id])).get(id)!;
  return {
    kind: 'stamp',
    id,
    name: stamp!.name,
    stamp_no: stamp!.stamp_no,
    type: stamp!.type,
    status: stamp!.status,
    dept_name: (await deptNames(tx, [stamp!.dept_id]))[0] ?? '',
    keeper_now: (await peopleById(tx, [keeper])).get(keeper)?.alias ?? '',
    place: stamp!.place,
    actions: keeper === viewer.id ? ['inventory'] : [],
  };
}
