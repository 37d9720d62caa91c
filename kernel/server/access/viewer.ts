import type { Access, AddressAccess, Call, GrantAccess, PermissionCode, PublicAccess } from '#kernel/contract/call.ts';

/** Which rows a grant reaches: everything, rows of these departments, and (always) what the viewer created. */
export interface Scope {
  all: boolean;
  depts: ReadonlySet<number>;
}
export const ownOnly: Scope = { all: false, depts: new Set() };

/** An application that asks in a person's name, with less than the person's rights. */
export interface Application {
  id: number;
  name: string;
  /** Whether it was given a call. */
  may(call: Call): boolean;
  /** Ids it is kept to, by the module they belong to; of a module that is not named it reaches what the person does. */
  only: Readonly<Record<string, readonly number[]>>;
  /** What the numbers of its records begin with; may be empty. */
  numberPrefix: string;
  /** Whether it may begin records in the name of somebody else. */
  beginsFor(person: Pick<Viewer, 'id' | 'places' | 'roleIds'>): boolean;
}

/** The signed-in person of one request, with the rights that hold now. */
export interface Viewer {
  id: number;
  username: string;
  alias: string;
  /** Main department, then the others. */
  depts: readonly number[];
  /** The same and all above them: by what departments something is for the person. */
  places: readonly number[];
  sessionId: number;
  /** Absent where the person asks. */
  application?: Application;
  superAdmin: boolean;
  mustChangePassword: boolean;
  /** What this session still has to show before it is let in; absent where nothing. */
  secondStep?: 'code' | 'enrol';
  /** By whose rights an administrator sees the product for now, as a sentence names them; nothing is changed meanwhile. */
  seeing?: string;
  roleIds: readonly number[];
  roleCodes: ReadonlySet<string>;
  /** Page component → code → rows it reaches. */
  grants: ReadonlyMap<string, ReadonlyMap<PermissionCode, Scope>>;
  /** Where roles of theirs end: what is left on each of those days, the first day first, and then for good. Absent where all of them last. */
  lasting?: readonly LastingRights[];
}

/** What somebody may do until a day at least, or (null) for good. */
export interface LastingRights extends Pick<Viewer, 'roleIds' | 'roleCodes' | 'grants'> {
  until: string | null;
}

/** The viewer with just the rights that they hold until a day at least, or (null) for good: what somebody gives lasts no longer than what they have. */
export function lastingUntil(viewer: Viewer, day: string | null): Viewer {
  const left = viewer.lasting?.find(({ until }) => until === null || (day !== null && until >= day));
  return left ? { ...viewer, roleIds: left.roleIds, roleCodes: left.roleCodes, grants: left.grants } : viewer;
}

/** Null where strangers may call, or come with a signed address. */
export type ViewerOf<A extends Access> = A extends PublicAccess | AddressAccess ? Viewer | null : Viewer;

export function holds(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): boolean {
  return viewer.superAdmin || pages.some((page) => viewer.grants.get(page)?.has(code));
}

/** Whether a code is enough for what is the whole house's, where that is asked for. */
export const reachesEnough = (viewer: Viewer, { code, pages, whole }: GrantAccess): boolean =>
  !whole || scopeOf(viewer, code, ...pages).all;

/** Whether somebody may call: where no code is asked for, the record's own rule says who. */
export const mayCall = (viewer: Viewer, { access }: Pick<Call, 'access'>): boolean =>
  access.kind !== 'grant' || (holds(viewer, access.code, ...access.pages) && reachesEnough(viewer, access));

/** Union of the scopes of just those grants that give the code on one of the pages. */
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

/** Whether everything the narrow scope reaches the wide one reaches too. */
export function covers(wide: Scope, narrow: Scope): boolean {
  return wide.all || (!narrow.all && [...narrow.depts].every((dept) => wide.depts.has(dept)));
}
