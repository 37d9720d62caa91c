import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { isAmong, within } from '#kernel/server/access/scope.ts';
import { ownOnly, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowsWith } from '#modules/workflow/workflows/service.ts';
import { askedTickets, copiedTickets, dutyTickets, union, workedTickets } from './involved.ts';
import { allPage, mayListAll, type Category, type TicketViewer } from './viewer.ts';
import { ticketTable } from '../tables.ts';

/** An application may be limited to the tickets of some workflows, whatever its person sees. */
export function keptTo({ application }: Viewer): SQL | undefined {
  const only = application?.only['workflows'];
  return only && isAmong(ticketTable.workflow_id, only);
}
const kept = (user: Viewer, condition: SQL | undefined) => {
  const only = keptTo(user);
  return only ? and(condition, only) : condition;
};

/** The condition of the indexes that lists read. */
export const alive = eq(ticketTable.is_deleted, false);
const isOwn = (user: Viewer) => eq(ticketTable.creator_id, user.id);
// A draft is visible to its creator only. The creator's index cannot help here, so the cheap test comes first.
const notDraft = (user: Viewer) => or(ne(ticketTable.act_state, actState.draft), isOwn(user));

// An array is read once, before the tickets: the plan starts from it whatever the planner estimates of its length.
const among = (ids: SQL) => sql`${ticketTable.id} = any(array(${ids}))`;
const inWorkflows = (ids: readonly number[]) => (ids.length > 0 ? isAmong(ticketTable.workflow_id, ids) : sql`false`);

/** Tickets of the workflows a person administers; for a super administrator, of all. */
export const inAdministered = ({ user, grants }: TicketViewer) =>
  user.superAdmin ? undefined : inWorkflows(workflowsWith(grants, 'admin'));

/** Tickets that somebody started, was asked about or got a copy of. */
const isRelated = (viewer: TicketViewer) =>
  or(isOwn(viewer.user), among(union(askedTickets(viewer))), among(copiedTickets(viewer)));
const inScope = (user: Viewer) =>
  mayListAll(user) ? within(scopeOf(user, 'Retrieve', allPage), ticketTable.dept_id, isOwn(user)) : sql`false`;

/**
 * The visibility of tickets, as the one condition behind get, list, count, search, export, badges and the palette: visible to the creator, people
 * asked or copied, viewers of its workflow, and holders of the page of all tickets within its data scope.
 */
export function visibleTo(viewer: TicketViewer): SQL | undefined {
  return kept(viewer.user, seenBy(viewer));
}

/** The same for events, plus deleted tickets that are the person's own, in their scope or in workflows they view. */
export function heardBy(viewer: TicketViewer): SQL | undefined {
  return kept(viewer.user, seenBy(viewer, undefined, sql`true`));
}

/** The same for a ticket already named: its own tasks are searched, not all of the person's. */
export function opensTo(viewer: TicketViewer): SQL | undefined {
  const of = sql`${ticketTable.id}`;
  const related = sql`exists (${union([...askedTickets(viewer, of), copiedTickets(viewer, of)])})`;
  return kept(viewer.user, seenBy(viewer, related));
}

/**
 * The tickets through which somebody also sees their records: those they take part in or whose workflow they are named for. The page of all tickets,
 * and a workflow whose tickets everybody may see, show the tickets alone (decision 0150).
 */
export function opensRecordsTo(viewer: TicketViewer): SQL | undefined {
  const { user, grants } = viewer;
  if (user.superAdmin) return kept(user, and(alive, notDraft(user)));
  const viewed = workflowsWith(grants, 'view');
  return kept(user, and(alive, notDraft(user), or(isRelated(viewer), inWorkflows(viewed))));
}

function seenBy(viewer: TicketViewer, named?: SQL, there: SQL = alive): SQL | undefined {
  const { user, grants } = viewer;
  const scope = mayListAll(user) ? scopeOf(user, 'Retrieve', allPage) : ownOnly;
  if (scope.all) return and(there, notDraft(user));
  const viewed = workflowsWith(grants, 'view');
  const open = viewer.open.length > 0 ? isAmong(ticketTable.version_id, viewer.open) : undefined;
  if (!named && scope.depts.size === 0 && viewed.length === 0)
    return and(there, notDraft(user), or(isRelated(viewer), open));
  // For somebody who sees much the newest tickets are read first, and each is looked up among the person's own.
  const related = named ?? sql`${ticketTable.id} in (${union([...askedTickets(viewer), copiedTickets(viewer)])})`;
  return and(there, notDraft(user), or(isOwn(user), related, inWorkflows(viewed), inScope(user), open));
}

/** The tickets of a category; each category is a part of what `visibleTo` lets a person see. */
export function inCategory(category: Category | undefined, viewer: TicketViewer): SQL | undefined {
  return kept(viewer.user, ofCategory(category, viewer));
}

function ofCategory(category: Category | undefined, viewer: TicketViewer): SQL | undefined {
  const { user, grants } = viewer;
  switch (category) {
    case 'all':
      return and(alive, notDraft(user), inScope(user));
    case 'owner':
      return and(alive, isOwn(user));
    case 'duty':
      return and(alive, among(union(dutyTickets(viewer))));
    case 'worked':
      return and(alive, among(union(workedTickets(viewer))));
    case 'relation':
      return and(alive, isRelated(viewer));
    case 'cc':
      return and(alive, notDraft(user), among(copiedTickets(viewer)));
    case 'view':
      return and(alive, notDraft(user), inWorkflows(workflowsWith(grants, 'view')));
    case 'intervene':
      return and(alive, notDraft(user), inWorkflows(workflowsWith(grants, 'intervene')));
    case undefined:
      return seenBy(viewer);
  }
}

/**
 * Selects of `ticket_id` that together are a category's tickets, some more than once, if these are counted faster than by the equivalent condition of
 * its list. Null if not.
 */
export function countable(category: Category, viewer: TicketViewer): SQL[] | null {
  if (keptTo(viewer.user)) return null;
  switch (category) {
    case 'duty':
      return dutyTickets(viewer);
    case 'worked':
      return workedTickets(viewer);
    case 'relation':
      return [
        sql`select id as ticket_id from ticket where ${alive} and ${isOwn(viewer.user)}`,
        ...askedTickets(viewer),
        sql`select c.ticket_id from ticket_cc c join ticket t on t.id = c.ticket_id and not t.is_deleted
          where c.user_id = ${viewer.user.id}`,
      ];
    default:
      return null;
  }
}
