import { and, eq, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { within } from '#kernel/server/access/scope.ts';
import { matches } from '#kernel/server/list/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { AlumnusFilter } from './contract/filter.ts';
import { alumnusTable } from './tables.ts';

/** The alumni a code reaches on the pages: those entered by one's departments, and by oneself. */
export function alumniWithin(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): SQL {
  return within(scopeOf(viewer, code, ...pages), alumnusTable.dept_id, eq(alumnusTable.creator_id, viewer.id));
}

export function alumniLike(filter: AlumnusFilter): SQL | undefined {
  const { college, major, enter_year, graduate_year, city, degree, search_value = '' } = filter;
  return and(
    college ? eq(alumnusTable.college, college) : undefined,
    major ? eq(alumnusTable.major, major) : undefined,
    enter_year ? eq(alumnusTable.enter_year, enter_year) : undefined,
    graduate_year ? eq(alumnusTable.graduate_year, graduate_year) : undefined,
    city ? eq(alumnusTable.city, city) : undefined,
    degree ? eq(alumnusTable.degree, degree) : undefined,
    matches(alumnusTable.search, search_value),
  );
}
