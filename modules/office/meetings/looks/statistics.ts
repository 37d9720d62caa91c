import { sql, type SQL } from 'drizzle-orm';
import type { SummaryOf } from '#kernel/contract/figures.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { tenths } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { openHours } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, meetType, signMode, signState } from '../contract/codes.ts';
import { hours, meetStatistics } from '../contract/statistics.ts';
import { keepsRoom } from '../record/record.ts';
import { meetTable } from '../tables.ts';

interface Counted {
  /** Meetings that count, with their length and attendance. */
  rows: SQL;
  start: string;
  end: string;
}
type Line = { key: string; name: string } & Record<string, unknown>;
const percent = (part: SQL, of: SQL) => sql`round(100.0 * (${part}) / nullif(${of}, 0))::float8`;
const measures = sql`count(*)::int as count, ${tenths(sql`coalesce(sum(hours), 0)`)}::float8 as hours,
  (count(*) filter (where released))::int as released,
  ${percent(sql`count(*) filter (where released)`, sql`count(*)`)} as released_rate,
  ${tenths(sql`avg(lead)`)}::float8 as lead_days,
  ${percent(sql`sum(replied)`, sql`sum(asked)`)} as replied,
  ${percent(sql`sum(came)`, sql`sum(due)`)} as present,
  ${percent(sql`sum(came) - sum(late)`, sql`sum(came)`)} as punctual`;

const lines = async (tx: Db, statement: SQL): Promise<Line[]> => (await tx.execute<Line>(statement)).rows;
const by = (tx: Db, { rows }: Counted, key: SQL, name: SQL, most: number, join: SQL = sql``) =>
  lines(
    tx,
    sql`select coalesce((${key})::text, '0') as key, coalesce(${name}, '未填') as name, ${measures}
      from (${rows}) m ${join} group by ${key}, ${name} order by hours desc, 1 limit ${most + 1}`,
  );

export const statistics = figuresHandler(meetStatistics, {
  async counted(_tx, user, asked, { start, end }): Promise<Counted> {
    const scope = within(scopeOf(user, 'Retrieve', meetStatistics.page), meetTable.dept_id, sql`false`);
    const { office, room, dept } = asked;
    const only = (column: SQL, value: number | undefined) => (value ? sql`and ${column} = ${value}` : sql``);
    const rows = sql`
      select meet.id, meet.room_id, meet.dept_id, meet.type_id, meet.host_id, meet.released, meet.start_time,
        extract(epoch from meet.start_time - meet.gmt_created) / 86400 as lead,
        case when meet.meet_status = ${inSql(meetStatus.cancelled)} then 0 else extract(epoch from coalesce(meet.actual_end, meet.end_time) - meet.start_time) / 3600 end as hours,
        people.*
      from meet left join meet_room r on r.id = meet.room_id cross join lateral (
        select count(*) filter (where told_at is not null) as asked,
          count(*) filter (where told_at is not null and reply_time <= meet.start_time) as replied,
          count(*) filter (where meet.sign_mode <> ${inSql(signMode.none)} and sign_state in (${inSql(signState.signed, signState.late, signState.absent)})) as due,
          count(*) filter (where meet.sign_mode <> ${inSql(signMode.none)} and sign_state in (${inSql(signState.signed, signState.late)})) as came,
          count(*) filter (where meet.sign_mode <> ${inSql(signMode.none)} and sign_state = ${inSql(signState.late)}) as late
        from meet_attendee a where a.meet_id = meet.id) as people
      where meet.act_state = ${inSql(actState.finished)} and not meet.is_deleted and (meet.meet_status < ${inSql(meetStatus.cancelled)} or meet.released)
        and meet.start_time >= ${start}::date and meet.start_time < ${end}::date + 1 and (${scope} or ${keepsRoom(user)})
        ${only(sql`r.office_id`, office)} ${only(sql`meet.room_id`, room)} ${only(sql`meet.dept_id`, dept)}`;
    return { rows, start, end };
  },
  panels: {
    heat: (tx, { rows }) => {
      const columns = hours.map(
        (hour) => sql`${tenths(sql`sum(extract(epoch from
          least(m.start_time + make_interval(secs => m.hours * 3600), date_trunc('day', m.start_time) + make_interval(hours => ${hour + 1}))
          - greatest(m.start_time, date_trunc('day', m.start_time) + make_interval(hours => ${hour}))) / 3600)
          filter (where m.start_time < date_trunc('day', m.start_time) + make_interval(hours => ${hour + 1})
            and m.start_time + make_interval(secs => m.hours * 3600) > date_trunc('day', m.start_time) + make_interval(hours => ${hour}))`)}::float8
          as ${sql.identifier(`h${hour}`)}`,
      );
      return lines(
        tx,
        sql`select extract(isodow from m.start_time)::text as key,
          (array['周一', '周二', '周三', '周四', '周五', '周六', '周日'])[extract(isodow from m.start_time)::int] as name, ${sql.join(columns, sql`, `)}
          from (${rows}) m where m.room_id is not null group by 1, 2 order by 1`,
      );
    },
    room: async (tx, of, most) =>
      lines(
        tx,
        sql`select r.id::text as key, r.name, ${measures}, ${percent(sql`sum(hours)`, sql`opened.open_hours`)} as use_rate
          from (${of.rows}) m join meet_room r on r.id = m.room_id join ${await openHours(tx, of.start, of.end)} on opened.office = r.office_id
          group by r.id, opened.open_hours order by hours desc, r.id limit ${most + 1}`,
      ),
    dept: (tx, of, most) => by(tx, of, sql`m.dept_id`, sql`d.name`, most, sql`left join dept d on d.id = m.dept_id`),
    type: async (tx, of, most) =>
      (await by(tx, of, sql`m.type_id`, sql`m.type_id::text`, most)).map((line) => ({
        ...line,
        name: meetType.label(Number(line.key)),
      })),
    host: (tx, of, most) =>
      lines(
        tx,
        sql`select m.host_id::text as key, u.alias as name, ${measures},
            ${tenths(sql`sum(hours) / greatest((${of.end}::date - ${of.start}::date + 1) / 7.0, 1)`)}::float8 as week_hours
          from (${of.rows}) m join app_user u on u.id = m.host_id group by m.host_id, u.alias order by hours desc, 1 limit ${most + 1}`,
      ),
    month: async (tx, of, most) =>
      (await by(tx, of, sql`to_char(m.start_time, 'YYYY-MM')`, sql`to_char(m.start_time, 'YYYY-MM')`, most)).toSorted(
        (a, b) => (a.key < b.key ? -1 : 1),
      ),
  },
  async summary(tx, { rows }) {
    const all = await tx.execute<SummaryOf<typeof meetStatistics>>(sql`select ${measures} from (${rows}) m`);
    return all.rows[0]!;
  },
});
