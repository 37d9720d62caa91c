import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { tenths, type Cube, type Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Period } from '#kernel/server/list/period.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { deptsBelow, peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { versionsById } from '#modules/workflow/workflows/service.ts';
import { ticketStatistics } from '../contract/statistics.ts';
import { workedHours } from './worked-hours.ts';
import { ticketTable } from '../tables.ts';
import { settled } from '../records/records.ts';
import { keptTo } from '../visibility/visibility.ts';

const handler = figuresHandler(ticketStatistics, {
  counted: async (tx, user, asked, period) => ({
    tickets: await counted(tx, user, asked),
    done: settled(tx, ticketTable.id),
    hours: workedHours(await calendarOf(tx), period),
    period,
  }),
  cube: (of) => movesAndTasks(of),
  summary: (_tx, _of, sum) => ({
    started: sum['started'] ?? 0,
    finished: sum['finished'] ?? 0,
    decided: sum['decided'] ?? 0,
    wait_hours: sum['wait_hours'] ?? 0,
    work_hours: sum['work_hours'] ?? 0,
    returned: sum['returned'] ?? 0,
    return_rate: sum['return_rate'] ?? 0,
    overdue: sum['overdue'] ?? 0,
    open: sum['open'] ?? 0,
    open_overdue: sum['open_overdue'] ?? 0,
  }),
});

export const statisticsModule = implement('tickets', { statistics: ticketStatistics.call }, { statistics: handler });

/** The tickets somebody may count: the page's scope, and the filters. Never drafts or deleted ones. */
async function counted(
  tx: Db,
  user: Viewer,
  { workflow_id, dept }: QueryOf<typeof ticketStatistics.call>,
): Promise<SQL | undefined> {
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

interface Of {
  tickets: SQL | undefined;
  /** Condition on tickets that are over: the matter is finished too. */
  done: SQL | undefined;
  hours: ReturnType<typeof workedHours>;
  period: Period;
}

/** Tickets started and finished in the period, tasks decided in it, and those waiting now. */
function movesAndTasks({ tickets, done, hours: { table, at }, period: { start, end } }: Of): Cube {
  const during = (moment: SQL) => sql`${moment} >= ${start}::date and ${moment} < ${end}::date + 1`;
  const monthOf = (moment: SQL) => sql`to_char(${moment}, 'YYYY-MM')`;
  const moved = (what: string, moment: SQL, of = tickets) => sql`
    select ${what}::text as what, ${monthOf(moment)} as month, null as state, null::int as person, null::int as version_id, id as ticket_id,
      false as late, false as own, false as came_back, null::float8 as waited, null::float8 as worked
    from ticket where ${during(moment)} and ${of}`;
  const read = sql`coalesce(w.first_read_at, w.opened_at)`;
  const task = (what: string, late: SQL) => sql`
    select ${what}::text, ${monthOf(sql`w.decided_at`)}, ticket.workflow_id || '-' || w.state_id,
      coalesce(w.agent_id, w.assignee_id), ticket.version_id, ticket.id, coalesce(${late}, false),
      w.assignee_id = ticket.creator_id, w.status in ('refuse', 'returned'), ${at(read)} - ${at(sql`w.opened_at`)},
      ${at(sql`w.decided_at`)} - ${at(read)}
    from ticket_task w join ticket on ticket.id = w.ticket_id cross join cal where ${tickets}`;
  const count = (of: SQL) => sql`count(*) filter (where ${of})`;
  return {
    with: table,
    // People's work on their own tickets (filling in, confirming) is not counted as office work.
    rows: sql`
      ${moved('started', sql`ticket.gmt_created`)} union all ${moved('finished', sql`ticket.finished_at`, and(tickets, done))}
      union all ${task('decided', sql`w.decided_at > w.due_at`)} and w.assignee_id <> ticket.creator_id
        and w.status in ('agree', 'refuse', 'other', 'returned', 'transferred') and ${during(sql`w.decided_at`)}
      union all ${task('open', sql`ticket.due_at < now()`)} and w.status = 'todo'`,
    dims: {
      month: { column: 'month' },
      state: { column: 'state', most: 'decided', names: stateNames },
      person: { column: 'person', most: 'decided', names: personNames },
    },
    measures: {
      started: count(sql`what = 'started'`),
      finished: count(sql`what = 'finished'`),
      decided: count(sql`what = 'decided'`),
      wait_hours: tenths(sql`avg(waited) filter (where what = 'decided') / 60`),
      work_hours: tenths(sql`avg(worked) filter (where what = 'decided') / 60`),
      returned: count(sql`what = 'decided' and came_back`),
      return_rate: tenths(sql`100.0 * count(*) filter (where what = 'decided' and came_back)
        / nullif(count(*) filter (where what = 'decided'), 0)`),
      overdue: count(sql`what = 'decided' and late`),
      open: count(sql`what = 'open' and not own`),
      open_overdue: sql`count(distinct ticket_id) filter (where what = 'open' and late)`,
      version_id: sql`max(version_id)`,
    },
  };
}

async function personNames(tx: Db, lines: readonly Line[]): Promise<Map<number, string>> {
  const people = await peopleById(
    tx,
    lines.map(({ key }) => Number(key)),
  );
  return new Map([...people].map(([id, { alias }]) => [id, alias]));
}

async function stateNames(tx: Db, lines: readonly Line[]): Promise<Map<string, string>> {
  const versions = await versionsById(
    tx,
    lines.map((line) => Number(line['version_id'])),
  );
  return new Map(
    lines.map(({ key, version_id }) => {
      const definition = versions.get(Number(version_id))?.definition;
      const state = definition?.states.find((one) => one.id === Number(key.split('-')[1]))?.name ?? '';
      return [key, `${definition?.name ?? ''} · ${state}`];
    }),
  );
}
