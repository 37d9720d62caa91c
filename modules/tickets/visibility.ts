import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { isAmong, within } from '#kernel/server/scope.ts';
import { holds, ownOnly, scopeOf, type Viewer } from '#kernel/server/viewer.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { sightOf, workflowsWith, type Grants } from '#modules/workflows/service.ts';
import type { categories } from './contract.ts';
import { ticketTable } from './tables.ts';

export type Category = (typeof categories)[number];
/** A person with what they may look at. */
export interface Looker {
  user: Viewer;
  grants: Grants;
  /** Versions whose tickets everybody may see. */
  open: readonly number[];
}

export async function lookerOf(tx: Db, user: Viewer): Promise<Looker> {
  if (user.superAdmin) return asIs(user);
  return { user, ...(await sightOf(tx, user)) };
}

/** The same, with grants only where finding the category's tickets, or any ticket, needs them. */
export async function lookerFor(tx: Db, user: Viewer, category: Category | undefined): Promise<Looker> {
  const seesAll = mayListAll(user) && scopeOf(user, 'Retrieve', allPage).all;
  const needs = category === undefined ? !seesAll : category === 'view' || category === 'intervene';
  return needs ? lookerOf(tx, user) : asIs(user);
}

/** A person without grants, where those are not asked for. */
export const asIs = (user: Viewer): Looker => ({ user, grants: new Map(), open: [] });

/** The page whose Retrieve opens all tickets of a data scope. */
const allPage = 'ticket/all';
export const mayListAll = (user: Viewer) => holds(user, 'Retrieve', allPage);

/** The condition of the indexes that lists read. */
export const alive = eq(ticketTable.is_deleted, false);
const isOwn = (user: Viewer) => eq(ticketTable.creator_id, user.id);
// A draft is its creator's alone. The creator's index cannot help here, so the cheap test stands first.
const notDraft = (user: Viewer) => or(ne(ticketTable.act_state, actState.draft), isOwn(user));

const tasksOf = (user: Viewer, statuses: SQL) =>
  sql`select ticket_id from ticket_task where assignee_id = ${user.id} and ${statuses}`;
const copiesOf = (user: Viewer) => sql`select ticket_id from ticket_cc where user_id = ${user.id}`;
// An array is read once, before the tickets: the plan starts from it whatever the planner believes about its length.
const among = (ids: SQL) => sql`${ticketTable.id} = any(array(${ids}))`;
const inWorkflows = (ids: readonly number[]) => (ids.length > 0 ? isAmong(ticketTable.workflow_id, ids) : sql`false`);

const todo = sql`status = 'todo'`;
const decided = sql`status in ('agree', 'refuse', 'other', 'returned', 'transferred')`;
// Who waits for an answer was asked already; who waits for the turn to come was not.
const asked = sql`(status not in ('waiting', 'skipped') or status = 'waiting' and exists (
  select from ticket_task a where a.ticket_id = ticket_task.ticket_id and a.origin_no = ticket_task.no and a.answers))`;

/** What somebody started, was asked about or was copied on. */
const isRelated = (user: Viewer) => or(isOwn(user), among(tasksOf(user, asked)), among(copiesOf(user)));
const inScope = (user: Viewer) =>
  mayListAll(user) ? within(scopeOf(user, 'Retrieve', allPage), ticketTable.dept_id, isOwn(user)) : sql`false`;

/**
 * Who may see a ticket, as the one condition behind get, list, count, search, export, badges and the palette: its creator, whoever
 * was asked or copied, who may view its workflow, and whoever holds the page of all tickets within its data scope.
 */
export function visibleTo(looker: Looker): SQL | undefined {
  const { user, grants } = looker;
  const scope = mayListAll(user) ? scopeOf(user, 'Retrieve', allPage) : ownOnly;
  if (scope.all) return and(alive, notDraft(user));
  const viewed = workflowsWith(grants, 'view');
  const open = looker.open.length > 0 ? isAmong(ticketTable.version_id, looker.open) : undefined;
  if (scope.depts.size === 0 && viewed.length === 0) return and(alive, notDraft(user), or(isRelated(user), open));
  // Who sees much is served from the newest tickets down: there each one is looked up among the own.
  const related = sql`${ticketTable.id} in (${tasksOf(user, asked)} union all ${copiesOf(user)})`;
  return and(alive, notDraft(user), or(isOwn(user), related, inWorkflows(viewed), inScope(user), open));
}

/** The tickets of a category; each is a part of what `visibleTo` lets a person see. */
export function inCategory(category: Category | undefined, looker: Looker): SQL | undefined {
  const { user, grants } = looker;
  switch (category) {
    case 'all':
      return and(alive, notDraft(user), inScope(user));
    case 'owner':
      return and(alive, isOwn(user));
    case 'duty':
      return and(alive, among(tasksOf(user, todo)));
    case 'worked':
      return and(alive, among(tasksOf(user, decided)));
    case 'relation':
      return and(alive, isRelated(user));
    case 'cc':
      return and(alive, notDraft(user), among(copiesOf(user)));
    case 'view':
      return and(alive, notDraft(user), inWorkflows(workflowsWith(grants, 'view')));
    case 'intervene':
      return and(alive, notDraft(user), inWorkflows(workflowsWith(grants, 'intervene')));
    case undefined:
      return visibleTo(looker);
  }
}
