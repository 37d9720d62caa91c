import { houseNow } from '#kernel/server/process/clock.ts';
import { and, asc, between, eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Feeds } from '#modules/feeds/service.ts';
import type { Waits } from '#modules/waits/service.ts';
import { stage } from '../contract/codes.ts';
import { contracts } from '../record/record.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';
import { remindOfContracts } from './reminders.ts';
import { turnTerms } from './terms.ts';

const turning = 'turn terms of contracts';
const reminding = 'remind of contracts';
export const contractTasks = (databases: Pick<Databases, 'write'>): Task[] => [
  {
    name: turning,
    title: '合同到期与顺延',
    async run(_payload, { now }) {
      for (let from: number | null = 0; from !== null;) {
        const behind: number = from;
        from = await databases.write((tx) => turnTerms(tx, now, behind));
      }
    },
  },
  {
    name: reminding,
    title: '合同到期与履约提醒',
    run: (_payload, { now }) => databases.write((tx) => remindOfContracts(tx, now)),
  },
];
export const contractSchedules: Schedule[] = [
  { task: turning, cron: '10 0 * * *', catchUpHours: 24 },
  { task: reminding, cron: '30 8 * * *', catchUpHours: 12 },
];

/** Days within which what is to be performed waits for somebody. */
const near = 7;
const { plan_date, handler, is_open } = contractPerformanceTable;
const until = sql`(${plan_date} + time '23:59:59')::timestamptz`;
const today = () => dayOf(houseNow());
const nodesWaiting = () =>
  sql`from ${contractPerformanceTable} join ${contractTable} on ${contractTable.id} = ${contractPerformanceTable.contract_id}
    where ${is_open} and ${plan_date} <= ${today()}::date + ${near}::int
      and ${contractTable.stage} in (${stage.running}, ${stage.expired}, ${stage.terminated})`;
const toSign = sql`from ${contractTable} where ${contractTable.stage} = ${stage.toSign}`;

/** 我的合同: what I have to sign, and what I have to perform within a week or is late. */
export const contractWaits: Waits = {
  page: 'contract/list',
  path: '/contract/list',
  title: '我的合同',
  mine: async (_tx, { id }) => sql`
    select ${contractTable.id}, '待签订：' || ${contractTable.name}, null::timestamptz, null::text, ${contractTable.approved_at}, ${contractTable.creator_id} ${toSign} and ${contractTable.undertaker} = ${id}
    union all select ${contractTable.id}, ${contractPerformanceTable.name} || '：' || ${contractTable.name}, ${until}, null::text, null::timestamptz, null::int
      ${nodesWaiting()} and ${handler} = ${id}`,
  everybodys: async () => sql`select ${contractTable.undertaker}, null::timestamptz ${toSign}
    union all select ${handler}, ${until} ${nodesWaiting()}`,
  linkOf: (row) => `/contract/detail/${row.id}`,
};

/** Days on which somebody has to perform something. */
export const contractFeeds: Feeds = {
  contracts: {
    name: '合同履约',
    async entries(tx, user, from, to) {
      const viewer = await contracts.viewerOf(tx, user);
      const { id, name, version, gmt_modified } = contractPerformanceTable;
      const rows = await tx
        .select({ id, name, plan_date, version, gmt_modified, contract: contractTable.name, of: contractTable.id })
        .from(contractPerformanceTable)
        .innerJoin(contractTable, eq(contractTable.id, contractPerformanceTable.contract_id))
        .where(
          and(
            eq(handler, user.id),
            is_open,
            between(plan_date, from.slice(0, 10), to.slice(0, 10)),
            contracts.visible(tx, viewer),
          ),
        )
        .orderBy(asc(plan_date), asc(id))
        .limit(500);
      return rows.map((row) => ({
        id: row.id,
        title: `${row.name}：${row.contract}`,
        start: row.plan_date,
        end: row.plan_date,
        version: row.version,
        modified: row.gmt_modified,
        path: `/contract/detail/${row.of}`,
      }));
    },
  },
};
