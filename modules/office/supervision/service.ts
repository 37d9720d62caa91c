import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { superviseSource } from './contract/codes.ts';
import { items } from './contract/supervise.ts';
import { Source } from './contract/shapes.ts';
import type { By } from './record/news.ts';
import { create } from './record/write.ts';
import { superviseTable } from './tables.ts';
import type { z } from 'zod';

export type { By };
export interface Raised {
  source: z.input<typeof Source>;
  title: string;
  content: string;
  /** A key of `sources`; 其他 by default. */
  kind?: number;
  dept?: number | null;
  owner?: number | null;
  /** `YYYY-MM-DD HH:mm`. */
  due?: string | null;
}

/**
 * Makes a draft item of a decision of another module, once for each (module, id, key); returns the existing one otherwise. The user must be
 * able to see the source, which its `linked` decides.
 */
export function raise(by: By, { source, title, content, kind = superviseSource.other, dept, owner, due }: Raised) {
  const sub =
    owner && due ? [{ title, content: content.slice(0, 4000), owner, due_at: due, ...(dept ? { dept } : {}) }] : [];
  const input = { title, content, source: kind, lead_dept: dept, owner, due_at: due, from: source, subs: sub };
  return create(by, items.create.body!.parse(input) as Parameters<typeof create>[1]);
}

/** Items made of the given records, for marks on their pages. */
export function raisedFrom(tx: Db, module: string, ids: readonly number[]) {
  const { id, sn, status, source_id, source_key, source_module, is_deleted } = superviseTable;
  return tx
    .select({ id, sn, status, source_id, source_key })
    .from(superviseTable)
    .where(and(eq(source_module, module), inArray(source_id, [...ids]), eq(is_deleted, false)));
}
