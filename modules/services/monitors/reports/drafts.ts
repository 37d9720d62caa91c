import { sql } from 'drizzle-orm';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { monitorNews } from '../alerts/news.ts';

const mostNamed = 5;
/** The page of a month's report. */
export const reportPath = (customer: number, month: string) => `/customer/report/${customer}?month=${month}`;

/** Makes report drafts of the last month for each monitored customer, and sends one message to each reviewer. */
export async function draftReports(tx: Db, now: Date): Promise<number> {
  const today = dayOf(now);
  const month = dayAfter(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  const { rows } = await tx.execute<{ id: number; name: string; people: number[] }>(sql`
    with made as (
      insert into monitor_report (customer_id, month)
      select p.customer_id, ${month} from customer_project p join customer c on c.id = p.customer_id and not c.is_deleted
      where exists (select from monitor_hour h where h.project_id = p.id
        and hour >= ${`${month}-01`}::date and hour < ${`${month}-01`}::date + interval '1 month')
      group by 1 on conflict do nothing returning customer_id)
    select c.id, c.name, case when u.is_active and not u.is_deleted then array[u.id] else array(
        select distinct h.user_id from held_role h join role r on r.id = h.role_id and r.code = 'customer_manager') end people
    from made join customer c on c.id = made.customer_id join app_user u on u.id = c.owner order by c.id`);
  const byPerson = new Map<number, { id: number; name: string }[]>();
  for (const { people, ...customer } of rows)
    for (const person of people) byPerson.set(person, [...(byPerson.get(person) ?? []), customer]);
  for (const [person, customers] of byPerson) {
    const names = customers.slice(0, mostNamed).map(({ name }) => name);
    const more = customers.length > mostNamed ? `等 ${customers.length} 个客户` : '';
    const said = {
      title: `${month} 服务月报待核对：${customers.length} 份`,
      content: `${names.join('、')}${more}的 ${month} 服务月报草稿已生成，请核对数据并填写服务说明，再打印交给客户。`,
      module: 'customers',
      occasion: month,
      page: customers.length === 1 ? reportPath(customers[0]!.id, month) : '/customer/list?tab=report',
      by: null,
    };
    await announce(tx, monitorNews.MONITOR_REPORT, { id: customers[0]!.id }, said, [person]);
  }
  return rows.length;
}

const task = 'monitors.reports';
export const reportTasks = ({ databases }: { databases: Pick<Databases, 'write'> }): Task[] => [
  {
    name: task,
    title: '生成服务月报草稿',
    run: (_payload, { now }) => databases.write(async (tx) => void (await draftReports(tx, now))),
  },
];
export const reportSchedules: Schedule[] = [{ task, cron: '30 8 1 * *', catchUpHours: 24 * 20 }];
