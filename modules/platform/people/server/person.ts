import { and, asc, eq, inArray } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Person, Staff, Whereabouts } from '../contract/lookups.ts';
import { deptNamesById, deptPath, holdersOf, partsOfEach, peopleById, working } from '../service.ts';
import { deptPersonTable, deptTable, secretaryTable, userTable } from '../tables.ts';
import { reaches } from './depts/reach.ts';
import { maskedPhone, mayAskPhone } from './phones.ts';
import { selectUsers } from './users/user-rows.ts';

type Selected = Awaited<ReturnType<typeof selectUsers>>[number];

/** Address book lines for the reply: with a masked number, and their presence. */
export async function staffRows(tx: Db, viewer: Viewer, selected: readonly Selected[]): Promise<Staff[]> {
  const away = await tx.services.product.awayNow(
    tx,
    selected.map((row) => row.id),
  );
  return selected.map((row) => {
    const absence = away.get(row.id);
    const state: Whereabouts['state'] = !absence ? 'here' : absence.wholly ? 'out' : 'delegated';
    const phone = maskedPhone(viewer, row);
    const names = { dept_id: row.dept_id, dept: row.dept_name, phone, phone_masked: phone };
    const whereabouts = { state, stand_ins: absence?.delegates ?? [] };
    return { ...row, ...names, whereabouts, actions: mayAskPhone(viewer, row) ? ['phone'] : [] };
  });
}

/** Somebody's page of the address book. */
export async function personOf(tx: Db, viewer: Viewer, id: number): Promise<Person> {
  const selected = await selectUsers(tx).where(and(working, eq(userTable.id, id)));
  const [row] = await staffRows(tx, viewer, selected);
  if (!row) throw absent('该人员');
  const other = id !== viewer.id;
  const texted = other && reaches(viewer, 'Create', 'sms/send', row) && Boolean(selected[0]?.phone);
  return {
    ...row,
    superiors: await superiorsOf(tx, row),
    places: await placesOf(tx, row),
    duties: await dutiesOf(tx, id),
    actions: [
      ...row.actions,
      ...(other && holds(viewer, 'Create', 'msg/send') ? ['notify'] : []),
      ...(texted ? ['text'] : []),
    ],
  };
}

/** The head of the main department; for the head, its leader in charge; if there is neither, and for that leader, the same for the department above. */
async function superiorsOf(tx: Db, { id, dept_id }: Staff): Promise<Person['superiors']> {
  if (dept_id === null) return [];
  const upwards = (await deptPath(tx, dept_id)).toReversed().map((dept) => dept.id);
  const parts = await partsOfEach(tx, upwards);
  for (const dept of upwards) {
    const [heads, inCharge] = [parts.of(dept, 'leader'), parts.of(dept, 'dept_ld')];
    if (inCharge.includes(id)) continue;
    const over = heads.length > 0 && !heads.includes(id) ? heads : inCharge;
    if (over.length > 0) return [...(await peopleById(tx, over)).values()];
  }
  return [];
}

async function placesOf(tx: Db, { dept_id, depts }: Staff): Promise<Person['places']> {
  const beside = depts.filter((one) => one !== dept_id);
  const names = await deptNamesById(tx, beside);
  const places = beside.map((id) => ({ id, name: names.get(id) ?? '', main: false }));
  if (dept_id === null) return places;
  const path = await deptPath(tx, dept_id);
  return [{ id: dept_id, name: path.map(({ name }) => name).join(' / '), main: true }, ...places];
}

/** Only what look-ups show everybody: heads, leaders in charge, school leaders, and the leaders of a secretary. */
async function dutiesOf(tx: Db, id: number): Promise<Person['duties']> {
  const parts = await tx
    .select({ part: deptPersonTable.part, name: deptTable.name })
    .from(deptPersonTable)
    .innerJoin(deptTable, eq(deptTable.id, deptPersonTable.dept_id))
    .where(and(eq(deptPersonTable.user_id, id), inArray(deptPersonTable.part, ['leader', 'dept_ld'])))
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
  const led = await tx
    .select({ name: userTable.alias })
    .from(secretaryTable)
    .innerJoin(userTable, eq(userTable.id, secretaryTable.leader_id))
    .where(and(eq(secretaryTable.secretary_id, id), working))
    .orderBy(asc(userTable.sort), asc(userTable.id));
  const leads = (await holdersOf(tx, 'xld')).some((one) => one.id === id);
  const named = (part: string) => parts.filter((one) => one.part === part).map(({ name }) => name);
  const duties = [
    { duty: '负责部门', of: named('leader') },
    { duty: '分管部门', of: named('dept_ld') },
    { duty: '服务领导', of: led.map(({ name }) => name) },
  ].filter(({ of }) => of.length > 0);
  return leads ? [{ duty: '校领导', of: [] }, ...duties] : duties;
}
