import { sql } from 'drizzle-orm';
import { dayAfter, dayOf, lastDayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { roleByCode } from '#modules/platform/access/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { dutyPost } from './contract/codes.ts';
import { fill } from './server/make.ts';
import { askSwap } from './server/swaps.ts';
import { planTable } from './tables.ts';

const office = 'zhao.yan';
const staff = [
  'zhao.yan',
  'song.mingjie',
  'bai.xue',
  'qin.haoyu',
  'jia.shunli',
  'lin.xiaoyue',
  'he.jing',
  'sun.meiqi',
  'tang.yuting',
];

/** A fortnight with logs, this month and the next: published for three weeks, with a gap, a requested swap and a finished one. */
export async function addDemoDuty(tx: Db, now: Date): Promise<void> {
  const known = await peopleByName(tx, staff);
  const { as } = demoDesk(tx);
  const desk = (id: number) => as(id, now);
  const clerk = await desk(known.get(office)!.id);
  const [plan] = await tx
    .insert(planTable)
    .values({
      name: '总值班',
      creator_id: clerk.user.id,
      keeper_id: clerk.user.id,
      work_from: '17:30',
      work_to: '08:00',
      rest_from: '08:00',
      rest_to: '08:00',
      phone: '8110',
      lead_need: 1,
      lead: [`r${(await roleByCode(tx, 'xld'))!.id}`],
      staff_need: 2,
      staff: [...known.values()].map((one) => `u${one.id}`),
    })
    .returning();
  const today = dayOf(now);
  await fill(clerk, plan!, {
    from: dayAfter(today, -14),
    to: lastDayOf(dayAfter(lastDayOf(today.slice(0, 7)), 1).slice(0, 7)),
    keep: true,
  });
  await tx.execute(
    sql`update duty_shift set published_at = now() where plan_id = ${plan!.id} and day < ${today}::date + 21`,
  );
  const first = sql`(select min(user_id) from duty_person d where d.shift_id = s.id and d.post = ${inSql(dutyPost.staff)})`;
  await tx.execute(
    sql`update duty_shift s set taken_by = ${first}, taken_at = start_time - interval '5 minutes', taken_note = '情况正常' where plan_id = ${plan!.id} and start_time < now()`,
  );
  const entry = (
    words: string,
    kind: number,
    after: number,
    which: ReturnType<typeof sql>,
    handled = true,
    urgent = false,
  ) =>
    tx.execute(sql`insert into duty_entry (shift_id, by, kind, at, content, handled, urgent)
      select id, taken_by, ${kind}, start_time + ${after} * interval '1 hour', ${words}, ${handled}, ${urgent} from duty_shift s
      where plan_id = ${plan!.id} and start_time + ${after} * interval '1 hour' < now() and ${which}`);
  await entry('巡查教学楼、图书馆，门窗水电正常', 3, 4, sql`true`);
  await entry('校友来电询问返校登记，已告知办理方式', 1, 2, sql`id % 3 = 0`);
  await entry('3 号宿舍楼二层水管漏水，已联系后勤抢修', 4, 5, sql`day = ${today}::date - 2`, false, true);
  await entry('上级来文要求明日报送假期安排，待办公室处理', 1, 6, sql`day = ${today}::date - 2`, false);
  const open = sql`array(select id from duty_entry e where e.shift_id = s.id and not e.handled)`;
  await tx.execute(sql`insert into duty_handover (shift_id, by, at, note, open) select id, taken_by, end_time, '物品、钥匙已清点', ${open} from duty_shift s
    where plan_id = ${plan!.id} and end_time < now()`);
  await tx.execute(
    sql`update duty_shift set carried = array(select id from duty_entry where not handled and shift_id <> duty_shift.id) where plan_id = ${plan!.id} and day = ${today}::date - 1`,
  );
  await tx.execute(sql`delete from duty_person where shift_id = (select id from duty_shift where plan_id = ${plan!.id} and day = ${today}::date + 5)
    and user_id = (select max(user_id) from duty_person d join duty_shift s on s.id = d.shift_id where s.plan_id = ${plan!.id} and day = ${today}::date + 5 and post = ${inSql(dutyPost.staff)})`);
  // The first person who is free takes another's shift: one by a request, one by the office.
  for (const [days, asks] of [
    [8, true],
    [11, false],
  ] as const) {
    const { rows } = await tx.execute<{ shift: number; user_id: number; username: string; free: string }>(sql`
      select s.id shift, u.id user_id, u.username, f.username free from duty_shift s join duty_person d on d.shift_id = s.id and d.post = ${inSql(dutyPost.staff)} join app_user u on u.id = d.user_id
      cross join app_user f where s.plan_id = ${plan!.id} and s.day = ${today}::date + ${days}::int and f.username = any(${sql.param(staff)}::text[])
        and not exists (select from duty_person o where o.user_id = f.id and o.start_time < s.end_time + interval '24 hours' and o.end_time > s.start_time - interval '24 hours')
      order by u.id, f.id limit 1`);
    const [row] = rows;
    if (!row) continue;
    const body = { with: row.free, reason: '家中有事', ...(asks ? {} : { user: row.username }) };
    await askSwap(asks ? await desk(row.user_id) : clerk, row.shift, body);
  }
}
