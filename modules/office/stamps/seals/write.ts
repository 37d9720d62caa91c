import { eq, sql } from 'drizzle-orm';
import { titled } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { databaseFault, refuseOn } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { covers, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { attach, detach } from '#modules/platform/files/service.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import { deptNames, peopleByName, peopleById } from '#modules/platform/people/service.ts';
import { stampPage, StampInput, type StampChanges } from '../contract/seals.ts';
import { stampRules } from '../contract/oversight.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import {
  deptOutside,
  nameTaken,
  numberTaken,
  samePerson,
  secondNeeded,
  unknownFlow,
  unknownPerson,
  useDeptsUnknown,
  wasUsed,
} from '../contract/seal-refusals.ts';
import { requireDesk } from '../custody/keeper.ts';
import { lockStamps, writeCustody, type StampRow } from '../custody/write.ts';
import { pictureModule } from '../ledger/record.ts';
import { stampDeptTable, stampTable, type OfficeHours } from '../tables/seals.ts';
import { requireStamp } from './visibility.ts';

type Writing = Pick<Context, 'tx' | 'audit'> & { user: Viewer };
const usualHours: OfficeHours = { 1: ['08:30', '11:30'], 2: ['14:00', '17:00'] };

const taken = (name: string, no: string) => (error: unknown) => {
  if (databaseFault(error)?.constraint === 'stamp_number') throw numberTaken(no);
  return refuseOn('stamp_name', () => nameTaken(name))(error);
};

/** People by user names, under the roles they are chosen for; refuses unknown people, and one person in two roles. */
export async function namedFor<K extends string>(
  tx: Db,
  wanted: Record<K, string | null | undefined>,
  titles: Record<K, string>,
): Promise<Record<K, number | null>> {
  const asked = (Object.entries(wanted) as [K, string | null | undefined][]).filter(([, name]) => name);
  const found = await peopleByName(
    tx,
    asked.map(([, name]) => name!),
  );
  const chosen = new Map<number, K>();
  const ids = Object.fromEntries(Object.keys(wanted).map((key) => [key, null])) as Record<K, number | null>;
  for (const [key, name] of asked) {
    const person = found.get(name!);
    if (!person) throw unknownPerson(titles[key], name!);
    const other = chosen.get(person.id);
    if (other) throw samePerson(titles[other], titles[key], person.alias);
    chosen.set(person.id, key);
    ids[key] = person.id;
  }
  return ids;
}
export const partTitles = { keeper: '保管人', backup: '备岗', supervisor: '监印人' } as const;

/** Refuses a seal that needs two people if nobody can be the second. */
export async function requireSecond(
  tx: Db,
  { name, type, backup_id, supervisor_id }: Pick<StampRow, 'name' | 'type' | 'backup_id' | 'supervisor_id'>,
): Promise<void> {
  const { two_person_types } = (await readRules(tx, stampRules)).value;
  if (two_person_types.includes(type) && backup_id === null && supervisor_id === null) throw secondNeeded(name);
}

async function checkPlaces(tx: Db, user: Viewer, code: 'Create' | 'Update', body: StampChanges) {
  if (body.workflow_id && !(await versionToStart(tx, body.workflow_id, 'stamps'))) throw unknownFlow();
  const depts = [...new Set(body.use_depts)];
  if ((await deptNames(tx, depts)).length < depts.length) throw useDeptsUnknown();
  if (body.dept_id && (await deptNames(tx, [body.dept_id])).length === 0) throw deptOutside();
  if (body.dept_id && !covers(scopeOf(user, code, stampPage), { all: false, depts: new Set([body.dept_id]) }))
    throw deptOutside();
}

async function keepBeside(tx: Db, user: Viewer, id: number, body: StampChanges, before?: StampRow) {
  if (body.use_depts) {
    await tx.delete(stampDeptTable).where(eq(stampDeptTable.stamp_id, id));
    const rows = [...new Set(body.use_depts)].map((dept_id) => ({ stamp_id: id, dept_id }));
    if (rows.length > 0) await tx.insert(stampDeptTable).values(rows);
  }
  const held = { module: pictureModule, recordId: `stamp:${id}` };
  if (body.picture && body.picture !== before?.picture_id) await attach(tx, { fileId: body.picture, ...held, user });
  if (body.picture !== undefined && before?.picture_id && body.picture !== before.picture_id)
    await detach(tx, { fileId: before.picture_id, ...held });
}
const searchOf = (row: { name: string; stamp_no: string; place: string }) =>
  searchVector({ codes: [row.stamp_no], texts: [row.name, row.place] });

/** Columns of the sent fields; absent ones stay. */
function columnsOf({ use_depts: _depts, picture, version: _version, office_hours, ...rest }: StampChanges) {
  return {
    ...rest,
    ...(picture === undefined ? {} : { picture_id: picture }),
    ...(office_hours ? { office_hours: office_hours as OfficeHours } : {}),
  };
}

/** Registers a seal, with 启用 as the first event of its chain. */
export async function addStamp({ tx, user, audit }: Writing, body: StampInput) {
  await checkPlaces(tx, user, 'Create', body);
  const { keeper, backup, supervisor, ...facts } = body;
  const parts = await namedFor(tx, { keeper, backup, supervisor }, partTitles);
  await requireDesk(tx, { 保管人: parts.keeper, 备岗: parts.backup });
  const people = { keeper_id: parts.keeper!, backup_id: parts.backup, supervisor_id: parts.supervisor };
  const { name, type, dept_id, stamp_no = '', place = '' } = facts;
  await requireSecond(tx, { name, type, ...people });
  const [row] = await tx
    .insert(stampTable)
    .values({
      ...columnsOf(facts),
      ...people,
      name,
      type,
      dept_id,
      office_hours: (facts.office_hours as OfficeHours | undefined) ?? usualHours,
      picture_id: null,
      search: searchOf({ name, stamp_no, place }),
    })
    .returning()
    .catch(taken(name, stamp_no));
  await keepBeside(tx, user, row!.id, facts);
  if (facts.picture) await tx.update(stampTable).set({ picture_id: facts.picture }).where(eq(stampTable.id, row!.id));
  await writeCustody(tx, {
    stamp_id: row!.id,
    kind: custodyKind.begin,
    to_id: people.keeper_id,
    backup_id: people.backup_id,
    supervisor_id: people.supervisor_id,
    creator_id: user.id,
    reason: '登记启用',
  });
  const names = await peopleById(tx, [people.keeper_id, people.supervisor_id ?? 0]);
  audit({
    type: '印章',
    id: row!.id,
    title: name,
    after: {
      ...titled(StampInput, { ...facts }),
      保管人: names.get(people.keeper_id)!.alias,
      监印人: names.get(people.supervisor_id ?? 0)?.alias ?? '',
    },
  });
  return { id: row!.id };
}

/** Changes the written fields of a seal; keeper and status are not among them. */
export async function changeStamp({ tx, user, audit }: Writing, id: number, body: StampChanges) {
  await requireStamp(tx, user, id, 'Update');
  const [before] = await lockStamps(tx, [id]);
  checkVersion('印章', before!, body.version, { id, name: before!.name, version: before!.version });
  await checkPlaces(tx, user, 'Update', body);
  const columns = columnsOf(body);
  const next = { ...before!, ...columns } as StampRow;
  if (next.type !== before!.type) await requireSecond(tx, next);
  await keepBeside(tx, user, id, body, before);
  await tx
    .update(stampTable)
    .set({ ...columns, search: searchOf(next), ...touched(stampTable) })
    .where(eq(stampTable.id, id))
    .catch(taken(next.name, next.stamp_no));
  const shown = (row: StampRow) => titled(StampInput, { ...row });
  audit({ type: '印章', id, title: next.name, before: shown(before!), after: shown(next) });
  return { id };
}

/** Deletes a seal that was only registered; any other one is destroyed, with witnesses. */
export async function removeStamp({ tx, user, audit }: Writing, id: number) {
  await requireStamp(tx, user, id, 'Delete');
  const [row] = await lockStamps(tx, [id]);
  const { rows } = await tx.execute(sql`
    select from stamp_line where stamp_id = ${id} union all select from stamp_use where stamp_id = ${id}
    union all select from stamp_custody where stamp_id = ${id} and kind <> ${custodyKind.begin} limit 1`);
  if (rows.length > 0) throw wasUsed(row!.name);
  await tx.delete(stampTable).where(eq(stampTable.id, id));
  audit({ type: '印章', id, title: row!.name, before: titled(StampInput, { ...row! }) });
  return { id };
}
