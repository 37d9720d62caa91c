import { sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Period } from '#kernel/server/list/period.ts';
import type { RowOf } from '#kernel/contract/figures.ts';
import { tenths, type Cube } from '#kernel/server/figures/cube.ts';
import { copyState } from '#modules/office/distributions/contract/list.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { workedHours } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { docKind, docLevel, docType } from '../contract/shapes.ts';
import type { documentStatistics, DocumentStatistics } from '../contract/statistics.ts';
import { keptBack, numberText } from '../numbers/numbers.ts';

type Hours = ReturnType<typeof workedHours>;
type Figure = Partial<RowOf<typeof documentStatistics>> & { key: string; name: string };
export const states = [0, 1, 2, 3, 4, 5, 6] as const;
const mostHandlers = 20;
const rounded = (value: unknown) => Math.round(Number(value ?? 0) * 10) / 10;

/** All counts of the documents themselves. `waits` is the condition of a request without an answer, which counts as open whatever its ticket says. */
export function byContent(counted: SQL, waits: SQL, { table, at }: Hours): Cube {
  const count = (of: SQL) => sql`count(*) filter (where ${of})`;
  return {
    with: table,
    rows: sql`
      select to_char(document.gmt_created, 'YYYY-MM') as month, doc_kind, doc_type, dept_id, level,
        act_state, ${waits} as unanswered, act_state in (${inSql(actState.finished, actState.closed)}) and not ${waits} as over, due_at < coalesce(finished_at, now()) as late,
        case when act_state in (${inSql(actState.finished, actState.closed)}) and not ${waits} then (${at(sql`finished_at`)} - ${at(sql`submitted_at`)}) / 60 end as hours
      from document cross join cal where ${counted}`,
    dims: {
      month: { column: 'month' },
      dept: {
        column: 'dept_id',
        most: 'total',
        unknown: '未分部门',
        names: (tx, lines) =>
          deptNamesById(
            tx,
            lines.map(({ key }) => Number(key)),
          ),
      },
      type: { column: 'doc_type', most: 'total', names: docType.names },
      level: { column: 'level', names: docLevel.names },
    },
    measures: {
      total: sql`count(*)`,
      sent: count(sql`doc_kind = ${inSql(docKind.sending)}`),
      received: count(sql`doc_kind = ${inSql(docKind.receiving)}`),
      finished: count(sql`over`),
      unanswered: count(sql`unanswered`),
      overdue: count(sql`late and not over`),
      late: count(sql`late and over`),
      avg_hours: tenths(sql`avg(hours)`),
      median_hours: tenths(sql`percentile_cont(0.5) within group (order by hours)`),
      ...Object.fromEntries(
        states.map((state) => [`state_${state}`, count(sql`act_state = ${state} and not unanswered`)]),
      ),
    },
  };
}

/** Waiting documents by handler, with the longest time. */
export async function byHandler(tx: Db, counted: SQL, { table, at }: Hours): Promise<Figure[]> {
  const { rows } = await tx.execute<{ key: string; name: string; waiting: number; overdue: number; hours: string }>(sql`
    with ${table}
    select u.id::text as key, u.alias as name, count(distinct document.id)::int as waiting,
      (count(distinct document.id) filter (where document.due_at < now()))::int as overdue,
      max(${at(sql`now()`)} - ${at(sql`k.opened_at`)}) / 60 as hours
    from document join ticket_task k on k.ticket_id = document.ticket_id and k.status = 'todo'
      join app_user u on u.id = k.assignee_id cross join cal
    where ${counted} and document.act_state = ${inSql(actState.ongoing)} group by u.id order by waiting desc, u.id limit ${mostHandlers}`);
  return rows.map(({ hours, ...row }) => ({ ...row, longest_hours: rounded(hours) }));
}

/** Returned drafts by author, with the last three reasons. `shown` limits reasons to documents the person may open. */
export async function byReturn(tx: Db, shown: SQL, most: number): Promise<Figure[]> {
  const { rows } = await tx.execute<{
    key: string;
    name: string;
    returned: number;
    total: number;
    reasons: string[];
  }>(sql`
    select u.id::text as key, u.alias as name, count(*)::int as returned, count(distinct document.id)::int as total,
      (array_agg(l.suggestion order by l.at desc) filter (where l.suggestion <> ''))[1:3] as reasons
    from document join ticket_task k on k.ticket_id = document.ticket_id and k.status in ('refuse', 'returned')
      join app_user u on u.id = document.creator_id
      left join ticket_log l on l.ticket_id = k.ticket_id and l.action = 'handle' and k.no = any(l.task_nos)
    where ${shown} group by u.id order by returned desc, u.id limit ${most + 1}`);
  return rows.map(({ reasons, ...row }) => ({ ...row, note: (reasons ?? []).join('；') }));
}

/** The distributed copies of the documents, and how many were read. */
export async function readingOf(tx: Db, counted: SQL): Promise<DocumentStatistics['summary']['reading']> {
  const { rows } = await tx.execute<{ dist: number; read: number }>(sql`
    select count(*)::int as dist, (count(*) filter (where u.state in (${inSql(copyState.read, copyState.replied)})))::int as read
    from document join document_dist_user u on u.document_id = document.id where ${counted} and u.state <> ${inSql(copyState.recalled)}`);
  const { dist = 0, read = 0 } = rows[0] ?? {};
  return { dist, read_rate: dist === 0 ? 0 : rounded((read * 100) / dist) };
}

/** Missing numbers in the books of a period's years, a line for each book. */
export async function gapsOf(tx: Db, { start, end }: Period, most: number): Promise<Figure[]> {
  const [first, last] = [start, end].map((day) => Number(day.slice(0, 4)));
  const { rows } = await tx.execute<{ agency: string; rule: number; year: number; seqs: number[]; total: number }>(sql`
    select r.agency_code as agency, r.id as rule, b.year, array_agg(n.seq order by n.seq) as seqs, count(*)::int as total
    from (select rule_id, year, max(seq) as last from number_book
      where year between ${first}::int and ${last}::int and not ${keptBack} group by 1, 2) b
    join number_rule r on r.id = b.rule_id
    cross join lateral generate_series(r.start_no, b.last) as n(seq)
    where r.style = 1 and not exists (select from number_book t where t.rule_id = b.rule_id and t.year = b.year and t.seq = n.seq)
    group by r.id, b.year order by b.year desc, r.agency_code limit ${most + 1}`);
  return rows.map(({ agency, rule, year, seqs, total }) => {
    const named = seqs.slice(0, 20).map((seq) => numberText({ agency_code: agency, style: 1 }, year, seq));
    const note = `${named.join('、')}${total > named.length ? ` 等 ${total} 个` : ''}`;
    return { key: `${rule}-${year}`, name: `${agency}〔${year}〕`, total, note };
  });
}
