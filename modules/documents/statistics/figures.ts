import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Period } from '#kernel/server/list/period.ts';
import { workedHours } from '#modules/tickets/service.ts';
import { docTypes, levels } from '../contract/shapes.ts';
import type { DocumentFigure, DocumentStatistics } from '../contract/statistics.ts';
import { numberText } from '../numbers/numbers.ts';

type Hours = ReturnType<typeof workedHours>;
/** Most lines of one table, and people for whom most waits. */
export const max = 500;
const mostHandlers = 20;

const none: Omit<DocumentFigure, 'key' | 'name'> = {
  total: 0,
  sent: 0,
  received: 0,
  finished: 0,
  overdue: 0,
  late: 0,
  avg_hours: 0,
  waiting: 0,
  longest_hours: 0,
  returned: 0,
  note: '',
};
const tenths = (value: unknown) => Math.round(Number(value ?? 0) * 10) / 10;
const line = (key: string, name: string, some: Partial<typeof none>): DocumentFigure => ({
  ...none,
  ...some,
  key,
  name,
});

interface Grouped extends Record<string, unknown> {
  by: string;
  key: string;
  name: string | null;
  total: number;
  sent: number;
  received: number;
  finished: number;
  overdue: number;
  late: number;
  mean: string | null;
  median: string | null;
}
export type ByContent = Pick<DocumentStatistics, 'summary' | 'by_month' | 'by_type' | 'by_dept' | 'by_level'>;

/** Everything that is counted of the documents themselves, in one statement. */
export async function byContent(tx: Db, counted: SQL, { table, at }: Hours): Promise<ByContent> {
  const { rows } = await tx.execute<Grouped>(sql`
    with ${table}, doc as (
      select to_char(document.gmt_created, 'YYYY-MM') as month, doc_kind, doc_type, dept_id, level, act_state,
        act_state in (4, 5) as over, due_at < coalesce(finished_at, now()) as late,
        case when act_state in (4, 5) then (${at(sql`finished_at`)} - ${at(sql`submitted_at`)}) / 60 end as hours
      from document cross join cal where ${counted})
    select case grouping(month, doc_type, doc.dept_id, level, act_state)
        when 15 then 'month' when 23 then 'type' when 27 then 'dept' when 29 then 'level' when 30 then 'state' else 'all' end as by,
      coalesce(month, doc_type::text, doc.dept_id::text, level::text, act_state::text, '0') as key,
      (select d.name from dept d where d.id = doc.dept_id) as name, count(*)::int as total,
      (count(*) filter (where doc_kind = 1))::int as sent, (count(*) filter (where doc_kind = 2))::int as received,
      (count(*) filter (where over))::int as finished, (count(*) filter (where late and not over))::int as overdue,
      (count(*) filter (where late and over))::int as late,
      avg(hours) as mean, percentile_cont(0.5) within group (order by hours) as median
    from doc group by grouping sets ((month), (doc_type), (doc.dept_id), (level), (act_state), ()) order by key`);
  const of = (by: string, nameOf: (row: Grouped) => string) =>
    rows
      .filter((row) => row.by === by)
      .map(({ key, total, sent, received, finished, overdue, late, mean, ...row }) =>
        line(key, nameOf({ ...row, key } as Grouped), {
          total,
          sent,
          received,
          finished,
          overdue,
          late,
          avg_hours: tenths(mean),
        }),
      );
  const largest = (figures: DocumentFigure[]) => figures.toSorted((a, b) => b.total - a.total);
  const all = rows.find((row) => row.by === 'all');
  const states = Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((state) => [String(state), 0]));
  for (const row of rows) if (row.by === 'state') states[row.key] = row.total;
  return {
    summary: {
      total: all?.total ?? 0,
      by_act_state: states,
      overdue: all?.overdue ?? 0,
      late: all?.late ?? 0,
      avg_hours: tenths(all?.mean),
      median_hours: tenths(all?.median),
    },
    by_month: of('month', (row) => row.key),
    by_type: largest(of('type', (row) => docTypes[Number(row.key)] ?? '')),
    by_dept: largest(of('dept', (row) => row.name ?? '未分部门')),
    by_level: of('level', (row) => levels[Number(row.key) as 0]),
  };
}

/** Who holds what, and for how long. */
export async function byHandler(tx: Db, counted: SQL, { table, at }: Hours): Promise<DocumentFigure[]> {
  const { rows } = await tx.execute<{ key: string; name: string; waiting: number; overdue: number; hours: string }>(sql`
    with ${table}
    select u.id::text as key, u.alias as name, count(distinct document.id)::int as waiting,
      (count(distinct document.id) filter (where document.due_at < now()))::int as overdue,
      max(${at(sql`now()`)} - ${at(sql`k.opened_at`)}) / 60 as hours
    from document join ticket_task k on k.ticket_id = document.ticket_id and k.status = 'todo'
      join app_user u on u.id = k.assignee_id cross join cal
    where ${counted} and document.act_state = 1 group by u.id order by waiting desc, u.id limit ${mostHandlers}`);
  return rows.map(({ key, name, waiting, overdue, hours }) =>
    line(key, name, { waiting, overdue, longest_hours: tenths(hours) }),
  );
}

/** Whose drafts came back how often, with the last three reasons. `shown`: reasons are told of what the person may open. */
export async function byReturn(tx: Db, shown: SQL): Promise<DocumentFigure[]> {
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
    where ${shown} group by u.id order by returned desc, u.id limit ${max + 1}`);
  return rows.map(({ key, name, returned, total, reasons }) =>
    line(key, name, { returned, total, note: (reasons ?? []).join('；') }),
  );
}

/** Copies of the documents that were given out, and how many of them were read. */
export async function readingOf(tx: Db, counted: SQL): Promise<DocumentStatistics['reading']> {
  const { rows } = await tx.execute<{ dist: number; read: number }>(sql`
    select count(*)::int as dist, (count(*) filter (where u.state in (1, 2)))::int as read
    from document join document_dist_user u on u.document_id = document.id where ${counted} and u.state <> 3`);
  const { dist = 0, read = 0 } = rows[0] ?? {};
  return { dist, read_rate: dist === 0 ? 0 : tenths((read * 100) / dist) };
}

/** Numbers that are missing in the books of the years of a period, a line a book. */
export async function gapsOf(tx: Db, { start, end }: Period): Promise<DocumentFigure[]> {
  const [first, last] = [start, end].map((day) => Number(day.slice(0, 4)));
  const { rows } = await tx.execute<{ agency: string; rule: number; year: number; seqs: number[]; total: number }>(sql`
    select r.agency_code as agency, r.id as rule, b.year, array_agg(n.seq order by n.seq) as seqs, count(*)::int as total
    from (select rule_id, year, max(seq) as last from number_book
      where year between ${first}::int and ${last}::int group by 1, 2) b
    join number_rule r on r.id = b.rule_id
    cross join lateral generate_series(r.start_no, b.last) as n(seq)
    where not exists (select from number_book t where t.rule_id = b.rule_id and t.year = b.year and t.seq = n.seq)
    group by r.id, b.year order by b.year desc, r.agency_code limit ${max + 1}`);
  return rows.map(({ agency, rule, year, seqs, total }) => {
    const named = seqs.slice(0, 20).map((seq) => numberText(agency, year, seq));
    const note = `${named.join('、')}${total > named.length ? ` 等 ${total} 个` : ''}`;
    return line(`${rule}-${year}`, `${agency}〔${year}〕`, { total, note });
  });
}
