import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Db } from '#kernel/server/db/db.ts';
import type { Job } from '#kernel/server/jobs/periodic.ts';
import { purgeSpent } from '#kernel/server/db/purge.ts';
import type { Store } from '#kernel/server/files/storage.ts';
import { purgeDevices } from '#modules/platform/accounts/sign-in/devices.ts';
import { purgeSessions } from '#modules/platform/accounts/sign-in/sessions.ts';
import { sealLogs } from '#modules/platform/audit/chain/chain.ts';
import { foldRefusals } from '#modules/platform/audit/refusals.ts';
import { purgeDeliveries } from '#modules/platform/deliveries/purge.ts';
import { purgeExports } from '#modules/platform/exports/service.ts';
import { purgeLoose, purgePortions, sweepContents } from '#modules/platform/files/service.ts';
import { purgeOldLogs } from '#modules/platform/sms/logs/logs.ts';
import { actOnOverdue, remindBefore } from '#modules/workflow/tickets/automation/overdue.ts';
import { actOnSilence } from '#modules/workflow/tickets/automation/silence.ts';
import { purgeCards } from '#modules/workflow/tickets/cards/sending.ts';
import { purgeEvents } from '#modules/workflow/tickets/stream/placing.ts';
import { pushEvents } from '#modules/workflow/tickets/stream/pushing.ts';
import { actOnTimers } from '#modules/workflow/tickets/automation/timers.ts';
import { startDue } from '#modules/workflow/workflows/scheduled/runs.ts';

/** The machine's own clock might be wrong, and decisions about overdue items are final. */
async function databaseNow(tx: Db): Promise<Date> {
  const { rows } = await tx.execute<{ at: number }>(sql`select extract(epoch from now())::float8 at`);
  return new Date(rows[0]!.at * 1000);
}

/** The jobs that run at intervals, on one node at a time. */
export function periodicJobs({ store, log }: { store: Store; log: Logger }): Job[] {
  const broken = (error: Error, ticket: number) => log.error({ err: error, ticket }, 'ticket left as it is');
  return [
    { name: 'seal logs', title: '封存操作日志', everySeconds: 2, run: sealLogs },
    { name: 'fold refusals', title: '合并重复的拒绝记录', everySeconds: 60, run: foldRefusals },
    {
      name: 'act on overdue tickets',
      title: '处理超时的工单',
      everySeconds: 60,
      run: async (tx: Db) => actOnOverdue(tx, await databaseNow(tx), broken),
    },
    {
      name: 'remind before ticket deadlines',
      title: '提醒即将到期的待办',
      everySeconds: 60,
      run: async (tx: Db) => remindBefore(tx, await databaseNow(tx), broken),
    },
    {
      name: 'act on ticket timers',
      title: '处理到时的流程定时',
      everySeconds: 60,
      run: async (tx: Db) => actOnTimers(tx, await databaseNow(tx), broken),
    },
    {
      name: 'act on questions without an answer',
      title: '处理没有答复的征求',
      everySeconds: 60,
      run: async (tx: Db) => actOnSilence(tx, await databaseNow(tx), broken),
    },
    {
      name: 'start workflows on schedule',
      title: '定时发起流程',
      everySeconds: 30,
      run: async (tx: Db) =>
        startDue(tx, await databaseNow(tx), (error, schedule) => log.error({ err: error, schedule }, 'not started')),
    },
    { name: 'bring ticket events', title: '推送工单事件', everySeconds: 3, run: pushEvents },
    { name: 'purge ticket cards', title: '清理审批卡片', everySeconds: 3600, run: purgeCards },
    { name: 'purge ticket events', title: '清理工单事件', everySeconds: 3600, run: purgeEvents },
    { name: 'purge loose files', title: '清理未使用的附件', everySeconds: 600, run: purgeLoose },
    { name: 'purge old text messages', title: '清理旧的短信内容', everySeconds: 3600, run: purgeOldLogs },
    { name: 'purge exports', title: '清理导出文件', everySeconds: 3600, run: purgeExports },
    { name: 'purge deliveries', title: '清理投递日志', everySeconds: 3600, run: purgeDeliveries },
    { name: 'purge what is spent', title: '清理过期的登录与计数', everySeconds: 3600, run: purgeOfTheHour },
    { name: 'purge portions', title: '清理未传完的附件', everySeconds: 600, run: (tx: Db) => purgePortions(tx, store) },
    {
      name: 'sweep contents',
      title: '清理无主的文件内容',
      everySeconds: 600,
      run: (tx: Db) => sweepContents(tx, store),
    },
  ];
}

async function purgeOfTheHour(tx: Db): Promise<boolean> {
  const more = [await purgeSpent(tx), await purgeSessions(tx), await purgeDevices(tx)];
  return more.includes(true);
}
