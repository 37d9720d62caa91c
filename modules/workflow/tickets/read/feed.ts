import { and, asc, gte, lt, sql } from 'drizzle-orm';
import { dayAfter, momentOf, momentText } from '#kernel/contract/moment.ts';
import { namedRows } from '#kernel/server/db/db.ts';
import { mostEntries, type FeedSource } from '#modules/platform/feeds/service.ts';
import { awayKinds, type AwayKind } from '#modules/workflow/workflows/engine/codes.ts';
import { awayTickets } from '../records/away.ts';
import { openedAt, leaving, recordOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';
import { inCategory } from '../visibility/visibility.ts';
import { ticketViewerFor } from '../visibility/viewer.ts';

const half = 30 * 60_000;

interface Found {
  ticket_id: number;
  kind: AwayKind;
  start: string;
  end: string;
  rev: number;
  modified: string;
}

/** Days, half-days and hours of a person's approved leave, trips and outings. */
export const ownLeave: FeedSource = {
  name: '请假与外出',
  async entries(tx, { id }, from, to) {
    const rows = await namedRows<Found>(
      tx,
      sql`select away.ticket_id, away.kind, left(away.start::text, 19) as start, left(away.until::text, 19) as end, t.rev, left(t.gmt_modified::text, 19) as modified
        from (${awayTickets}) as away (person, start, until, ticket_id, kind) join ticket t on t.id = away.ticket_id
        where away.person = ${id} and away.start < ${dayAfter(to, 1)}::timestamptz and away.until > ${from}::timestamptz
        order by away.start, away.ticket_id limit ${mostEntries + 1}`,
    );
    return rows.map(({ ticket_id, kind, start, end, rev, modified }) => {
      const whole = start.endsWith('00:00:00') && end.endsWith('00:00:00');
      return {
        id: ticket_id,
        title: awayKinds[kind],
        start: whole ? start.slice(0, 10) : start,
        end: whole ? dayAfter(end.slice(0, 10), -1) : end,
        version: rev,
        modified,
        path: `/ticket/detail/${ticket_id}`,
      };
    });
  },
};

/** Deadlines of a person's tasks. Tickets that no export may contain have no title here either. */
export const dueTickets: FeedSource = {
  name: '待办期限',
  async entries(tx, user, from, to) {
    const viewer = await ticketViewerFor(tx, user, 'duty');
    const { id, sn, title, act_state, rev, due_at, gmt_modified, biz_module, biz_id } = ticketTable;
    const rows = await tx
      .select({
        id,
        sn,
        title,
        act_state,
        rev,
        due_at,
        gmt_modified,
        biz_module,
        biz_id,
        leaves: sql<boolean>`${leaving(tx, id) ?? sql`true`}`,
      })
      .from(ticketTable)
      .where(and(inCategory('duty', viewer), gte(due_at, from), lt(due_at, dayAfter(to, 1))))
      .orderBy(asc(due_at), asc(id))
      .limit(mostEntries + 1);
    return rows.map((row) => {
      const due = row.due_at!.slice(0, 19);
      return {
        id: row.id,
        title: `办理期限：${row.leaves ? row.title : `不公开的事项 ${row.sn}`}`,
        start: momentText(new Date(momentOf(due).getTime() - half)),
        end: due,
        version: row.rev,
        modified: row.gmt_modified.slice(0, 19),
        description: row.sn,
        path: openedAt(tx, recordOf(row), row.act_state) ?? `/ticket/detail/${row.id}`,
      };
    });
  },
};
