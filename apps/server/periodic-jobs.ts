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
import { actOnOverdue } from '#modules/workflow/tickets/automation/overdue.ts';
import { actOnSilence } from '#modules/workflow/tickets/automation/silence.ts';
import { purgeCards } from '#modules/workflow/tickets/cards/sending.ts';
import { purgeEvents } from '#modules/workflow/tickets/stream/placing.ts';
import { pushEvents } from '#modules/workflow/tickets/stream/pushing.ts';
import { actOnTimers } from '#modules/workflow/tickets/automation/timers.ts';
import { startDue } from '#modules/workflow/workflows/scheduled/runs.ts';

/** A clock of its own might be wrong, and what is overdue by it is decided for good. */
async function databaseNow(tx: Db): Promise<Date> {
  const { rows } = await tx.execute<{ at: number }>(sql`select extract(epoch from now())::float8 at`);
  return new Date(rows[0]!.at * 1000);
}

/** What is done now and then on one node at a time. */
export function periodicJobs({ store, log }: { store: Store; log: Logger }): Job[] {
  const broken = (error: Error, ticket: number) => log.error({ err: error, ticket }, 'ticket left as it is');
  return [
    { name: 'seal logs', everySeconds: 2, run: sealLogs },
    { name: 'fold refusals', everySeconds: 60, run: foldRefusals },
    {
      name: 'act on overdue tickets',
      everySeconds: 60,
      run: async (tx: Db) => actOnOverdue(tx, await databaseNow(tx), broken),
    },
    {
      name: 'act on ticket timers',
      everySeconds: 60,
      run: async (tx: Db) => actOnTimers(tx, await databaseNow(tx), broken),
    },
    {
      name: 'act on questions without an answer',
      everySeconds: 60,
      run: async (tx: Db) => actOnSilence(tx, await databaseNow(tx), broken),
    },
    {
      name: 'start workflows on schedule',
      everySeconds: 30,
      run: async (tx: Db) =>
        startDue(tx, await databaseNow(tx), (error, schedule) => log.error({ err: error, schedule }, 'not started')),
    },
    { name: 'bring ticket events', everySeconds: 3, run: pushEvents },
    { name: 'purge ticket cards', everySeconds: 3600, run: purgeCards },
    { name: 'purge ticket events', everySeconds: 3600, run: purgeEvents },
    { name: 'purge loose files', everySeconds: 600, run: purgeLoose },
    { name: 'purge old text messages', everySeconds: 3600, run: purgeOldLogs },
    { name: 'purge exports', everySeconds: 3600, run: purgeExports },
    { name: 'purge deliveries', everySeconds: 3600, run: purgeDeliveries },
    { name: 'purge what is spent', everySeconds: 3600, run: purgeOfTheHour },
    { name: 'purge portions', everySeconds: 600, run: (tx: Db) => purgePortions(tx, store) },
    { name: 'sweep contents', everySeconds: 600, run: (tx: Db) => sweepContents(tx, store) },
  ];
}

async function purgeOfTheHour(tx: Db): Promise<boolean> {
  const more = [await purgeSpent(tx), await purgeSessions(tx), await purgeDevices(tx)];
  return more.includes(true);
}
