import { and, asc, inArray, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { figureInAbout, type Waits } from '#modules/platform/waits/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, replyState, substituteState } from '../contract/codes.ts';
import { meetings } from '../record/record.ts';
import { meetTable } from '../tables.ts';
import { changeForLeaders } from './leaders.ts';

const unanswered = sql`from meet_attendee t join meet on meet.id = t.meet_id
  where meet.act_state = ${inSql(actState.finished)} and meet.meet_status = ${inSql(meetStatus.coming)} and meet.start_time > now() and t.told_at is not null`;
const open = sql`(t.reply = ${inSql(replyState.none)} or t.substitute_state = ${inSql(substituteState.declines)})`;
const asked = (person: SQL | number) =>
  sql`(t.user_id = ${person} and ${open} or t.substitute_id = ${person} and t.substitute_state = ${inSql(substituteState.asked)})`;

/** Condition: the meeting waits for the person's answer. */
export const asksFor = (meet: SQL, person: SQL): SQL =>
  sql`exists (select ${unanswered} and meet.id = ${meet} and ${asked(person)})`;

const where = sql`concat_ws(' ', to_char(meet.start_time, 'MM-DD HH24:MI'), coalesce((select r.name from meet_room r where r.id = meet.room_id), meet.location))`;
/** Meetings the person has not answered, or is asked to attend as a substitute. */
export const meetingWaits: Waits = {
  key: 'meeting',
  page: 'meet/attend',
  path: '/meet/attend?tab=unanswered',
  title: '会议待回复',
  mine: (_tx, { id }) =>
    Promise.resolve(
      sql`select meet.id, meet.title, meet.start_time, ${where}, t.told_at, meet.creator_id ${unanswered} and ${asked(id)}`,
    ),
  everybodys: () =>
    Promise.resolve(sql`select t.user_id, meet.start_time ${unanswered} and ${open}
      union all select t.substitute_id, meet.start_time ${unanswered} and t.substitute_state = ${inSql(substituteState.asked)}`),
  whatOf: figureInAbout,
  linkOf: (row) => `/meet/detail/${row.id}`,
};

const parts = { host_id: '主持人', recorder_id: '记录人', contact_id: '联系人' } as const;
const of = (person: number) =>
  and(
    inArray(meetTable.act_state, [actState.ongoing, actState.finished]),
    inArray(meetTable.meet_status, [meetStatus.coming, meetStatus.running]),
    sql`${person} in (${meetTable.host_id}, ${meetTable.recorder_id}, ${meetTable.contact_id})`,
  );
async function heldBy(tx: Db, person: number, locks = false) {
  const asked = tx.select().from(meetTable).where(of(person)).orderBy(asc(meetTable.start_time), asc(meetTable.id));
  const rows = await (locks ? asked.for('no key update') : asked);
  return rows.map((row) => {
    const held = (Object.keys(parts) as (keyof typeof parts)[]).filter((key) => row[key] === person);
    // The person who hands it over may not be allowed to read it, so the title is left out.
    return {
      id: row.id,
      title: `${(row.start_time ?? '').slice(0, 16)} 会议`.trim(),
      held,
      note: held.map((key) => parts[key]).join('、'),
      at: row.start_time,
    };
  });
}

/** Future meetings that the leaver hosts, records or is the contact of. */
export const meetingLeaves: Leaves = {
  key: 'meetings',
  title: '会议',
  asPerson: true,
  openOf: async (tx, person, limit) => heldOf(await heldBy(tx, person), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await heldBy(tx, from.id, true), only, async (row) => {
      const before = (await meetings.one(tx, row.id))!;
      const after = await meetings.set(tx, before, Object.fromEntries(row.held.map((key) => [key, to.id])));
      if ((await peopleById(tx, [to.id])).size > 0)
        await tx.execute(sql`insert into meet_attendee (meet_id, user_id, role, told_at) select meet_id, ${to.id}, role, told_at
          from meet_attendee where meet_id = ${row.id} and user_id = ${from.id} on conflict do nothing`);
      // A leader who takes over has the meeting in their schedule.
      if (after.act_state === actState.finished) await changeForLeaders(tx, after, user.id);
    }),
};
