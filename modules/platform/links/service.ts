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
  /** The page that shows it. */
  page: string;
}
export interface LinkedEvent {
  /** The record it happened to. */
  id: number;
  /** `YYYY-MM-DD HH:mm:ss`. */
  at: string;
  /** Empty if nobody is named. */
  who: string;
  what: string;
}

/** A record's progress, and the person's possible actions. */
export interface Standing {
  /** In words; the step of its workflow, and the names of those it waits for. */
  state: string;
  step: string;
  waits: string;
  may: string[];
}

/** A module whose records may be linked. */
export interface LinkModule {
  /** The name of one of its records. */
  name: string;
  /** Those of some records that a person sees and that may be linked, by id. */
  seen(tx: Db, viewer: Viewer, ids: readonly number[]): Promise<Map<number, Card>>;
  /** Those of some visible records whose links the person may change; by default all. */
  changeable?(tx: Db, viewer: Viewer, ids: readonly number[]): Promise<number[]>;
  /** Returns whether a link to one of its records follows from the record itself: then it is only removed with that. */
  keeps?(tx: Db, link: { from: Ref; to: Ref; type: LinkType }): Promise<boolean>;
  /**
   * Returns whether somebody may state that another record replaces one of its records, because that ends its validity; by default everybody who may
   * link it.
   */
  replaceable?(tx: Db, viewer: Viewer, id: number): Promise<boolean>;
  /** Some of the newest records that a person sees, by words; without words the newest. */
  find(tx: Db, viewer: Viewer, words: string, now: Date): Promise<Card[]>;
  /** The latest events of records visible to the person, at most `most`; without anything that the person may not see there. */
  happened(tx: Db, ids: readonly number[], most: number, viewer: Viewer): Promise<LinkedEvent[]>;
  /** For a record that a ticket decides; null for somebody who may not see its handling. */
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

/** Links two records; returns the id, or null if they are linked already. The caller has checked the rights. */
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

/** Removes the links of a type that lead to a record. */
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
