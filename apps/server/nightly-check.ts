import { dayOf } from '#kernel/contract/moment.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { superRole } from '#modules/platform/access/service.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import type { Services } from '#kernel/server/services.ts';
import { firstBreak } from './verify-office.ts';

const name = 'check chains';

export const chainNews = newsKinds({
  module: 'audit',
  type: newsType.alarm,
  group: '系统',
  page: () => '/system/log',
  kinds: {
    CHAIN_BROKEN: { name: '日志链核对不通过', head: '日志链核对不通过', level: newsLevel.urgent, ways: [] },
  },
});

/** Verifies the chains of the logs each night and reports the first break to super administrators, every day until it is repaired. */
export const chainTask = ({ databases, log }: Pick<Services, 'databases' | 'log'>): Task => ({
  name,
  title: '核对日志链',
  async run(_payload, { now }) {
    const where = await firstBreak(databases);
    if (where === null) return;
    log.error({ where }, 'a chain of the logs is broken');
    await databases.write(async (tx) => {
      const day = { id: Number(dayOf(now).replaceAll('-', '')) };
      const said = {
        title: '日志链核对不通过，记录可能被改动过',
        content: `第一处断点：${where}。请保留现场，用 npm run verify 核对，并与备份比较。`,
        by: null,
      };
      await announce(tx, chainNews.CHAIN_BROKEN, day, said, [{ role: superRole }]);
    });
  },
});

export const chainSchedules: Schedule[] = [{ task: name, cron: '40 3 * * *', catchUpHours: 20 }];
