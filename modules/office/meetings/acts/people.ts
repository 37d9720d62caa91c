import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { audienceOf, peopleIn } from '#modules/platform/people/service/audience.ts';
import { workingAmong } from '#modules/platform/people/service.ts';
import { replyState } from '../contract/codes.ts';
import type { meetTable } from '../tables.ts';
import { attendeeTable } from '../tables.ts';
import { sendNotice } from './notice.ts';

type Asked = Pick<typeof meetTable.$inferSelect, 'host_id' | 'recorder_id' | 'audience' | 'observers'>;
type Row = Parameters<typeof sendNotice>[1];

/** The invited people, each once with the first that applies of: host, recorder, attendee, observer. */
export async function invited(tx: Db, row: Asked): Promise<{ user_id: number; role: number }[]> {
  const named = row.audience.length > 0 ? await peopleIn(tx, audienceOf(row.audience)) : [];
  const roles = new Map<number, number>();
  const ask = (ids: readonly (number | null)[], role: number) => {
    for (const id of ids) if (id !== null && !roles.has(id)) roles.set(id, role);
  };
  ask([row.host_id], 1);
  ask([row.recorder_id], 4);
  ask(named, 2);
  ask(row.observers, 3);
  const there = await workingAmong(tx, [...roles.keys()]);
  return there.map((user_id) => ({ user_id, role: roles.get(user_id)! }));
}

/** Adds rows for newly invited people and removes those no longer invited. Returns both, and whether the removed had been notified. */
export async function expand(
  tx: Db,
  row: Asked & { id: number },
): Promise<{ added: number[]; dropped: { user_id: number; told: boolean }[] }> {
  const people = JSON.stringify(await invited(tx, row));
  const a = attendeeTable;
  const { rows: dropped } = await tx.execute<{ user_id: number; told: boolean }>(sql`
    delete from meet_attendee where meet_id = ${row.id} and sign_time is null
      and user_id not in (select user_id from jsonb_to_recordset(${people}::jsonb) p (user_id int))
    returning user_id, told_at is not null told`);
  const { rows: written } = await tx.execute<{ user_id: number; fresh: boolean }>(sql`
    insert into meet_attendee (meet_id, user_id, role)
    select ${row.id}::int, user_id, role from jsonb_to_recordset(${people}::jsonb) p (user_id int, role smallint)
    on conflict (meet_id, user_id) do update set role = excluded.role returning user_id, xmax = 0 fresh`);
  // A person who is invited themselves cannot be a substitute.
  await tx
    .update(a)
    .set({ reply: replyState.none, substitute_id: null, substitute_state: null })
    .where(
      and(
        eq(a.meet_id, row.id),
        sql`${a.substitute_id} in (select user_id from jsonb_to_recordset(${people}::jsonb) p (user_id int))`,
      ),
    );
  return { added: written.flatMap((one) => (one.fresh ? one.user_id : [])), dropped };
}

/** Writes the attendees of an approved meeting, and notifies them if `telling` is set. */
export async function invite(tx: Db, row: Row, telling: { by: number | null } | null): Promise<void> {
  await expand(tx, row);
  if (telling) await sendNotice(tx, row, telling.by);
}
