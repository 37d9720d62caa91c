import { and, asc, eq, getTableName, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { workflowByKey } from '#modules/workflow/workflows/service.ts';
import type { Flow } from './record/definition.ts';

/** One workflow for all records of a module, found by its key. */
export const flowByKey = (key: string, noun: string): Flow<unknown> => ({
  of: (tx) => workflowByKey(tx, key),
  uses: (_tx, flow) => Promise.resolve(flow.key === key ? [noun] : []),
});

type CategoryTable = PgTable &
  Record<'id' | 'name' | 'workflow_id', AnyPgColumn> & {
    parent_id?: AnyPgColumn;
    is_deleted?: AnyPgColumn;
  };

/** Returns the workflow that a record's category names, else that of the nearest category above; null for none. */
export async function workflowOfCategory(tx: Db, table: CategoryTable, category: number): Promise<number | null> {
  const name = sql.identifier(getTableName(table));
  const [found] = await namedRows<{ flow: number }>(
    tx,
    table.parent_id
      ? sql`with recursive up as (
          select parent_id, workflow_id, 1 as level from ${name} where id = ${category}
          union all select c.parent_id, c.workflow_id, level + 1 from ${name} c join up on c.id = up.parent_id)
        select workflow_id flow from up where workflow_id is not null order by level limit 1`
      : sql`select workflow_id flow from ${name} where id = ${category} and workflow_id is not null`,
  );
  return found?.flow ?? null;
}

/** The workflow of a record's category; if the category names none, that of `otherwise`. */
export function flowByCategory<Row>(
  table: CategoryTable,
  category: (row: Row, tx: Db) => number | null | Promise<number | null>,
  otherwise?: Flow<Row>,
  noun = '分类',
): Flow<Row> {
  return {
    async of(tx, row) {
      const id = await category(row, tx);
      const named = id === null ? null : await workflowOfCategory(tx, table, id);
      return named ?? (await otherwise?.of(tx, row)) ?? null;
    },
    async uses(tx, flow) {
      const living: SQL | undefined = table.is_deleted && eq(table.is_deleted, false);
      const rows = await tx
        .select({ name: table.name })
        .from(table as PgTable)
        .where(and(isNotNull(table.workflow_id), eq(table.workflow_id, flow.id), living))
        .orderBy(asc(table.id));
      const named = rows.map(({ name }) => `${noun}“${String(name)}”`);
      return [...((await otherwise?.uses(tx, flow)) ?? []), ...named];
    },
  };
}
