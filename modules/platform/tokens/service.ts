import { and, asc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import type { Call } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { applicationOf } from './identity.ts';
import { appTokenTable } from './tables.ts';

/** The limits and pushes of applications, provided by the module that runs workflows. */
export interface Keeping {
  /** Names of these workflows, of all for `null`, by id; deleted ones are missing. */
  names(tx: Db, ids: readonly number[] | null): Promise<Map<number, string>>;
  /** The call whose rows are pushed to applications with an address. */
  events: Pick<Call, 'method' | 'path'>;
}

/** Removes every application's key after the secret was lost; each needs a new token. Returns how many there were. */
export async function forgetTokenKeys(tx: Db): Promise<number> {
  const { rowCount } = await tx.update(appTokenTable).set({ key: '', status: false }).where(ne(appTokenTable.key, ''));
  return rowCount ?? 0;
}

/** An application that receives events by push, with its viewer. */
export interface Pushed {
  id: number;
  name: string;
  url: string;
  /** Sealed. */
  key: string;
  viewer: Viewer;
}

/** Those with an address, a key and a person to act for. */
export async function pushedApplications(tx: Db): Promise<Pushed[]> {
  const { status, push_url: url, key, expire_at: until, id } = appTokenTable;
  const tokens = await tx
    .select()
    .from(appTokenTable)
    .where(and(eq(status, true), ne(url, ''), ne(key, ''), or(isNull(until), gt(until, sql`now()`))))
    .orderBy(asc(id));
  const found: Pushed[] = [];
  for (const token of tokens) {
    const person = await personWithRights(tx, token.creator_id);
    if (!person?.active) continue;
    const viewer = viewerOf(person, -token.id, applicationOf(token));
    found.push({ id: token.id, name: token.app_name, url: token.push_url, key: token.key, viewer });
  }
  return found;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    keeping: Keeping;
  }
  interface ModuleDefinition {
    /** The limits of applications, provided by one module. */
    keeping?: Keeping;
  }
}
