import { and, eq, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { visibleTo } from '../contract/codes.ts';
import { boardPage, page } from '../contract/schedules.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;
/** Approved, and so on the board. */
export const through = sql`${s.act_state} in (${inSql(actState.finished, actState.finishAsked)})`;
/** It takes a leader's time: approved, or on its way to be. */
export const living = sql`(${s.act_state} in (${inSql(actState.ongoing, actState.finished, actState.finishAsked)}) and ${s.cancelled_at} is null)`;
/** Whoever may do for all leaders what their secretaries do for one. */
export const isOffice = (user: Viewer): boolean => holds(user, 'Update', page) && scopeOf(user, 'Update', page).all;
export const reachesAll = (user: Viewer, code: 'chuli' | 'Retrieve'): boolean =>
  holds(user, code, page) && scopeOf(user, code, page).all;

/** Leaders for whom a person, a piece of SQL, acts: themselves, and those whose secretary they are. */
export const actsFor = (person: SQL): SQL =>
  sql`(select array_agg(l.id) from (select ${person} as id union all select leader_id from secretary where secretary_id = ${person}) l)::int[]`;
export const sideOf = (person: SQL): SQL =>
  sql`exists (select from leader_attend la where la.schedule_id = ${s.id} and la.leader_id = any(${actsFor(person)}))`;

/**
 * What somebody may know of a schedule, as the one condition of board, list, search, count, sheet, page, links, files, feed and text
 * messages: all of it, or (`busyFor`) no more than that a leader has something at that time.
 */
export function fullFor(user: Viewer): SQL {
  const me = sql`${user.id}::int`;
  const own = eq(s.creator_id, user.id);
  const reached = holds(user, 'Retrieve', page) ? within(scopeOf(user, 'Retrieve', page), s.dept_id, own) : own;
  const told = or(
    reached,
    eq(s.contact_id, user.id),
    sql`${me} = any(${s.escort})`,
    and(eq(s.visibility, visibleTo.everybody), through),
  );
  return or(
    and(eq(s.act_state, actState.draft), own),
    and(ne(s.act_state, actState.draft), or(sideOf(me), and(lt(s.visibility, visibleTo.own), told))),
  )!;
}
/** Of approved ones that take place, for whoever looks at the board at all. */
export const busyFor = (user: Viewer): SQL =>
  holds(user, 'Retrieve', boardPage, page) ? and(through, isNull(s.cancelled_at))! : sql`false`;
/** The same as `fullFor` of whoever is known by their number alone: as much as their rights do not matter for. */
export const surelyFor = (person: number): SQL =>
  sql`((${s.visibility} = ${inSql(visibleTo.everybody)} and ${through}) or ${sideOf(sql`${person}::int`)})`;
