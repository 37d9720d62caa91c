import { sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { notify } from '#kernel/server/live/bus.ts';
import { backupRules } from '../contract/setup.ts';

/** Notes the time that a completed backup reaches to; an earlier one than is known changes nothing. */
export async function noteBackup(tx: Db, until: Date): Promise<void> {
  const value = { last: momentText(until) };
  await tx
    .insert(settingTable)
    .values({ key: backupRules.key, value })
    .onConflictDoUpdate({
      target: settingTable.key,
      set: { value, version: sql`${settingTable.version} + 1`, gmt_modified: sql`now()` },
      setWhere: sql`${settingTable.value}->>'last' < ${value.last}`,
    });
  await notify(tx, 'settings', backupRules.key);
}
