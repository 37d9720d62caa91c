import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Application, LastingRights, Viewer } from '#kernel/server/access/viewer.ts';
import { openRoleBook, rightsChanged, type RoleRights } from '#modules/platform/access/service.ts';
import { userType } from '../contract/codes.ts';
import { deptsAround } from '../service.ts';
import { heldRoleView, userDeptTable, userTable } from '../tables.ts';

export interface Person {
  id: number;
  username: string;
  alias: string;
  depts: number[];
  /** The same and all above them. */
  places: number[];
  active: boolean;
  mustChangePassword: boolean;
  sessionVersion: number;
  rights: RoleRights;
  /** The remaining rights after some of the roles end. */
  lasting?: LastingRights[];
}

/** A person with all present rights; null if there is none with that id. */
export async function personWithRights(tx: Db, userId: number): Promise<Person | null> {
  const [user] = await tx
    .select()
    .from(userTable)
    .where(and(eq(userTable.id, userId), eq(userTable.is_deleted, false)));
  if (!user) return null;
  const beside = await tx.select().from(userDeptTable).where(eq(userDeptTable.user_id, userId));
  const depts = [...new Set([...(user.dept_id ? [user.dept_id] : []), ...beside.map((row) => row.dept_id)])];
  const roles = await tx.select().from(heldRoleView).where(eq(heldRoleView.user_id, userId));
  const { above, below } = await deptsAround(tx, depts);
  const book = await openRoleBook(
    tx,
    roles.map((row) => row.role_id),
  );
  const rightsUntil = (day: string | null) => {
    const held = roles.filter(({ until }) => until === null || (day !== null && until >= day));
    return book.rightsOf([...held.map((row) => row.role_id), ...(book.everybody === null ? [] : [book.everybody])], {
      depts,
      deptsBelow: below,
    });
  };
  const ends = [...new Set(roles.flatMap(({ until }) => until ?? []))].toSorted();
  const rights = rightsUntil(ends[0] ?? null);
  const lasting = [...ends, null].map((until): LastingRights => {
    const { ids: roleIds, codes: roleCodes, grants } = rightsUntil(until);
    return { until, roleIds, roleCodes, grants };
  });
  return {
    id: user.id,
    username: user.username,
    alias: user.alias,
    depts,
    places: above,
    active: user.is_active,
    mustChangePassword: user.must_change_pwd,
    sessionVersion: user.session_version,
    rights: user.type_id === userType.superAdmin ? { ...rights, superAdmin: true } : rights,
    ...(ends.length > 0 && { lasting }),
  };
}

/** A person as the viewer, through a session or (with a negative id) an application. */
export function viewerOf(person: Person, sessionId: number, application?: Application): Viewer {
  return {
    ...(application ? { application } : {}),
    id: person.id,
    username: person.username,
    alias: person.alias,
    depts: person.depts,
    places: person.places,
    sessionId,
    superAdmin: person.rights.superAdmin,
    mustChangePassword: person.mustChangePassword,
    roleIds: person.rights.ids,
    roleCodes: person.rights.codes,
    grants: person.rights.grants,
    ...(person.lasting && { lasting: person.lasting }),
  };
}

/** Ends every session of a person: for disabling, password and role changes. */
export async function endSessionsOf(tx: Db, userId: number): Promise<void> {
  await tx
    .update(userTable)
    .set({ session_version: sql`${userTable.session_version} + 1` })
    .where(eq(userTable.id, userId));
  await rightsChanged(tx, userId);
}
