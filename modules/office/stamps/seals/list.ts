import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, holdersOf, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { lineState } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import type { sealCalls, Stamp, StampDetail, StampOption } from '../contract/seals.ts';
import { stampPage } from '../contract/seals.ts';
import { custodyKind, custodyState, stampStatus } from '../contract/seal-codes.ts';
import { custodyRules } from '../custody/rules.ts';
import { runningCaretaker } from '../custody/running.ts';
import { keeperNow, keptBy } from '../custody/keeper.ts';
import { stampDeptTable, stampTable } from '../tables/seals.ts';
import type { StampRow } from '../custody/write.ts';
import { powersOver, reached, requireStamp, usableFrom } from './visibility.ts';

const { id, name, stamp_no, type, status, dept_id } = stampTable;
const seenAt = sql<string | null>`(select to_char(max(c.decided_at), 'YYYY-MM-DD HH24:MI:SS') from stamp_custody c
  where c.stamp_id = stamp.id and c.kind in (${inSql(custodyKind.begin, custodyKind.handOver, custodyKind.inventory)}) and c.state = ${inSql(custodyState.inEffect)})`;
/** Condition: not inspected within a quarter, although it should be present. */
export const unseen = sql<boolean>`(stamp.status in (${inSql(stampStatus.inUse, stampStatus.suspended)}) and not exists (select from stamp_custody c
  where c.stamp_id = stamp.id and c.kind in (${inSql(custodyKind.begin, custodyKind.handOver, custodyKind.inventory)}) and c.state = ${inSql(custodyState.inEffect)} and c.decided_at > now() - interval '3 months'))`;

const selectStamps = (tx: Db, where: SQL | undefined) => {
  const { search: _search, ...columns } = getTableColumns(stampTable);
  return tx
    .select({
      ...columns,
      has_it: keeperNow.mapWith(Number),
      waiting: sql<number>`(select count(*)::int from stamp_line l where l.stamp_id = stamp.id and l.state = ${inSql(lineState.ready)})`,
      today: sql<number>`(select coalesce(sum(s.taken), 0)::int from stamp_slot s where s.stamp_id = stamp.id and s.day = current_date)`,
      seen_at: seenAt,
      unseen,
      used: sql<boolean>`(exists (select from stamp_line l where l.stamp_id = stamp.id)
        or exists (select from stamp_custody c where c.stamp_id = stamp.id and c.kind <> ${custodyKind.begin}))`,
    })
    .from(stampTable)
    .where(where);
};
type Selected = Awaited<ReturnType<typeof selectStamps>>[number];

/** People who hold two of the three powers over seals: to manage, to use, to audit. */
async function twoPowers(tx: Db): Promise<Map<number, string>> {
  const [managers, auditors] = [await holdersOf(tx, 'office_admin'), await holdersOf(tx, 'seal_auditor')];
  return new Map([
    ...managers.map((one) => [one.id, '管理'] as const),
    ...auditors.map((one) => [one.id, '审计'] as const),
  ]);
}

async function rows(tx: Db, viewer: Viewer, found: readonly Selected[]): Promise<Stamp[]> {
  const people = await peopleById(
    tx,
    found.flatMap((row) => [row.keeper_id, row.has_it]),
  );
  const depts = await deptNamesById(
    tx,
    found.map((row) => row.dept_id),
  );
  const powers = await twoPowers(tx);
  const { two_person_types } = (await readRules(tx, stampRules)).value;
  const warningOf = (row: Selected) => [
    ...(powers.has(row.keeper_id)
      ? [`保管人${people.get(row.keeper_id)!.alias}同时负责印章${powers.get(row.keeper_id)}，请调整`]
      : []),
    ...(two_person_types.includes(row.type) && row.supervisor_id === null && row.backup_id === null
      ? ['这类印章须双人用印，还没有监印人，用印后无人可以确认，请办理监印变更']
      : []),
  ];
  const manages = holds(viewer, 'Update', stampPage);
  const sees = (row: Selected) => manages || row.has_it === viewer.id || row.keeper_id === viewer.id;
  const pictures = await fileCards(
    tx,
    found.flatMap((row) => (row.picture_id && sees(row) ? [row.picture_id] : [])),
    viewer,
  );
  const deletes = holds(viewer, 'Delete', stampPage);
  return found.map(({ has_it, used, ...row }) => ({
    ...row,
    dept_name: depts.get(row.dept_id) ?? '',
    keeper_info: people.get(row.keeper_id)!,
    keeper_now: people.get(has_it)!,
    picture_info: (sees({ ...row, has_it, used }) && pictures.get(row.picture_id ?? 0)) || null,
    warning: warningOf({ ...row, has_it, used }).join('；'),
    actions: [...(manages ? ['update'] : []), ...(deletes && !used ? ['delete'] : [])],
  }));
}

export async function listStamps(tx: Db, viewer: Viewer, query: QueryOf<typeof sealCalls.stamps>) {
  const select = selectStamps(
    tx,
    and(
      reached(viewer, 'Retrieve'),
      saysOrShows(
        query.search_value,
        (word) => matches(stampTable.search, word),
        (ids) => sql`(${stampTable.keeper_id} in ${ids} or (${keeperNow}) in ${ids})`,
      ),
      query.type ? eq(type, query.type) : undefined,
      query.status ? eq(status, query.status) : undefined,
      query.dept ? eq(dept_id, query.dept) : undefined,
      query.unseen ? unseen : undefined,
      query.mine ? keptBy(viewer.id) : undefined,
    ),
  );
  const order = { by: { id, name, stamp_no, type, status }, first: 'id', tie: id };
  const found = await pageOf(tx, query, select.$dynamic(), order);
  return { ...found, value: await rows(tx, viewer, found.value) };
}

export async function stampDetail(tx: Db, viewer: Viewer, wanted: number): Promise<StampDetail> {
  const stamp = await requireStamp(tx, viewer, wanted);
  const [found] = await selectStamps(tx, eq(id, wanted));
  const [row] = await rows(tx, viewer, [found!]);
  const people = await peopleById(
    tx,
    [found!.backup_id, found!.supervisor_id].filter((one) => one !== null),
  );
  const use = await tx
    .select({ dept: stampDeptTable.dept_id })
    .from(stampDeptTable)
    .where(eq(stampDeptTable.stamp_id, wanted));
  const use_depts = use.map((one) => one.dept);
  const names = await deptNamesById(tx, use_depts);
  const { rows: months } = await tx.execute<{ month: string; count: number; copies: number }>(sql`
    select to_char(u.sealed_at, 'YYYY-MM') as month, count(*)::int count,
      sum(coalesce(c.real_copies, u.real_copies))::int copies
    from stamp_use u left join stamp_use c on c.corrects_id = u.id
    where u.stamp_id = ${wanted} and u.corrects_id is null and u.sealed_at >= date_trunc('month', now()) - interval '11 months'
    group by 1 order by 1`);
  return {
    ...row!,
    ...found!,
    keeper_info: row!.keeper_info,
    backup_info: people.get(found!.backup_id ?? 0) ?? null,
    supervisor_info: people.get(found!.supervisor_id ?? 0) ?? null,
    use_depts,
    use_dept_names: use_depts.map((one) => names.get(one) ?? ''),
    office_hours: found!.office_hours as StampDetail['office_hours'],
    months,
    custody: await eventsFor(tx, viewer, stamp, found!.has_it),
    label: await qrAddress(labelText(found!), { errorCorrectionLevel: 'M', margin: 1, width: 240 }),
  };
}

/** The kinds of custody events that the viewer may begin for a seal now. */
async function eventsFor(tx: Db, viewer: Viewer, stamp: StampRow, hasIt: number): Promise<number[]> {
  const powers = await powersOver(tx, viewer, stamp, hasIt);
  const left = (await workingAmong(tx, [stamp.keeper_id])).length === 0;
  const lent = (await runningCaretaker(tx, stamp.id)) !== undefined;
  return Object.entries(custodyRules).flatMap(([key, rule]) => {
    const kind = Number(key);
    const may =
      rule.may(powers, left) && rule.of.includes(stamp.status) && (kind !== custodyKind.caretakerEnds || lent);
    return may ? [kind] : [];
  });
}

/** The text of a seal's label for scanners. */
export const labelText = (stamp: { id: number; stamp_no: string }) => `YZ:${stamp.id}:${stamp.stamp_no}`;
/** The id of the seal on a label; null for other texts. */
export function labelRead(code: string): number | null {
  const [, number] = /^YZ:(\d{1,9}):/.exec(code.trim()) ?? [];
  return number === undefined ? null : Number(number);
}

const closed: readonly number[] = [stampStatus.suspended, stampStatus.lost];
/** Seals that the viewer's departments may use; those that cannot be applied for now have the reason. */
export async function usableStamps(tx: Db, viewer: Viewer): Promise<StampOption[]> {
  const found = await tx
    .select({
      id,
      name,
      type,
      dept_id,
      status,
      place: stampTable.place,
      workflow_id: stampTable.workflow_id,
      has_it: keeperNow.mapWith(Number),
    })
    .from(stampTable)
    .where(and(usableFrom(viewer.places), sql`${status} <> ${stampStatus.destroyed}`))
    .orderBy(type, id)
    .limit(500);
  const people = await peopleById(
    tx,
    found.map((row) => row.has_it),
  );
  const depts = await deptNamesById(
    tx,
    found.map((row) => row.dept_id),
  );
  return found.map(({ has_it, ...row }) => ({
    ...row,
    dept_name: depts.get(row.dept_id) ?? '',
    keeper_now: people.get(has_it)!,
    why: closed.includes(row.status) ? `已${stampStatus.label(row.status)}，不能申请` : '',
  }));
}

/** The present keepers and their seals. */
export async function keepersOf(tx: Db, viewer: Viewer) {
  const found = await tx
    .select({ id, name, has_it: keeperNow.mapWith(Number) })
    .from(stampTable)
    .where(and(usableFrom(viewer.places), sql`${status} <> ${stampStatus.destroyed}`))
    .orderBy(id)
    .limit(500);
  const people = await peopleById(
    tx,
    found.map((row) => row.has_it),
  );
  return [...Map.groupBy(found, (row) => row.has_it)].map(([keeper, kept]) => ({
    ...people.get(keeper)!,
    stamps: kept.map((row) => ({ id: row.id, name: row.name })),
  }));
}

/** Names of seals, by id. */
export async function stampNames(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const found = await tx
    .select({ id, name })
    .from(stampTable)
    .where(inArray(id, [...ids]));
  return new Map(found.map((row) => [row.id, row.name]));
}
