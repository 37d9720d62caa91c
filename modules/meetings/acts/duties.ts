import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { peopleById } from '#modules/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/people/service/leaves.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Waits } from '#modules/waits/service.ts';
import { meetTable } from '../tables.ts';

const unanswered = sql`from meet_attendee t join meet on meet.id = t.meet_id
  where meet.act_state = 4 and meet.meet_status = 0 and meet.start_time > now() and t.told_at is not null`;
const open = sql`(t.reply = 0 or t.substitute_state = 2)`;

/** Meetings somebody has not answered yet, or is asked to come to for another. */
export const meetingWaits: Waits = {
  page: 'meet/attend',
  path: '/meet/attend',
  title: '会议待回复',
  mine: (_tx, { id }) =>
    Promise.resolve(
      sql`select meet.id, meet.title, meet.start_time, null::text, t.told_at, meet.creator_id ${unanswered}
        and (t.user_id = ${id} and ${open} or t.substitute_id = ${id} and t.substitute_state = 0)`,
    ),
  everybodys: () =>
    Promise.resolve(sql`select t.user_id, meet.start_time ${unanswered} and ${open}
      union all select t.substitute_id, meet.start_time ${unanswered} and t.substitute_state = 0`),
  linkOf: (row) => `/meet/detail/${row.id}`,
};

const parts = { host_id: '主持人', recorder_id: '记录人', contact_id: '联系人' } as const;
const of = (person: number) =>
  and(
    inArray(meetTable.act_state, [1, 4]),
    inArray(meetTable.meet_status, [0, 1]),
    sql`${person} in (${meetTable.host_id}, ${meetTable.recorder_id}, ${meetTable.contact_id})`,
  );
async function heldBy(tx: Db, person: number) {
  const rows = await tx
    .select()
    .from(meetTable)
    .where(of(person))
    .orderBy(asc(meetTable.start_time), asc(meetTable.id));
  return rows.map((row) => {
    const note = Object.entries(parts).flatMap(([key, title]) => (row[key as 'host_id'] === person ? title : []));
    return { id: row.id, title: row.title, note: note.join('、'), at: row.start_time };
  });
}

/** Meetings to come that somebody hosts, keeps the minutes of or answers for. */
export const meetingLeaves: Leaves = {
  key: 'meetings',
  title: '会议',
  openOf: async (tx, person, limit) => heldOf(await heldBy(tx, person), limit),
  handOver: async (tx, from, to, _by, only) =>
    eachHanded(await heldBy(tx, from.id), only, async (row) => {
      const [known] = await tx.select().from(meetTable).where(eq(meetTable.id, row.id)).for('no key update');
      const changed = Object.keys(parts).filter((key) => known?.[key as 'host_id'] === from.id);
      await tx
        .update(meetTable)
        .set(Object.fromEntries(changed.map((key) => [key, to.id])))
        .where(eq(meetTable.id, row.id));
      if ((await peopleById(tx, [to.id])).size > 0)
        await tx.execute(sql`insert into meet_attendee (meet_id, user_id, role, told_at) select meet_id, ${to.id}, role, told_at
          from meet_attendee where meet_id = ${row.id} and user_id = ${from.id} on conflict do nothing`);
    }),
};
