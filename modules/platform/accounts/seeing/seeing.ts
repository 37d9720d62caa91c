import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { rightsOfRoles, rolesById, type RoleRights } from '#modules/platform/access/service.ts';
import { deptsAround } from '#modules/platform/people/service.ts';
import { personWithRights } from '#modules/platform/people/service/rights.ts';

/** A role, or a person; at most one. */
export interface Seen {
  seeing_role: number | null;
  seeing_user: number | null;
}
export const isSeeing = ({ seeing_role, seeing_user }: Seen): boolean => seeing_role !== null || seeing_user !== null;

interface Lent {
  /** The name used in sentences. */
  whose: string;
  rights: RoleRights;
  depts: readonly number[];
  places: readonly number[];
}
const nothing: RoleRights = { ids: [], codes: new Set(), superAdmin: false, grants: new Map() };

/** The rights of a role at the viewer's own place, or of a person at theirs; null if missing, or if they may not sign in. */
export async function lentBy(tx: Db, viewer: Viewer, { seeing_role, seeing_user }: Seen): Promise<Lent | null> {
  if (seeing_user !== null) {
    const person = await personWithRights(tx, seeing_user);
    if (!person?.active) return null;
    return { whose: `“${person.alias}”`, rights: person.rights, depts: person.depts, places: person.places };
  }
  const [role] = await rolesById(tx, seeing_role === null ? [] : [seeing_role]);
  if (!role) return null;
  const { depts, places } = viewer;
  const { below } = await deptsAround(tx, depts);
  return {
    whose: `角色“${role.name}”`,
    rights: await rightsOfRoles(tx, [role.id], { depts, deptsBelow: below }),
    depts,
    places,
  };
}

const offices = ['system/user', 'system/role', 'system/log', 'system/sign_in', 'system/online'];
/** True if somebody administers the system or the organisation, or reads the log: separate offices under level protection. */
export const holdsOffice = ({ superAdmin, grants }: RoleRights): boolean =>
  superAdmin || offices.some((page) => grants.has(page));

/**
 * The viewer with another's rights: their identity stays, so that nobody's messages, to-dos or drafts are opened. Computed whenever the session is
 * read: somebody who may not do this any more has no rights until they end it.
 */
export async function seenBy(tx: Db, viewer: Viewer, seen: Seen, apart: boolean): Promise<Viewer> {
  const lent = viewer.superAdmin ? await lentBy(tx, viewer, seen) : null;
  const whose = lent?.whose ?? '他人';
  const { rights, depts, places } =
    lent && !(apart && holdsOffice(lent.rights)) ? lent : { ...viewer, rights: nothing };
  return {
    ...viewer,
    seeing: whose,
    depts,
    places,
    superAdmin: rights.superAdmin,
    roleIds: rights.ids,
    roleCodes: rights.codes,
    grants: rights.grants,
    lasting: undefined,
  };
}
