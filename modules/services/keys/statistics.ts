import { inArray, sql } from 'drizzle-orm';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { keyStatistics, loanStatus } from './contract.ts';
import { overdue } from './record.ts';
import { keyTable, loanTable } from './tables.ts';

const t = loanTable;

/** Counts the loans that were handed out, within the scope of the page. */
export const statistics = figuresHandler(keyStatistics, {
  counted: async (_tx, user, _asked, { start, end }) =>
    sql`${within(scopeOf(user, 'Retrieve', 'key/statistics'), t.dept_id, sql`${t.creator_id} = ${user.id}`)}
      and ${t.taken_at} is not null and ${t.start_date} between ${start} and ${end}`,
  cube: (counted) => ({
    rows: sql`select key_id, to_char(start_date, 'YYYY-MM') as month, status = ${inSql(loanStatus.out)} as out, ${overdue} as overdue
      from ${t} where ${counted}`,
    dims: {
      key: {
        column: 'key_id',
        most: 'loans',
        async names(tx, lines) {
          const ids = lines.map(({ key }) => Number(key));
          const rows = await tx.select().from(keyTable).where(inArray(keyTable.id, ids));
          return new Map(rows.map(({ id, number, place }) => [id, `${number} ${place}`]));
        },
      },
      month: { column: 'month' },
    },
    measures: {
      loans: sql`count(*)`,
      out: sql`count(*) filter (where out)`,
      overdue: sql`count(*) filter (where overdue)`,
    },
  }),
  summary: (_tx, _of, sum) => ({ loans: sum['loans'] ?? 0, out: sum['out'] ?? 0, overdue: sum['overdue'] ?? 0 }),
});
