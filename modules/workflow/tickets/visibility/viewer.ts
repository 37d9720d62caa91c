import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { delegationsOf, type Delegation } from '#modules/workflow/delegations/service.ts';
import { visibilityOf, type Grants } from '#modules/workflow/workflows/service.ts';
import type { categories } from '../contract.ts';
import type { Reader } from './delegation.ts';

export type Category = (typeof categories)[number];
/** A person with what they may view. */
export interface TicketViewer {
  user: Viewer;
  grants: Grants;
  /** Versions whose tickets everybody may see. */
  open: readonly number[];
  /** The people whose tasks the person may also decide. */
  delegations: readonly Delegation[];
}

export async function ticketViewerOf(tx: Db, user: Viewer): Promise<TicketViewer> {
  const [plain, sight] = await Promise.all([asIs(tx, user), user.superAdmin ? null : visibilityOf(tx, user)]);
  return { ...plain, ...sight };
}

/** True if somebody may see tickets without their records. */
export const seesMore = ({ user, open }: Pick<TicketViewer, 'user' | 'open'>): boolean =>
  !user.superAdmin && (mayListAll(user) || open.length > 0);

/** True if a person's grants determine which tickets of a category, or of all, they find. */
function needsGrants(user: Viewer, category: Category | undefined): boolean {
  const seesAll = mayListAll(user) && scopeOf(user, 'Retrieve', allPage).all;
  return category === undefined ? !seesAll : category === 'view' || category === 'intervene';
}

/** Like `ticketViewerOf`, with grants only if finding the category's tickets, or their records, needs them. */
export async function ticketViewerFor(tx: Db, user: Viewer, category: Category | undefined): Promise<TicketViewer> {
  return needsGrants(user, category) || (category === undefined && !user.superAdmin)
    ? ticketViewerOf(tx, user)
    : asIs(tx, user);
}

/**
 * Reads something for a ticket viewer. The delegations are fetched at the same time, assuming none, which holds for nearly everybody; for the others
 * it is read again.
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

/** A person without grants, for uses that do not need them. */
export async function asIs(tx: Db, user: Viewer): Promise<TicketViewer> {
  return { user, grants: new Map(), open: [], delegations: await delegationsOf(tx, user.id) };
}

export const readerOf = ({ user, delegations }: TicketViewer): Reader => ({ id: user.id, delegations });

/** The page whose Retrieve opens all tickets of a data scope. */
export const allPage = 'ticket/all';
export const mayListAll = (user: Viewer) => holds(user, 'Retrieve', allPage);
