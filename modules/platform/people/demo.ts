import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Chance } from '#kernel/server/process/chance.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { roleByCode } from '#modules/platform/access/service.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { deptType } from './contract/codes.ts';
import {
  demoDepts,
  demoPeople,
  demoSecretaries,
  demoStandIn,
  givenNames,
  surnames,
  type DemoPerson,
} from './demo-school.ts';
import { peopleByName } from './service.ts';
import { personWithRights, viewerOf } from './service/rights.ts';
import { personWords } from './service/words.ts';
import { deptPersonTable, deptTable, secretaryTable, userDeptTable, userRoleTable, userTable } from './tables.ts';

/** People of the demonstration as viewers, by user name or id, each read once: nobody's rights change while a module is called. */
export function demoViewers(tx: Db): (who: string | number) => Promise<Viewer> {
  const known = new Map<string | number, Viewer>();
  return async (who) => {
    const before = known.get(who);
    if (before) return before;
    const id = typeof who === 'number' ? who : (await peopleByName(tx, [who])).get(who)?.id;
    const person = id === undefined ? null : await personWithRights(tx, id);
    if (!person) throw new Error(`the demonstration school has no ${who}`);
    const viewer = viewerOf(person, 0);
    known.set(who, viewer);
    return viewer;
  };
}

/** A school on an empty organisation: departments, people, heads, leaders in charge, secretaries and roles. */
export async function addDemoSchool(tx: Db, passwordHash: string): Promise<void> {
  const depts = new Map<string, number>();
  for (const [index, dept] of demoDepts.entries()) {
    const [row] = await tx
      .insert(deptTable)
      .values({
        name: dept.name,
        code: dept.code,
        parent_id: dept.parent ? idIn(depts, dept.parent) : null,
        type: dept.type,
        phone: dept.phone,
        order_id: (index + 1) * 10,
        search: searchVector({ texts: [], names: [dept.name], codes: [dept.code] }),
      })
      .returning({ id: deptTable.id });
    if (row) depts.set(dept.code, row.id);
  }
  const people = await insertPeople(tx, demoPeople, depts, passwordHash, 1);
  await tx.insert(deptPersonTable).values(
    demoDepts.flatMap((dept) => {
      const part = (name: 'leader' | 'dept_ld' | 'secretary', username: string | undefined) =>
        username ? [{ dept_id: idIn(depts, dept.code), user_id: idIn(people, username), part: name }] : [];
      return [...part('leader', dept.head), ...part('dept_ld', dept.leader), ...part('secretary', dept.secretary)];
    }),
  );
  await tx.insert(secretaryTable).values(
    demoSecretaries.map(([secretary, leader]) => ({
      secretary_id: idIn(people, secretary),
      leader_id: idIn(people, leader),
    })),
  );
  const role = await roleByCode(tx, demoStandIn.role);
  if (!role) throw new Error(`the demonstration school has no role ${demoStandIn.role}`);
  const until = sql`current_date + ${demoStandIn.days}::int`;
  await tx.insert(userRoleTable).values({ user_id: idIn(people, demoStandIn.username), role_id: role.id, until });
}

/** More staff for the school's departments, for large data sets. `serial` is the first number of their user names. */
export async function addDemoStaff(
  tx: Db,
  count: number,
  serial: number,
  passwordHash: string,
  chance: Chance,
): Promise<void> {
  const rows = await tx.select({ id: deptTable.id, code: deptTable.code }).from(deptTable);
  const depts = new Map(rows.flatMap((row) => (row.code ? [[row.code, row.id] as const] : [])));
  const where = demoDepts.filter((dept) => dept.code !== 'XLD');
  const people = Array.from({ length: count }, (_, index): DemoPerson => {
    const alias =
      chance.pick(surnames) + chance.pick(givenNames) + (chance.happens(0.7) ? chance.pick(givenNames) : '');
    const dept = chance.pick(where);
    const post = dept.type === deptType.school ? chance.pick(['讲师', '副教授', '辅导员', '教务员', '实验员']) : '科员';
    const gender = chance.happens(0.5) ? '男' : '女';
    return {
      username: `jg${String(serial + index).padStart(5, '0')}`,
      alias,
      dept: dept.code,
      post,
      gender,
      roles: ['staff'],
    };
  });
  for (let from = 0; from < people.length; from += 500)
    await insertPeople(tx, people.slice(from, from + 500), depts, passwordHash, serial + from);
}

async function insertPeople(
  tx: Db,
  people: readonly DemoPerson[],
  depts: ReadonlyMap<string, number>,
  password: string,
  serial: number,
): Promise<Map<string, number>> {
  const rows = await tx
    .insert(userTable)
    .values(
      people.map((person, index) => {
        const no = serial + index;
        const phone = `139${String(50_000_000 + no * 37).padStart(8, '0')}`;
        const dept = demoDepts.find((candidate) => candidate.code === person.dept);
        const room = `${dept?.room ?? ''}${String((no % 20) + 1).padStart(2, '0')} 室`;
        const { username, alias, gender, post } = person;
        const row = {
          username,
          alias,
          gender,
          post,
          phone,
          password,
          dept_id: idIn(depts, person.dept),
          email: `${username}@school.example`,
          office_phone: dept?.phone ?? '',
          office_room: room,
          phone_visible: person.roles.includes('xld') ? 3 : 1,
          employ_no: `G${String(2_000_000 + no)}`,
          sort: no * 10,
        };
        return { ...row, ...personWords(row) };
      }),
    )
    .returning({ id: userTable.id, username: userTable.username });
  const ids = new Map(rows.map((row) => [row.username, row.id]));
  const codes = [...new Set(people.flatMap((person) => person.roles))];
  const roles = await tx.select().from(roleTable).where(inArray(roleTable.code, codes));
  const roleIds = new Map(roles.map((role) => [role.code, role.id]));
  const held = people.flatMap((person) =>
    person.roles.map((code) => ({ user_id: idIn(ids, person.username), role_id: idIn(roleIds, code) })),
  );
  await tx.insert(userRoleTable).values(held);
  const beside = people.flatMap((person) =>
    person.beside ? [{ user_id: idIn(ids, person.username), dept_id: idIn(depts, person.beside) }] : [],
  );
  if (beside.length > 0) await tx.insert(userDeptTable).values(beside);
  return ids;
}

function idIn(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demonstration school has no ${name}`);
  return id;
}

/** The number of people who can still sign in with exactly this password hash. */
export async function countWithPassword(tx: Db, passwordHash: string): Promise<number> {
  return tx.$count(
    userTable,
    and(eq(userTable.password, passwordHash), eq(userTable.is_active, true), eq(userTable.is_deleted, false)),
  );
}
