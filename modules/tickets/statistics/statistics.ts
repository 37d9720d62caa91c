import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOfRead } from '#kernel/server/list/paging.ts';
import { periodOf, type Period } from '#kernel/server/list/period.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf } from '#modules/calendars/service.ts';
import { deptsBelow, peopleById } from '#modules/people/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { versionsById } from '#modules/workflows/service.ts';
import { ticketStatistics, type Figures, type StatisticsRow } from '../contract/statistics.ts';
import { workedHours } from './worked-hours.ts';
import { ticketTable } from '../tables.ts';
import { keptTo } from '../visibility/visibility.ts';

type Asked = QueryOf<typeof ticketStatistics.statistics>;
type By = Asked['by'] | 'all';

export const statisticsModule = implement('ticket', ticketStatistics, {
  async statistics({ query }, { tx, user, now }) {
    const period = periodOf(query, now);
    const { rows, summary } = await figures(tx, user, query, period);
    return { ...pageOfRows(query, rows), ...period, summary };
  },
});

/** Most rows one table of figures has. */
const mostRows = 1000;
const none: Figures = {
  started: 0,
  finished: 0,
  decided: 0,
  wait_hours: 0,
  work_hours: 0,
  returned: 0,
  return_rate: 0,
  overdue: 0,
  open: 0,
  open_overdue: 0,
};

/** The tickets somebody may count: the page's scope, and the filters. Drafts and deleted ones never. */
async function counted(tx: Db, user: Viewer, { workflow_id, dept }: Asked): Promise<SQL | undefined> {
  const scope = scopeOf(user, 'Retrieve', 'ticket/statistics');
  return and(
    eq(ticketTable.is_deleted, false),
    ne(ticketTable.act_state, actState.draft),
    within(scope, ticketTable.dept_id, eq(ticketTable.creator_id, user.id)),
    keptTo(user),
    workflow_id ? eq(ticketTable.workflow_id, workflow_id) : undefined,
    dept ? inArray(ticketTable.dept_id, await deptsBelow(tx, [dept])) : undefined,
  );
}

/** One page of figures that were counted already. */
function pageOfRows(asked: Asked, rows: readonly StatisticsRow[]) {
  const { order_by, desc } = asked;
  const by = (a: StatisticsRow, b: StatisticsRow) => (order_by ? a[order_by] - b[order_by] : a.key < b.key ? -1 : 1);
  const sorted = rows.toSorted((a, b) => (desc ? by(b, a) : by(a, b)));
  return pageOfRead(asked, sorted, mostRows);
}

interface Found extends Omit<Figures, 'started' | 'finished' | 'return_rate'> {
  key: string;
  workflow_id: number;
  state_id: number;
  version_id: number;
  person: number;
}

/** Figures of tasks by state, person or month, and their sum. */
async function figures(
  tx: Db,
  user: Viewer,
  asked: Asked,
  period: Period,
): Promise<{ rows: StatisticsRow[]; summary: Figures }> {
  const tickets = await counted(tx, user, asked);
  const hours = workedHours(await calendarOf(tx), period);
  const found = await tasksBy(tx, asked.by, tickets, period, hours);
  const [sum] = await tasksBy(tx, 'all', tickets, period, hours);
  const moved = await movedBy(tx, tickets, period);
  const total = (of: 'started' | 'finished') => [...moved.values()].reduce((all, month) => all + month[of], 0);
  const summary = { ...none, ...figuresOf(sum), started: total('started'), finished: total('finished') };
  const names = await namesOf(tx, asked.by, found);
  const rows = found.map((row) => ({ ...none, ...figuresOf(row), key: row.key, name: names.get(row.key) ?? row.key }));
  if (asked.by !== 'month') return { rows, summary };
  for (const key of moved.keys()) if (!rows.some((row) => row.key === key)) rows.push({ ...none, key, name: key });
  return { rows: rows.map((row) => ({ ...row, ...moved.get(row.key) })), summary };
}

function figuresOf(row: Found | undefined): Partial<Figures> {
  if (!row) return {};
  const { decided, wait_hours, work_hours, returned, overdue, open, open_overdue } = row;
  const rate = decided > 0 ? Math.round((returned / decided) * 1000) / 10 : 0;
  return { decided, wait_hours, work_hours, returned, return_rate: rate, overdue, open, open_overdue };
}

const keys: Record<By, SQL> = {
  state: sql`workflow_id || '-' || state_id`,
  person: sql`person::text`,
  month: sql`to_char(decided_at, 'YYYY-MM')`,
  all: sql`'all'`,
};

async function tasksBy(
  tx: Db,
  by: By,
  tickets: SQL | undefined,
  { start, end }: Period,
  { table, at }: ReturnType<typeof workedHours>,
): Promise<Found[]> {
  const columns = sql`ticket.workflow_id, ticket.version_id, w.state_id, coalesce(w.agent_id, w.assignee_id) as person,
    ticket.id as ticket_id, w.assignee_id = ticket.creator_id as own, coalesce(ticket.due_at < now(), false) as late, w.status, w.opened_at, coalesce(w.first_read_at, w.opened_at) as read_at, w.decided_at, w.due_at`;
  const from = sql`from ticket_task w join ticket on ticket.id = w.ticket_id where ${tickets}`;
  const { rows } = await tx.execute<Record<keyof Found, string>>(sql`
    with ${table}, task as (
      -- What people do with their own tickets (filling in, confirming) is no work of an office.
      select ${columns} ${from} and w.assignee_id <> ticket.creator_id and w.status in ('agree', 'refuse', 'other', 'returned', 'transferred')
        and w.decided_at >= ${start}::date and w.decided_at < ${end}::date + 1
      union all select ${columns} ${from} and w.status = 'todo')
    select ${keys[by]} as key, min(workflow_id) as workflow_id, min(state_id) as state_id, max(version_id) as version_id,
      min(person) as person, count(decided_at) as decided,
      coalesce(avg(${at(sql`read_at`)} - ${at(sql`opened_at`)}) filter (where decided_at is not null), 0) / 60 as wait_hours,
      coalesce(avg(${at(sql`decided_at`)} - ${at(sql`read_at`)}) filter (where decided_at is not null), 0) / 60 as work_hours,
      count(*) filter (where status in ('refuse', 'returned')) as returned,
      count(*) filter (where decided_at > due_at) as overdue,
      count(*) filter (where status = 'todo' and not own) as open,
      count(distinct ticket_id) filter (where status = 'todo' and late) as open_overdue
    from task cross join cal ${by === 'month' ? sql`where decided_at is not null` : sql``}
    group by 1 order by decided desc, key limit ${mostRows + 1}`);
  return rows.map(({ key, ...figure }) => ({
    ...(Object.fromEntries(
      Object.entries(figure).map(([name, value]) => [name, Math.round(Number(value) * 10) / 10]),
    ) as unknown as Omit<Found, 'key'>),
    key,
  }));
}

/** Tickets started and finished in each month of the period. */
async function movedBy(tx: Db, tickets: SQL | undefined, { start, end }: Period) {
  const of = (column: SQL) => sql`select to_char(${column}, 'YYYY-MM') as month, count(*) as count from ticket
    where ${column} >= ${start}::date and ${column} < ${end}::date + 1 and ${tickets} group by 1`;
  const { rows } = await tx.execute<{ month: string; started: string; finished: string }>(sql`
    select month, coalesce(s.count, 0) as started, coalesce(f.count, 0) as finished
    from (${of(sql`ticket.gmt_created`)}) s full join (${of(sql`ticket.finished_at`)}) f using (month) order by month`);
  return new Map(
    rows.map((row) => [row.month, { started: Number(row.started), finished: Number(row.finished) }] as const),
  );
}

async function namesOf(tx: Db, by: By, rows: readonly Found[]): Promise<Map<string, string>> {
  if (by === 'person') {
    const people = await peopleById(
      tx,
      rows.map((row) => row.person),
    );
    return new Map(rows.map((row) => [row.key, people.get(row.person)?.alias ?? '']));
  }
  if (by !== 'state') return new Map();
  const versions = await versionsById(
    tx,
    rows.map((row) => row.version_id),
  );
  return new Map(
    rows.map((row) => {
      const definition = versions.get(row.version_id)?.definition;
      const state = definition?.states.find((one) => one.id === row.state_id)?.name ?? '';
      return [row.key, `${definition?.name ?? ''} · ${state}`];
    }),
  );
}
