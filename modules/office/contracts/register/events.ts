import { desc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { registrations, type Registration } from '../contract/codes.ts';
import type { FieldChange } from '../contract/shapes.ts';
import { contractEventTable } from '../tables.ts';

type Registered = Omit<typeof contractEventTable.$inferInsert, 'type'> & { type: Registration };

/** Stores a registration permanently; returns its id. */
export async function registerEvent(tx: Db, registered: Registered): Promise<number> {
  const [row] = await tx.insert(contractEventTable).values(registered).returning({ id: contractEventTable.id });
  return row!.id;
}

/** The changed fields with their titles. */
export const changesOf = (labels: Record<string, string>, before: object, after: object): FieldChange[] =>
  Object.entries(labels).flatMap(([field, label]) => {
    const [was, is] = [
      (before as Record<string, unknown>)[field] ?? null,
      (after as Record<string, unknown>)[field] ?? null,
    ];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, label, before: was, after: is }];
  });

/** All registrations of a contract, newest first. */
export async function registrationsOf(tx: Db, contractId: number, viewer: { id: number }) {
  const rows = await tx
    .select()
    .from(contractEventTable)
    .where(eq(contractEventTable.contract_id, contractId))
    .orderBy(desc(contractEventTable.id))
    .limit(1000);
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.by ?? []),
  );
  const cards = await fileCards(tx, [...new Set(rows.flatMap((row) => row.files))], viewer);
  return rows.map((row) => ({
    ...row,
    type_name: registrations[row.type as Registration] ?? row.type,
    who: row.by === null ? '系统' : (people.get(row.by)?.alias ?? ''),
    files: row.files.flatMap((file) => cards.get(file) ?? []),
  }));
}
