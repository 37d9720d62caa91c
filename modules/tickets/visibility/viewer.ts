import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { delegationsOf, type Delegation } from '#modules/delegations/service.ts';
import { visibilityOf, type Grants } from '#modules/workflows/service.ts';
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
  const plain = await asIs(tx, user);
  return user.superAdmin ? plain : { ...plain, ...(await visibilityOf(tx, user)) };
}

/** The same, with grants only where finding the category's tickets, or any ticket, needs them. */
export async function ticketViewerFor(tx: Db, user: Viewer, category: Category | undefined): Promise<TicketViewer> {
  const seesAll = mayListAll(user) && scopeOf(user, 'Retrieve', allPage).all;
  const needs = category === undefined ? !seesAll : category === 'view' || category === 'intervene';
  return needs ? ticketViewerOf(tx, user) : asIs(tx, user);
}

/** A person without grants, where those are not asked for. */
export async function asIs(tx: Db, user: Viewer): Promise<TicketViewer> {
  return { user, grants: new Map(), open: [], delegations: await delegationsOf(tx, user.id) };
}

export const readerOf = ({ user, delegations }: TicketViewer): Reader => ({ id: user.id, delegations });

/** The page whose Retrieve opens all tickets of a data scope. */
export const allPage = 'ticket/all';
export const mayListAll = (user: Viewer) => holds(user, 'Retrieve', allPage);
