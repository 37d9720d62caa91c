import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { delegationsOf, type Delegation } from '#modules/workflow/delegations/service.ts';
import { visibilityOf, type Grants } from '#modules/workflow/workflows/service.ts';
import type { categories } from '../contract.ts';
import type { Reader } from './delegation.ts';

export type Category = (typeof categories)[number];
/** A person with what they may look at. */
export interface TicketViewer {
  user: Viewer;
  grants: Grants;
  /** Versions whose tickets everybody may see. */
  open: readonly number[];
  /** Whose tasks the person may decide besides the own. */
  delegations: readonly Delegation[];
}

export async function ticketViewerOf(tx: Db, user: Viewer): Promise<TicketViewer> {
  const [plain, sight] = await Promise.all([asIs(tx, user), user.superAdmin ? null : visibilityOf(tx, user)]);
  return { ...plain, ...sight };
}

/** Whether somebody sees tickets whose records they may not see. */
export const seesMore = ({ user, open }: Pick<TicketViewer, 'user' | 'open'>): boolean =>
  !user.superAdmin && (mayListAll(user) || open.length > 0);

/** Whether grants decide which tickets of a category, or which at all, somebody finds. */
function needsGrants(user: Viewer, category: Category | undefined): boolean {
  const seesAll = mayListAll(user) && scopeOf(user, 'Retrieve', allPage).all;
  return category === undefined ? !seesAll : category === 'view' || category === 'intervene';
}

/** The same, with grants only where finding the category's tickets, or what any ticket decides, needs them. */
export async function ticketViewerFor(tx: Db, user: Viewer, category: Category | undefined): Promise<TicketViewer> {
  return needsGrants(user, category) || (category === undefined && !user.superAdmin)
    ? ticketViewerOf(tx, user)
    : asIs(tx, user);
}

/**
 * What is read for such a person, with who they are. Whom they stand in for is asked at once with it, which is nobody for nearly everybody;
 * for whom it is not, it is read anew.
 */
export async function readFor<T>(
  tx: Db,
  user: Viewer,
  category: Category | undefined,
  read: (viewer: TicketViewer) => Promise<T>,
): Promise<[TicketViewer, T]> {
  if (needsGrants(user, category)) {
    const viewer = await ticketViewerOf(tx, user);
    return [viewer, await read(viewer)];
  }
  const alone: TicketViewer = { user, grants: new Map(), open: [], delegations: [] };
  const [delegations, found] = await Promise.all([delegationsOf(tx, user.id), read(alone)]);
  const viewer = { ...alone, delegations };
  return [viewer, delegations.length > 0 ? await read(viewer) : found];
}

/** A person without grants, where those are not asked for. */
export async function asIs(tx: Db, user: Viewer): Promise<TicketViewer> {
  return { user, grants: new Map(), open: [], delegations: await delegationsOf(tx, user.id) };
}

export const readerOf = ({ user, delegations }: TicketViewer): Reader => ({ id: user.id, delegations });

/** The page whose Retrieve opens all tickets of a data scope. */
export const allPage = 'ticket/all';
export const mayListAll = (user: Viewer) => holds(user, 'Retrieve', allPage);
