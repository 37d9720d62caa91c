import { and, eq, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { visibleTo } from '../contract/codes.ts';
import { boardPage, page } from '../contract/schedules.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;
/** Condition: approved, and so on the board. */
export const through = sql`${s.act_state} in (${inSql(actState.finished, actState.finishAsked)})`;
/** Condition: it takes a leader's time, approved or in review. */
export const living = sql`(${s.act_state} in (${inSql(actState.ongoing, actState.finished, actState.finishAsked)}) and ${s.cancelled_at} is null)`;
/** True for users who may do for all leaders what a secretary does for one. */
export const isOffice = (user: Viewer): boolean => holds(user, 'Update', page) && scopeOf(user, 'Update', page).all;
export const reachesAll = (user: Viewer, code: 'chuli' | 'Retrieve'): boolean =>
  holds(user, code, page) && scopeOf(user, code, page).all;

/** Leaders for whom a person acts: themselves, and those whose secretary they are. `person` is SQL. */
export const actsFor = (person: SQL): SQL =>
  sql`(select array_agg(l.id) from (select ${person} as id union all select leader_id from secretary where secretary_id = ${person}) l)::int[]`;
export const sideOf = (person: SQL): SQL =>
  sql`exists (select from leader_attend la where la.schedule_id = ${s.id} and la.leader_id = any(${actsFor(person)}))`;

/**
 * Condition: the user may fully read a schedule. The one condition of board, list, search, count, sheet, page, links, files, feeds and text
 * messages; `busyFor` grants only that a leader is busy.
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
/** Condition: approved and not cancelled, for users who may open the board. */
export const busyFor = (user: Viewer): SQL =>
  holds(user, 'Retrieve', boardPage, page) ? and(through, isNull(s.cancelled_at))! : sql`false`;
/** A subset of `fullFor` for a person known by id alone: the cases that do not depend on permissions. */
export const surelyFor = (person: number): SQL =>
  sql`((${s.visibility} = ${inSql(visibleTo.everybody)} and ${through}) or ${sideOf(sql`${person}::int`)})`;
