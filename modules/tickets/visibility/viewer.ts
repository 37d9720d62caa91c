import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { standingOf, type Standing } from '#modules/delegations/service.ts';
import { sightOf, type Grants } from '#modules/workflows/service.ts';
import type { categories } from '../contract.ts';
import type { Reader } from './delegation.ts';

export type Category = (typeof categories)[number];
/** A person with what they may look at. */
export interface Looker {
  user: Viewer;
  grants: Grants;
  /** Versions whose tickets everybody may see. */
  open: readonly number[];
  /** Whose tasks the person may decide besides the own. */
  standing: readonly Standing[];
}

export async function lookerOf(tx: Db, user: Viewer): Promise<Looker> {
  const plain = await asIs(tx, user);
  return user.superAdmin ? plain : { ...plain, ...(await sightOf(tx, user)) };
}

/** The same, with grants only where finding the category's tickets, or any ticket, needs them. */
export async function lookerFor(tx: Db, user: Viewer, category: Category | undefined): Promise<Looker> {
  const seesAll = mayListAll(user) && scopeOf(user, 'Retrieve', allPage).all;
  const needs = category === undefined ? !seesAll : category === 'view' || category === 'intervene';
  return needs ? lookerOf(tx, user) : asIs(tx, user);
}

/** A person without grants, where those are not asked for. */
export async function asIs(tx: Db, user: Viewer): Promise<Looker> {
  return { user, grants: new Map(), open: [], standing: await standingOf(tx, user.id) };
}

export const readerOf = ({ user, standing }: Looker): Reader => ({ id: user.id, standing });

/** The page whose Retrieve opens all tickets of a data scope. */
export const allPage = 'ticket/all';
export const mayListAll = (user: Viewer) => holds(user, 'Retrieve', allPage);
