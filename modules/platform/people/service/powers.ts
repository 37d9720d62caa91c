import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { userTable } from '../tables.ts';

/** The names by which somebody may be found: posts, and codes of roles. */
export interface FoundBy<Names = readonly string[]> {
  posts: Names;
  roles: Names;
}

/** A module's powers that depend on the person, beyond the buttons of their roles. */
export interface Powers {
  /** Those of these posts and roles by which people are found to decide things the viewer may not name people for. */
  decisive?(tx: Db, viewer: Viewer, by: FoundBy): Promise<FoundBy<string[]>>;
  /**
   * Of departments, those whose people decide what the viewer could name nobody for, as people of theirs or of one above, and what those of
   * the departments that somebody `had` do not.
   */
  decisiveDepts?(tx: Db, viewer: Viewer, depts: readonly number[], had: readonly number[]): Promise<number[]>;
  /** Names of the active things that use a role. */
  namesRole?(tx: Db, code: string): Promise<string[]>;
  /**
   * Returns whether somebody is named, personally or in a list, for something the viewer may not name people for. Checked when an account is taken
   * over.
   */
  beyond?(tx: Db, viewer: Viewer, person: number): Promise<boolean>;
  /**
   * Returns whether somebody personally holds a right that the viewer may not grant. Checked when their work is handed over: mere tasks move by their
   * own rules.
   */
  granted?(tx: Db, viewer: Viewer, person: number): Promise<boolean>;
  /** The people somebody acts for, now or later. */
  actsFor?(tx: Db, person: number): Promise<number[]>;
}

/**
 * Those of some posts and roles that let somebody decide things the viewer may not give: the viewer neither has them nor administers what names them.
 * Checked when a post or a role is given, removed or taken over.
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
    /** Its powers that depend on the person, beyond their roles. */
    powers?: Powers;
  }
}
