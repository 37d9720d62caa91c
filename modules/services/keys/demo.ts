import { sql } from 'drizzle-orm';
import { dayAfter, dayOf, daysLater } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { grantPage } from '#modules/platform/access/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { move } from './acts.ts';
import { loans } from './record.ts';
import { keyTable } from './tables.ts';

const keeper = 'ren.shuzhen';
const places = ['第一教学楼 101', '第一教学楼 203', '图书馆学术厅', '大学生活动中心', '信息楼 305', '实验楼 112'];
type Until = 'draft' | 'sent' | 'approved' | 'out' | 'back';
// The borrower, the key, the first and the last day from today, the purpose, the state to reach.
const rows: readonly (readonly [string, number, number, number, string, Until])[] = [
  ['qin.haoyu', 0, -40, -39, '期中考试布置考场', 'back'],
  ['long.tianyu', 2, -21, -20, '学术讲座调试设备', 'back'],
  ['su.jianing', 3, -9, -7, '社团活动', 'back'],
  ['su.jianing', 3, -5, -2, '迎新晚会彩排', 'out'],
  ['qin.haoyu', 4, -1, 3, '程序设计竞赛集训', 'out'],
  ['long.tianyu', 2, 0, 1, '企业宣讲会', 'approved'],
  ['qin.haoyu', 0, 2, 2, '教研室会议', 'sent'],
  ['su.jianing', 5, 4, 5, '实验课准备', 'draft'],
];

/** Six keys with loans in every state, one of which is not back in time; every employee may ask for one, which a real house decides itself. */
export async function addDemoKeys(tx: Db, now: Date): Promise<void> {
  await grantPage(tx, 'staff', 'key/loan', ['Create', 'Retrieve']);
  const desk = demoDesk(tx);
  const keptBy = (await peopleByName(tx, [keeper])).get(keeper)!.id;
  const keys = await tx
    .insert(keyTable)
    .values(places.map((place, at) => ({ number: `K${101 + at}`, place, keeper: keptBy })))
    .returning();
  for (const [borrower, at, from, to, reason, until] of rows) {
    const { id: key_id, number, place } = keys[at]!;
    const on = (days: number) => daysLater(now, Math.min(days, 0));
    const dates = { start_date: dayAfter(dayOf(now), from), due_date: dayAfter(dayOf(now), to) };
    const columns = { ...dates, key_id, reason, title: `${number} ${place}` };
    const asked = await desk.as(borrower, on(from));
    const { id, ticket_id } = await loans.create(asked, columns, { submit: until !== 'draft' });
    if (until !== 'draft' && until !== 'sent') {
      await desk.decide(ticket_id, { at: on(from) });
      if (until !== 'approved') await move(await desk.as(keeper, on(from)), id!, 'take');
      if (until === 'back') await move(await desk.as(keeper, on(to)), id!, 'give_back');
    }
    await tx.execute(sql`update key_loan set gmt_created = ${on(from).toISOString()} where id = ${id!}`);
    await desk.dateTicket(ticket_id, on(from));
  }
}
