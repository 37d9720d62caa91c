import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { stampRules } from '../contract/oversight.ts';
import { custodyKind, custodyState } from '../contract/seal-codes.ts';
import { announceOnSeal, sealNews } from '../notify.ts';
import { findAlerts } from '../oversight/alerts.ts';
import { custodyTable, stampTable } from '../tables/seals.ts';

/** Notifies keepers of an expired 代管: the seal is theirs again, and they have to fetch it. */
export async function tellOfEnded(tx: Db): Promise<void> {
  const { kind, state, ended_at, until } = custodyTable;
  const ended = await tx
    .select({ id: custodyTable.id, to: custodyTable.to_id, stamp: stampTable })
    .from(custodyTable)
    .innerJoin(stampTable, eq(stampTable.id, custodyTable.stamp_id))
    .where(
      and(
        eq(kind, custodyKind.caretaker),
        eq(state, custodyState.inEffect),
        isNull(ended_at),
        sql`${until} between now() - interval '7 days' and now()`,
      ),
    )
    .limit(200);
  for (const { id, to, stamp } of ended)
    await announceOnSeal(
      tx,
      sealNews.STAMP_CUSTODY,
      stamp.id,
      {
        id,
        title: `“${stamp.name}”代管到期`,
        content: `“${stamp.name}”的代管已到期，请取回印章并办理代管归还。`,
        occasion: 'ended',
        again: 'never',
        by: null,
      },
      [stamp.keeper_id, to],
    );
}

const name = 'watch seals';
export const custodyTask = ({ databases, settings }: { databases: Databases; settings: Settings }): Task => ({
  name,
  title: '提醒代管到期，查找用印异常',
  run: async () => {
    const rule = await settings.of(stampRules);
    await databases.write(async (tx) => {
      await tellOfEnded(tx);
      await findAlerts(tx, rule);
    });
  },
});
export const custodySchedules: Schedule[] = [{ task: name, cron: '7 * * * *', catchUpHours: 2 }];
