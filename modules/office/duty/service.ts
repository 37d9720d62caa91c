import { sql } from 'drizzle-orm';
import { namedRows } from '#kernel/server/db/db.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { takenIn } from '#modules/platform/calendars/service/busy.ts';
import type { OnDuty } from '#modules/office/leaders/service.ts';
import { dutyPost } from './contract/codes.ts';

/** Published duty on the given days; for the week of the leaders. */
export const onDuty: OnDuty = (tx, from, to) =>
  namedRows(
    tx,
    sql`select s.id, day::text, s.name, phone, coalesce((select json_agg(u.alias order by d.post, u.sort, u.id) from duty_person d
        join app_user u on u.id = d.user_id and u.is_active and not u.is_deleted where d.shift_id = s.id), '[]') people
      from duty_shift s join duty_plan p on p.id = s.plan_id where published_at is not null and cancelled_at is null and day between ${from} and ${to} order by day, s.start_time, s.id limit 100`,
  );

/** Busy times by duty, which everybody may read in the roster; people on call count as free until called. */
export const dutyBusy = takenIn(
  sql`select d.user_id, d.start_time, d.end_time from duty_person d join duty_shift s on s.id = d.shift_id
    where s.published_at is not null and s.cancelled_at is null and d.post <> ${inSql(dutyPost.backup)}`,
  '值班',
);
