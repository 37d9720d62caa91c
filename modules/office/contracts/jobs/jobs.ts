import { and, asc, between, eq, ne } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import { figureInAbout, type Waits } from '#modules/platform/waits/service.ts';
import { stage } from '../contract/codes.ts';
import { contracts } from '../record/record.ts';
import { waitingFor, waitingForAll } from '../record/waiting.ts';
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

const { plan_date, handler, is_open } = contractPerformanceTable;

/** 我的合同: contracts to sign, and those with performance due within a week or late. */
export const contractWaits: Waits = {
  key: 'contract',
  page: 'contract/list',
  path: '/contract/list?category=mine',
  title: '待我签订、履行',
  mine: async (_tx, { id }) => waitingFor(id),
  everybodys: async () => waitingForAll(),
  whatOf: figureInAbout,
  linkOf: (row) => `/contract/detail/${row.id}`,
};

/** Due days of a person's nodes. */
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
            ne(contractTable.stage, stage.suspended),
            between(plan_date, from.slice(0, 10), to.slice(0, 10)),
            contracts.visible(tx, viewer),
          ),
        )
        .orderBy(asc(plan_date), asc(id))
        .limit(mostEntries + 1);
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
