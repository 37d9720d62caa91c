import { sql, type SQL } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { AuditEntry } from '#kernel/server/http/implement.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import { headOf, sealLogs } from './chain.ts';
import { rangesOf, rangesText } from './ranges.ts';
import { rememberRemoval } from '../service.ts';

/** The most rows of one removal, with its transaction and its tombstone. */
export const portion = 2000;

export interface Removal {
  /** Rows must be older than this number of days. */
  days: number;
  entry: Omit<AuditEntry, 'changes'>;
}

/**
 * Clears at most one portion of sealed rows, the oldest first, and writes a row with their number, their positions and the end of the chain; returns
 * how many. The chain still verifies: hashes and positions stay. It is locked only after the rows are cleared, for the time of sealing.
 */
export async function removeLogs(tx: Db, { days, entry }: Removal, which: SQL = sql`true`): Promise<number> {
  // Cleared rows have times before all others, and are not scanned again.
  const { rows } = await tx.execute<{ seal: string; at: string }>(sql`
    with old as (
      select id, gmt_created from log
      where seal is not null and removed = 0 and (${which})
        and gmt_created > 'epoch' and gmt_created < now() - make_interval(days => ${days})
      order by gmt_created, id limit ${portion} for update)
    update log set user_id = null, username = '', alias = '', module = '', action = '', object_type = '',
      object_id = '', title = '', method = '', path = '', ip = '', ua = '', result = 0, ms = 0, diff = '[]',
      trace_id = '', gmt_created = 'epoch', search = '', removed = 1
    from old where log.id = old.id returning log.seal::text, old.gmt_created::text as at`);
  if (rows.length === 0) return 0;
  const moments = rows.map(({ at }) => at.slice(0, 19)).toSorted();
  const head = await headOf(tx);
  const after = {
    条数: rows.length,
    最早: moments[0],
    最晚: moments.at(-1),
    链首: `${head.seal}:${head.hash}`,
  };
  const change = { type: '操作日志', title: `清除 ${rows.length} 条操作日志`, after };
  await rememberRemoval(
    tx,
    { ...entry, changes: [change] },
    rangesText(rangesOf(rows.map(({ seal }) => Number(seal)))),
  );
  // Verification uses sealed tombstones: this one is sealed together with its rows.
  while (await sealLogs(tx));
  return rows.length;
}

const task = 'audit.clear';

/** Queues the removal of the remaining old rows in portions. */
export const removeOthers = (tx: Db, removal: Removal): Promise<void> => enqueue(tx, task, removal, { key: task });

/** Removes portion by portion, each in a transaction of its own, so that nobody waits for all of them. */
export function clearTask(databases: Pick<Databases, 'write'>): Task<Removal> {
  return {
    name: task,
    title: '清除到期的操作日志',
    async run(removal) {
      while ((await databases.write((tx) => removeLogs(tx, removal))) === portion);
    },
  };
}
