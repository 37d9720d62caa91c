import { sql } from 'drizzle-orm';
import type { BusySource } from '#modules/platform/calendars/service/busy.ts';
import { entriesFor } from '../board/board.ts';
import { trip } from '../contract/codes.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;

/** Busy times of leaders by their schedules, in the detail the viewer may see; entries that follow the record in question do not block it. */
export const leadersBusy: BusySource = async (tx, { viewer, users, from, to, except }) => {
  const others = except
    ? sql`not (coalesce(${s.source_module}, '') = ${except.module} and ${s.source_id} = ${except.id}::int) is true
        and not (${except.module} = 'leaders' and ${s.id} = ${except.id}::int)`
    : sql`true`;
  const theirs = sql`exists (select from leader_attend la where la.schedule_id = ${s.id} and la.leader_id = any(${sql.param([...users])}::int[]))`;
  const rows = await entriesFor(tx, viewer, { start_time: from, end_time: to }, sql`${theirs} and ${others}`);
  return rows
    .filter((row) => !row.cancelled)
    .flatMap(({ leaders, start_time, end_time, full, title, type_id }) =>
      leaders
        .filter((id) => users.includes(id))
        .map((user_id) => ({
          user_id,
          start_time,
          end_time,
          label: full ? title : type_id === trip ? '外出' : null,
        })),
    );
};
