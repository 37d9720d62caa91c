import { and, asc, sql, type SQL } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { figureInAbout, type Waits } from '#modules/platform/waits/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { attendType, replyState, trip, visibleTo } from '../contract/codes.ts';
import { leaderStatistics } from '../contract/statistics.ts';
import { actsFor, fullFor, through } from '../record/visibility.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;
/** Condition: it can still be answered, as `canDo` offers it. */
const open = sql`s.act_state in (${inSql(actState.finished, actState.finishAsked)}) and s.cancelled_at is null
  and (case when s.source_id is null then s.end_time else s.start_time end) > now()`;
const unanswered = sql`from leader_schedule s join leader_attend a on a.schedule_id = s.id and a.state = ${inSql(replyState.none)}
  where ${open}`;

/** True if the source record asks the leader itself, so that the entry does not ask a second time. */
const askedThere = (tx: Db, leader: SQL): SQL => {
  const modules = Object.entries(tx.services.product.followed).map(
    ([module, { asks }]) => sql`s.source_module = ${module} and ${asks(sql`s.source_id`, leader)}`,
  );
  return sql`(${sql.join([sql`false`, ...modules], sql` or `)})`;
};

/** Entries that leaders and their secretaries have not answered yet. */
export const replyWaits: Waits = {
  key: 'leader',
  page: 'leader/list',
  path: '/schedule/leader?category=reply',
  title: '待答复日程',
  mine: (tx, viewer) => {
    const me = sql`${viewer.id}::int`;
    return Promise.resolve(
      sql`select distinct s.id, s.title::text, s.start_time, concat_ws(' ', to_char(s.start_time, 'MM-DD HH24:MI'), nullif(s.address, '')), s.gmt_created, s.creator_id ${unanswered}
        and a.leader_id = any(${actsFor(me)}) and not (a.leader_id = ${me} and ${askedThere(tx, me)})`,
    );
  },
  everybodys: (tx) =>
    Promise.resolve(sql`select p.user_id, s.start_time from leader_schedule s join leader_attend a on a.schedule_id = s.id and a.state = ${inSql(replyState.none)}
      cross join lateral (select a.leader_id user_id union select secretary_id from secretary where leader_id = a.leader_id) p
      where ${open}
        and not (a.leader_id = p.user_id and ${askedThere(tx, sql`a.leader_id`)})`),
  whatOf: figureInAbout,
  linkOf: (row) => `/schedule/detail/${row.id}`,
};

/** The title for feeds that leave the house; an entry of a source that is not public shows no more than its module would. */
const outside = (row: Pick<typeof s.$inferSelect, 'type_id' | 'title' | 'visibility' | 'source_id'>) => {
  if (row.source_id !== null && row.visibility !== visibleTo.everybody) return '日程（内部）';
  return inside(row);
};
const inside = (row: Pick<typeof s.$inferSelect, 'type_id' | 'title'>) =>
  row.type_id === trip ? `外出：${row.title}` : row.title;

/**
 * Entries of a person's leaders, and those where the person goes along. Anybody with the address can read a feed, so only the leaders' own
 * side gets all details.
 */
export const leaderFeeds: Feeds = {
  leaders: {
    name: '领导日程',
    async entries(tx, user, from, to) {
      const me = sql`${user.id}::int`;
      const mine = sql`(exists (select from leader_attend la where la.schedule_id = ${s.id} and la.state < ${inSql(replyState.declines)} and la.leader_id = any(${actsFor(me)}))
        or ${s.contact_id} = ${user.id} or ${me} = any(${s.escort}))`;
      const rows = await tx
        .select()
        .from(s)
        .where(
          and(
            through,
            mine,
            fullFor(user),
            sql`${s.end_time} > ${from}::timestamptz and ${s.start_time} < ${dayAfter(to, 1)}::timestamptz`,
          ),
        )
        .orderBy(asc(s.start_time), asc(s.id))
        .limit(mostEntries + 1);
      return rows.map((row) => ({
        id: row.id,
        title: outside(row),
        ownTitle: inside(row),
        start: row.all_day ? row.start_time.slice(0, 10) : row.start_time,
        end: row.all_day ? dayAfter(row.end_time.slice(0, 10), -1) : row.end_time,
        place: row.address,
        version: row.version,
        modified: row.gmt_modified,
        path: `/schedule/detail/${row.id}`,
        cancelled: row.cancelled_at !== null,
        ...(row.source_id === null ? {} : { repeats: { key: row.source_module, id: row.source_id } }),
      }));
    },
  },
};

interface Counted {
  mine: ReturnType<typeof sql>;
}
const numbers = (lines: readonly { key: string }[]) => lines.map((line) => Number(line.key));
/** Statistics of the schedules the viewer may fully read; each leader of a schedule counts. */
export const statistics = figuresHandler(leaderStatistics, {
  counted: async (_tx, user, _asked, { start, end }): Promise<Counted> => ({
    mine: sql`${through} and ${s.cancelled_at} is null and (${fullFor(user)}) and start_time >= ${start}::date and start_time < ${end}::date + 1`,
  }),
  cube: ({ mine }) => ({
    rows: sql`select a.leader_id leader, attend_type attend, to_char(date_trunc('week', start_time), 'YYYY-MM-DD') week, dept_id dept,
      extract(epoch from least(end_time - start_time, interval '10 hours')) / 3600 hours,
      (select count(*) from leader_change c where c.schedule_id = leader_schedule.id and c.kind in ('edit', 'source'))::int changes, (a.state = ${inSql(replyState.none)})::int waiting
      from leader_schedule join leader_attend a on a.schedule_id = leader_schedule.id and a.state < ${inSql(replyState.declines)} where ${mine}`,
    dims: {
      leader: {
        column: 'leader',
        most: 'count',
        names: async (tx, lines) =>
          new Map([...(await peopleById(tx, numbers(lines)))].map(([id, one]) => [id, one.alias])),
      },
      attend: { column: 'attend', most: 'count', names: Object.fromEntries(Object.entries(attendType.names)) },
      week: { column: 'week' },
      dept: { column: 'dept', most: 'count', unknown: '未填', names: (tx, lines) => deptNamesById(tx, numbers(lines)) },
    },
    measures: {
      count: sql`count(*)`,
      hours: sql`round(sum(hours))`,
      changes: sql`sum(changes)`,
      waiting: sql`sum(waiting)`,
    },
  }),
  summary: () => ({}),
});
