import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { applicationTable } from '../tables/application.ts';

/** The part of a record that can be sealed. Applicants set the number of copies and nothing else. */
export interface Offer {
  /** Includes its number. */
  title: string;
  /** The approved files. */
  files: readonly number[];
  /** The kind of file, one of `fileKind`. */
  kind: number;
  copies: number;
  amount: number | null;
  /** The recipients. */
  parties: readonly string[];
  /** True if the record's own ticket approved it, so that legal is not asked again. */
  approved: boolean;
}
/** One seal put on it. */
export interface Use {
  application_id: number;
  stamp_id: number;
  copies: number;
  at: string;
  /** True if all requested seals are on it. */
  whole: boolean;
}

/** The interface of a module whose records can be sealed. */
export interface Stampable {
  /** The present approved offer; null if nothing was approved, or the record no longer stands. */
  approved(tx: Db, id: number): Promise<Offer | null>;
  /** True if the viewer may apply for its seal now. */
  mayAsk(tx: Db, viewer: Viewer, id: number): Promise<boolean>;
  sealed(tx: Db, id: number, use: Use): Promise<void>;
  /** Called when an application for it was refused, expired or given up. */
  dropped(tx: Db, id: number): Promise<void>;
}
/** By module name. */
export type Stampables = Readonly<Record<string, Stampable>>;

/** The progress of a record's sealing, by its latest application. */
export interface Sealing {
  application_id: number;
  act_state: number;
  /** One of `lineState`. */
  seal_status: number;
  sealed_at: string | null;
}
/** The progress of several records of a module, by id; records without an application are absent. */
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

/** The interface of a module whose records can be sealed, if it has one. */
export function stampable(tx: Db, module: string): Stampable | undefined {
  const known = tx.services.product.stampable;
  return Object.hasOwn(known, module) ? known[module] : undefined;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    stampable: Stampables;
  }
  interface ModuleDefinition {
    /** Records that can be sealed. */
    stampable?: Stampables;
  }
}
