import pg from 'pg';
import type { Db } from './db.ts';

interface Kept {
  drop: string;
  restore: string;
}

/**
 * Runs the work while the named tables have no foreign keys and no indexes but their keys, then creates them again: many times faster for very many
 * rows. Everything happens in the caller's transaction, so that a failure leaves the tables as they were; others wait meanwhile.
 */
export async function withoutIndexes<T>(tx: Db, tables: readonly string[], work: () => Promise<T>): Promise<T> {
  const { $client: client } = tx;
  const keys = await client.query<{ name: string; owner: string; text: string }>(
    `select conname as name, conrelid::regclass::text as owner, pg_get_constraintdef(oid) as text
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by oid`,
    [tables],
  );
  const indexes = await client.query<{ name: string; text: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
     from pg_index i where i.indrelid = any($1::regclass[])
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by i.indexrelid`,
    [tables],
  );
  const kept: Kept[] = [
    ...keys.rows.map(({ name, owner, text }) => {
      const constraint = pg.escapeIdentifier(name);
      return {
        drop: `alter table ${owner} drop constraint ${constraint}`,
        restore: `alter table ${owner} add constraint ${constraint} ${text}`,
      };
    }),
    ...indexes.rows.map(({ name, text }) => ({ drop: `drop index ${name}`, restore: text })),
  ];
  for (const { drop } of kept) await client.query(drop);
  const result = await work();
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const { restore } of kept.toReversed()) await client.query(restore);
  return result;
}
