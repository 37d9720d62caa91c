import { and, between, eq, inArray, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { customerStatus, projectStatus } from './contract/codes.ts';
import { isSilent } from './service.ts';
import { customerTable, projectTable } from './tables.ts';

export const customerNews = newsKinds({
  module: 'customers',
  type: newsType.toDo,
  group: '客户与监测',
  kinds: {
    CUSTOMER_FOLLOW: { name: '我负责的客户该跟进了', head: '客户该跟进了', page: (id) => `/customer/detail/${id}` },
    DOMAIN_EXPIRE: {
      name: '我负责的项目域名即将到期',
      head: '域名即将到期',
      ways: [],
      page: (id) => `/customer/project/detail/${id}`,
    },
  },
});

const [c, p] = [customerTable, projectTable];
/** Condition: the customer should be kept in contact with. */
const kept = and(eq(c.is_deleted, false), inArray(c.status, [customerStatus.running, customerStatus.potential]));
/** The next contact day: the one of the last visit, else a number of days after it; null for never. For statements over `customer`. */
export const followAt = sql<string | null>`coalesce(
  (select v.next_date from customer_visit v where v.customer_id = "customer"."id" order by v.visited_at desc, v.id desc limit 1),
  case when "customer"."follow_days" > 0
    then coalesce("customer"."last_contact_at", "customer"."gmt_created")::date + "customer"."follow_days" end)`;
/** Condition: the customer is due for contact. */
export const isDue = sql`${kept} and ${followAt} <= current_date`;

export const remindOfCustomers = (tx: Db, now: Date): Promise<number> =>
  dateReminders<{ id: number; due: string; name: string; owner: number }>({
    kind: customerNews.CUSTOMER_FOLLOW,
    days: [0, -7, -30],
    due: (db, { first, last }) =>
      db
        .select({ id: c.id, due: sql<string>`due.due`, name: c.name, owner: c.owner })
        .from(c)
        .innerJoin(sql`lateral (select ${followAt} due) due`, sql`due.due between ${first} and ${last}`)
        .where(kept)
        .orderBy(c.id)
        .for('share', { of: c }),
    to: async (_tx, rows) => new Map(rows.map((row) => [row.id, [row.owner]])),
    says: ({ name, due: day }, left) => ({
      title: `${left < 0 ? '客户久未联系' : '客户该跟进了'}：${name}`,
      content: `应于 ${day} 前跟进“${name}”，联系后请登记跟进记录。`,
    }),
  })(tx, now);

/** Reminds the project's manager and the customer's owner of expiring domain names. */
export const remindOfDomains = (tx: Db, now: Date): Promise<number> =>
  dateReminders<{ id: number; due: string; name: string; customer: string; people: number[] }>({
    kind: customerNews.DOMAIN_EXPIRE,
    days: [30, 14, 7, 3, 1, 0],
    due: (db, { first, last }) =>
      db
        .select({
          id: p.id,
          due: sql<string>`${p.domain_expire}`,
          name: p.name,
          customer: c.name,
          people: sql<number[]>`array[${p.manager}, ${c.owner}]`,
        })
        .from(p)
        .innerJoin(c, eq(c.id, p.customer_id))
        .where(
          and(
            eq(p.is_deleted, false),
            inArray(p.status, [projectStatus.running, projectStatus.maintained]),
            between(p.domain_expire, first, last),
          ),
        )
        .orderBy(p.id)
        .for('share', { of: p }),
    to: async (_tx, rows) => new Map(rows.map((row) => [row.id, [...new Set(row.people)]])),
    says: ({ name, customer, due: day }, left) => ({
      title: `域名${left < 0 ? '已到期' : '即将到期'}：${customer} ${name}`,
      content: `域名于 ${day} 到期，续费后请修改项目的域名到期日期。`,
    }),
  })(tx, now);

const reminding = 'remind of customers';
export const customerTasks = (databases: Pick<Databases, 'write'>): Task[] => [
  {
    name: reminding,
    title: '客户跟进与域名到期提醒',
    run: (_payload, { now }) =>
      databases.write(async (tx) => {
        await remindOfCustomers(tx, now);
        await remindOfDomains(tx, now);
      }),
  },
];
export const customerSchedules: Schedule[] = [{ task: reminding, cron: '0 9 * * *', catchUpHours: 12 }];

const until = sql`(${followAt} + time '23:59:59')::timestamptz`;
/** 客户待跟进: the person's customers that are due for contact. */
const followWaits: Waits = {
  key: 'customer',
  page: 'customer/list',
  path: '/customer/list?due=true',
  title: '客户待跟进',
  mine: async (_tx, { id }) => sql`select ${c.id}, ${c.name}, ${until}, null::text, null::timestamptz, null::int
    from ${c} where ${isDue} and ${c.owner} = ${id}`,
  everybodys: async () => sql`select ${c.owner}, ${until} from ${c} where ${isDue}`,
  linkOf: (row) => `/customer/detail/${row.id}`,
};

/** Projects whose alarm contacts have to be replaced, by the project's manager, else the customer's owner. */
const silent = sql`from customer_project join customer on customer.id = customer_id
  join app_user lead on lead.id = manager cross join lateral (select case when lead.is_active and not lead.is_deleted then manager else owner end) keeper (id)
  where not customer_project.is_deleted and customer_project.status in (${inSql(projectStatus.running, projectStatus.maintained)}) and ${isSilent}`;
/** 告警联系人待更换: projects whose named contacts receive nothing any more. */
const silentWaits: Waits = {
  key: 'contact',
  page: 'customer/project',
  path: '/customer/project',
  title: '告警联系人待更换',
  mine: async (_tx, { id }) =>
    sql`select customer_project.id, customer.name || ' ' || customer_project.name, null::timestamptz, null::text, null::timestamptz, null::int ${silent} and keeper.id = ${id}`,
  everybodys: async () => sql`select keeper.id, null::timestamptz ${silent}`,
  linkOf: (row) => `/customer/project/detail/${row.id}`,
};
export const customerWaits: Waits[] = [followWaits, silentWaits];
