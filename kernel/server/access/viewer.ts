import type { Access, AddressAccess, Call, GrantAccess, PermissionCode, PublicAccess } from '#kernel/contract/call.ts';

/** The rows that a grant reaches: everything, rows of these departments, and always the viewer's own. */
export interface Scope {
  all: boolean;
  depts: ReadonlySet<number>;
}
export const ownOnly: Scope = { all: false, depts: new Set() };

/** An application that acts in a person's name, with fewer rights than the person. */
export interface Application {
  id: number;
  name: string;
  /** True if the application was granted the call. */
  may(call: Call): boolean;
  /** Ids that the application is limited to, by module; in a module that is not listed it reaches what the person reaches. */
  only: Readonly<Record<string, readonly number[]>>;
  /** The prefix of the numbers of its records; may be empty. */
  numberPrefix: string;
  /** True if it may start records in the name of this person. */
  beginsFor(person: Pick<Viewer, 'id' | 'places' | 'roleIds'>): boolean;
}

/** The signed-in person of one request, with the rights that hold now. */
export interface Viewer {
  id: number;
  username: string;
  alias: string;
  /** Main department, then the others. */
  depts: readonly number[];
  /** These departments and all their parents: the departments by which an audience includes the person. */
  places: readonly number[];
  sessionId: number;
  /** Absent if the person acts directly. */
  application?: Application;
  superAdmin: boolean;
  mustChangePassword: boolean;
  /** The second step that this session still has to pass; absent if none. */
  secondStep?: 'code' | 'enrol';
  /** The role or person whose rights an administrator views the product with, in words; nothing can be changed meanwhile. */
  seeing?: string;
  roleIds: readonly number[];
  roleCodes: ReadonlySet<string>;
  /** Page component → code → rows it reaches. */
  grants: ReadonlyMap<string, ReadonlyMap<PermissionCode, Scope>>;
  /**
   * The rights that remain after roles with an end date expire, one entry for each such date in order, the last one without end. Absent if no role
   * expires.
   */
  lasting?: readonly LastingRights[];
}

/** The rights that a person holds at least until a day, or without end if null. */
export interface LastingRights extends Pick<Viewer, 'roleIds' | 'roleCodes' | 'grants'> {
  until: string | null;
}

/** The viewer with only the rights that last at least until a day, or without end if null: what a person grants lasts no longer than their own rights. */
export function lastingUntil(viewer: Viewer, day: string | null): Viewer {
  const left = viewer.lasting?.find(({ until }) => until === null || (day !== null && until >= day));
  return left ? { ...viewer, roleIds: left.roleIds, roleCodes: left.roleCodes, grants: left.grants } : viewer;
}

/** Null for calls that strangers may use, also by a signed address. */
export type ViewerOf<A extends Access> = A extends PublicAccess | AddressAccess ? Viewer | null : Viewer;

export function holds(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): boolean {
  return viewer.superAdmin || pages.some((page) => viewer.grants.get(page)?.has(code));
}

/** True if the code's scope is enough: a call on data of the whole institution needs a scope over everything. */
export const reachesEnough = (viewer: Viewer, { code, pages, whole }: GrantAccess): boolean =>
  !whole || scopeOf(viewer, code, ...pages).all;

/** True if the person may call; without a required code, the record's own rule decides. */
export const mayCall = (viewer: Viewer, { access }: Pick<Call, 'access'>): boolean =>
  access.kind !== 'grant' || (holds(viewer, access.code, ...access.pages) && reachesEnough(viewer, access));

/** The union of the scopes of only those grants that give the code on one of the pages. */
export function scopeOf(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): Scope {
  if (viewer.superAdmin) return { all: true, depts: new Set() };
  const scopes = pages.flatMap((page) => viewer.grants.get(page)?.get(code) ?? []);
  return joinScopes(scopes);
}

export function joinScopes(scopes: readonly Scope[]): Scope {
  return {
    all: scopes.some((scope) => scope.all),
    depts: new Set(scopes.flatMap((scope) => [...scope.depts])),
  };
}

/** True if the wide scope reaches everything that the narrow one reaches. */
export function covers(wide: Scope, narrow: Scope): boolean {
  return wide.all || (!narrow.all && [...narrow.depts].every((dept) => wide.depts.has(dept)));
}
