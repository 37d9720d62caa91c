import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { redheadTable } from './tables.ts';

export interface Head {
  id: number;
  orgLine: string;
  print_org: string;
  colour: string;
  line: number;
}

const { id, org_line: orgLine, print_org, colour, line_style: line } = redheadTable;
const alive = eq(redheadTable.is_deleted, false);
const inUse = and(alive, eq(redheadTable.status, onOff.on));

/** True if a template may be chosen. */
export async function usableLetterhead(tx: Db, wanted: number): Promise<boolean> {
  return (await tx.$count(redheadTable, and(inUse, eq(id, wanted)))) > 0;
}

/** The name of a template, even a deleted one; null if it never existed. */
export async function letterheadName(tx: Db, wanted: number): Promise<string | null> {
  const [row] = await tx.select({ name: redheadTable.name }).from(redheadTable).where(eq(id, wanted));
  return row?.name ?? null;
}

/**
 * A document's letterhead: the chosen template, even if it was switched off or deleted since; else one for its type, else the default. Null if there
 * is none.
 */
export async function headFor(
  tx: Db,
  { chosen, docType }: { chosen: number | null; docType: number },
): Promise<Head | null> {
  const columns = { id, orgLine, print_org, colour, line };
  if (chosen !== null) {
    const [row] = await tx.select(columns).from(redheadTable).where(eq(id, chosen));
    if (row) return row;
  }
  const [row] = await tx
    .select(columns)
    .from(redheadTable)
    .where(and(inUse, sql`(${redheadTable.is_default} or ${docType} = any(${redheadTable.doc_types}))`))
    .orderBy(desc(sql`${docType} = any(${redheadTable.doc_types})`), asc(id))
    .limit(1);
  return row ?? null;
}
