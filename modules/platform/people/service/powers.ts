import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { userTable } from '../tables.ts';

/** By what somebody may be found: posts as they are called, and codes of roles. */
export interface FoundBy<Names = readonly string[]> {
  posts: Names;
  roles: Names;
}

/** What of a module goes by who somebody is, beyond the buttons of their roles. */
export interface Powers {
  /** Of these posts and roles, those by which people are found to decide what the viewer could name nobody for. */
  decisive?(tx: Db, viewer: Viewer, by: FoundBy): Promise<FoundBy<string[]>>;
  /**
   * Of departments, those whose people decide what the viewer could name nobody for, as people of theirs or of one above, and what those of
   * the departments that somebody `had` do not.
   */
  decisiveDepts?(tx: Db, viewer: Viewer, depts: readonly number[], had: readonly number[]): Promise<number[]>;
  /** What in force names a role, as it is called. */
  namesRole?(tx: Db, code: string): Promise<string[]>;
  /** Whether somebody is named, by name or in a list, for what the viewer could name nobody for. Whoever takes over an account asks this. */
  beyond?(tx: Db, viewer: Viewer, person: number): Promise<boolean>;
  /**
   * Whether somebody holds by name a right that the viewer could give nobody. Whoever hands over their work asks this: what they are only asked
   * to decide moves by the rules of each task.
   */
  granted?(tx: Db, viewer: Viewer, person: number): Promise<boolean>;
  /** For whom somebody acts, now or later. */
  actsFor?(tx: Db, person: number): Promise<number[]>;
}

/**
 * Of posts and roles, those that let somebody decide what the viewer may not give: they neither have them themselves nor administer what
 * names them. Whoever gives, takes or takes over a post or a role asks this.
 */
export async function decisiveAmong(
  tx: Db,
  viewer: Viewer,
  { posts = [], roles = [] }: Partial<FoundBy>,
): Promise<FoundBy<ReadonlySet<string>>> {
  const found = { posts: new Set<string>(), roles: new Set<string>() };
  if (viewer.superAdmin) return found;
  const [own] = posts.some(Boolean)
    ? await tx.select({ post: userTable.post }).from(userTable).where(eq(userTable.id, viewer.id))
    : [];
  const asked = {
    posts: posts.filter((post) => post !== '' && post !== own?.post),
    roles: roles.filter((role) => !viewer.roleCodes.has(role)),
  };
  if (asked.posts.length + asked.roles.length === 0) return found;
  for (const { decisive } of tx.services.product.powers) {
    const some = await decisive?.(tx, viewer, asked);
    some?.posts.forEach((post) => found.posts.add(post));
    some?.roles.forEach((role) => found.roles.add(role));
  }
  return found;
}

/** Of departments, those that somebody is not put into, nor taken over in, by a viewer: their people decide what the viewer may not give. */
export async function decisiveDepts(
  tx: Db,
  viewer: Viewer,
  depts: readonly number[],
  had: readonly number[] = [],
): Promise<number[]> {
  if (viewer.superAdmin || depts.length === 0) return [];
  const found: number[] = [];
  for (const { decisiveDepts: among } of tx.services.product.powers)
    found.push(...((await among?.(tx, viewer, depts, had)) ?? []));
  return found;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    powers: readonly Powers[];
  }
  interface ModuleDefinition {
    /** What of it goes by who somebody is, beyond their roles. */
    powers?: Powers;
  }
}
