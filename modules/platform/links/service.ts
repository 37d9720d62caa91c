import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { LinkType } from './contract.ts';
import { linkTable } from './tables.ts';

export interface Card {
  id: number;
  title: string;
  sn: string;
  /** In words. */
  state: string;
  /** Where it is shown. */
  page: string;
}
export interface LinkedEvent {
  /** The record it happened to. */
  id: number;
  /** `YYYY-MM-DD HH:mm:ss`. */
  at: string;
  /** Empty where nobody is named. */
  who: string;
  what: string;
}

/** Where a record stands on its way, and what somebody may do with it there. */
export interface Standing {
  /** In words; which step of its workflow that is, and the names of those it waits for. */
  state: string;
  step: string;
  waits: string;
  may: string[];
}

/** A module whose records may be linked. */
export interface LinkModule {
  /** What one of its records is called. */
  name: string;
  /** Those of some records that a person sees and that may be linked, by id. */
  seen(tx: Db, viewer: Viewer, ids: readonly number[]): Promise<Map<number, Card>>;
  /** Those of some records a person sees to which they may add links, and drop them; without it all. */
  changeable?(tx: Db, viewer: Viewer, ids: readonly number[]): Promise<number[]>;
  /** Whether a link to one of its records says what that record itself says: then it goes with that alone. */
  keeps?(tx: Db, link: { from: Ref; to: Ref; type: LinkType }): Promise<boolean>;
  /** Whether somebody may say that another record replaces one of its records, as that ends what it is good for; without it whoever may link it. */
  replaceable?(tx: Db, viewer: Viewer, id: number): Promise<boolean>;
  /** A few of the newest that a person sees, by words; without words the newest. */
  find(tx: Db, viewer: Viewer, words: string, now: Date): Promise<Card[]>;
  /** The newest of what happened to records the person was found to see, at most so many; nothing that goes beyond what they see there. */
  happened(tx: Db, ids: readonly number[], most: number, viewer: Viewer): Promise<LinkedEvent[]>;
  /** Of a record that a ticket decides; null for whoever does not see how it is handled. */
  standing?(tx: Db, viewer: Viewer, id: number): Promise<Standing | null>;
}

/** The modules whose records may be linked. */
export const linkModules = (tx: Db): [string, LinkModule][] => Object.entries(tx.services.product.linked);
export function linkModule(tx: Db, name: string): LinkModule | undefined {
  const { linked } = tx.services.product;
  return Object.hasOwn(linked, name) ? linked[name] : undefined;
}

export interface Ref {
  module: string;
  id: number;
}

/** Links two records; answers the id, or null where they are linked already. The caller has made sure of the rights. */
export async function link(
  tx: Db,
  { from, to, type, userId }: { from: Ref; to: Ref; type: LinkType; userId: number },
): Promise<number | null> {
  const [made] = await tx
    .insert(linkTable)
    .values({
      from_module: from.module,
      from_id: from.id,
      to_module: to.module,
      to_id: to.id,
      type,
      creator_id: userId,
    })
    .onConflictDoNothing()
    .returning({ id: linkTable.id });
  return made?.id ?? null;
}

/** Drops the links of a type that lead to a record. */
export async function unlink(tx: Db, to: Ref, type: LinkType): Promise<void> {
  await tx
    .delete(linkTable)
    .where(and(eq(linkTable.to_module, to.module), eq(linkTable.to_id, to.id), eq(linkTable.type, type)));
}

/** Records of the same module that replace one, the newest last. */
export async function replacing(tx: Db, { module, id }: Ref): Promise<number[]> {
  const { from_module, from_id, to_module, to_id, type } = linkTable;
  const rows = await tx
    .select({ id: from_id })
    .from(linkTable)
    .where(and(eq(to_module, module), eq(to_id, id), eq(from_module, module), eq(type, 'supersede' satisfies LinkType)))
    .orderBy(asc(linkTable.id));
  return rows.map((row) => row.id);
}

declare module '#kernel/server/product.ts' {
  interface Product {
    linked: Readonly<Record<string, LinkModule>>;
  }
  interface ModuleDefinition {
    /** Records that may be linked to each other. */
    linked?: Readonly<Record<string, LinkModule>>;
  }
}
