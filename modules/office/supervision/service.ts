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
  /** Key of `sources`; 其他 unless said. */
  kind?: number;
  dept?: number | null;
  owner?: number | null;
  /** `YYYY-MM-DD HH:mm`. */
  due?: string | null;
}

/**
 * Makes a draft to be supervised of a decision of another module, once for each (module, id, key), however often and from wherever it is
 * asked for; answers the item that is there. The person must see the source, which says so as `linked`.
 */
export function raise(by: By, { source, title, content, kind = superviseSource.other, dept, owner, due }: Raised) {
  const sub =
    owner && due ? [{ title, content: content.slice(0, 4000), owner, due_at: due, ...(dept ? { dept } : {}) }] : [];
  const input = { title, content, source: kind, lead_dept: dept, owner, due_at: due, from: source, subs: sub };
  return create(by, items.create.body!.parse(input) as Parameters<typeof create>[1]);
}

/** What was made of some records: for marks on their own pages. */
export function raisedFrom(tx: Db, module: string, ids: readonly number[]) {
  const { id, sn, status, source_id, source_key, source_module, is_deleted } = superviseTable;
  return tx
    .select({ id, sn, status, source_id, source_key })
    .from(superviseTable)
    .where(and(eq(source_module, module), inArray(source_id, [...ids]), eq(is_deleted, false)));
}
