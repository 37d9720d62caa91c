import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { applicationTable } from '../tables/application.ts';

/** What of a record may be sealed. All but the copies is the record's: whoever applies changes nothing of it. */
export interface Offer {
  /** With its number. */
  title: string;
  /** The files as they were approved. */
  files: readonly number[];
  /** Kind of file, one of `fileKind`. */
  kind: number;
  copies: number;
  amount: number | null;
  /** Whom it is for. */
  parties: readonly string[];
  /** It was approved by its own ticket: no lawyer is asked again. */
  approved: boolean;
}
/** One seal put under it. */
export interface Use {
  application_id: number;
  stamp_id: number;
  copies: number;
  at: string;
  /** Every seal that was asked for stands on it. */
  whole: boolean;
}

/** What a module whose records are sealed says of them, and what it hears. */
export interface Stampable {
  /** What of it was approved, as the record has it now; null where nothing was, or it does not stand any more. */
  approved(tx: Db, id: number): Promise<Offer | null>;
  /** Whether the person may apply for its seal now. */
  mayAsk(tx: Db, viewer: Viewer, id: number): Promise<boolean>;
  sealed(tx: Db, id: number, use: Use): Promise<void>;
  /** An application for it came to nothing: refused, expired, given up. */
  dropped(tx: Db, id: number): Promise<void>;
}
/** By module name. */
export type Stampables = Readonly<Record<string, Stampable>>;

/** How far the sealing of a record has come, by its latest application. */
export interface Sealing {
  application_id: number;
  act_state: number;
  /** One of `lineState`. */
  seal_status: number;
  sealed_at: string | null;
}
/** The same of some records of a module, by their ids; nothing of those for which nobody applied. */
export async function stateFor(tx: Db, module: string, ids: readonly number[]): Promise<Map<number, Sealing>> {
  if (ids.length === 0) return new Map();
  const { id, source_id, act_state, seal_status, sealed_at } = applicationTable;
  const rows = await tx
    .selectDistinctOn([source_id], { source_id, application_id: id, act_state, seal_status, sealed_at })
    .from(applicationTable)
    .where(and(eq(applicationTable.source_module, module), inArray(source_id, [...ids])))
    .orderBy(source_id, desc(id));
  return new Map(rows.map(({ source_id: of, ...sealing }) => [of!, sealing]));
}

/** What a module says of its records that are sealed. */
export function stampable(tx: Db, module: string): Stampable | undefined {
  const known = tx.services.product.stampable;
  return Object.hasOwn(known, module) ? known[module] : undefined;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    stampable: Stampables;
  }
  interface ModuleDefinition {
    /** Records that may be sealed. */
    stampable?: Stampables;
  }
}
