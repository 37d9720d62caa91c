import { sql, type SQL } from 'drizzle-orm';
import type { RowOf } from '#kernel/contract/figures.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { tenths, type Cube, type Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { fileKind, lineState } from '../contract/codes.ts';
import { stampStatistics } from '../contract/oversight.ts';
import { stampNames } from '../seals/list.ts';
import { stampTable } from '../tables/seals.ts';

const ids = (lines: readonly Line[]) => lines.map((line) => Number(line.key));

interface Counted {
  uses: SQL;
  lines: SQL;
}

/** Sealings that count, with their corrections applied. */
const cube = ({ uses }: Counted): Cube => ({
  rows: sql`
    select u.stamp_id, u.dept_id, u.file_kind, to_char(u.sealed_at, 'YYYY-MM') as month, u.after_hours,
      coalesce(c.real_copies, u.real_copies) copies
    from stamp_use u join stamp on stamp.id = u.stamp_id left join stamp_use c on c.corrects_id = u.id
    where u.corrects_id is null and ${uses}`,
  dims: {
    stamp: { column: 'stamp_id', most: 'count', names: (tx, lines) => stampNames(tx, ids(lines)) },
    dept: {
      column: 'dept_id',
      unknown: '未分部门',
      most: 'count',
      names: (tx, lines) => deptNamesById(tx, ids(lines)),
    },
    kind: { column: 'file_kind', most: 'count', names: fileKind.names },
    month: { column: 'month' },
  },
  measures: {
    count: sql`count(*)::int`,
    copies: sql`coalesce(sum(copies), 0)::int`,
    after_hours: sql`(count(*) filter (where after_hours))::int`,
  },
});

/** Outcomes of requested seals: refused, approved and never used, waiting times, time out. */
const outcomes = (lines: SQL, most: number) => sql`
  select stamp.id::text key, stamp.name, (count(*) filter (where l.state = ${inSql(lineState.refused)}))::int refused,
    (count(*) filter (where l.state = ${inSql(lineState.void)}))::int unused,
    ${tenths(sql`avg(extract(epoch from u.sealed_at - a.ready_at) / 86400)`)}::float8 wait_days,
    ${tenths(sql`sum(extract(epoch from coalesce(o.returned_at, now()) - o.out_at) / 86400)`)}::float8 out_days
  from stamp_line l join stamp_application a on a.id = l.application_id join stamp on stamp.id = l.stamp_id
  left join stamp_use u on u.line_id = l.id and u.corrects_id is null left join stamp_loan o on o.line_id = l.id
  where a.ready_at is not null and ${lines} group by stamp.id order by count(*) desc, stamp.id limit ${most + 1}`;

type Outcome = Partial<RowOf<typeof stampStatistics>> & { key: string; name: string; refused: number; unused: number };
const readOutcomes = async (tx: Db, { lines }: Counted, most: number) =>
  (await tx.execute<Outcome>(outcomes(lines, most))).rows;

export const statistics = figuresHandler(stampStatistics, {
  async counted(_tx, user, asked, { start, end }): Promise<Counted> {
    const scope = within(scopeOf(user, 'Retrieve', stampStatistics.page), stampTable.dept_id, sql`false`);
    const seal = asked.stamp ? sql`stamp.id = ${asked.stamp}` : sql`true`;
    const days = (column: SQL) => sql`${column} >= ${start}::date and ${column} < ${end}::date + 1`;
    const dept = (column: SQL) => (asked.dept ? sql`${column} = ${asked.dept}` : sql`true`);
    return {
      uses: sql`${scope} and ${seal} and ${days(sql`u.sealed_at`)} and ${dept(sql`u.dept_id`)}`,
      lines: sql`${scope} and ${seal} and ${days(sql`a.ready_at`)} and ${dept(sql`a.dept_id`)}`,
    };
  },
  cube,
  panels: { outcome: readOutcomes },
  async summary(tx, of, sum) {
    const found = await readOutcomes(tx, of, 1000);
    const all = (part: 'refused' | 'unused') => found.reduce((total, row) => total + row[part], 0);
    const { count = 0, copies = 0, after_hours = 0 } = sum;
    return { count, copies, after_hours, refused: all('refused'), unused: all('unused') };
  },
});
