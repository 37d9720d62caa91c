import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { AuditEntry } from '#kernel/server/http/implement.ts';
import { headOf, sealLogs } from './chain.ts';
import { rangesOf, rangesText } from './ranges.ts';
import { rememberRemoval } from '../service.ts';

const portion = 5000;

/**
 * Blanks rows of the log and leaves one that tells how many, which and where the chain stood. Only sealed rows older than
 * `days`; answers how many. The chain still verifies: hashes and places stay.
 */
export async function removeLogs(
  tx: Db,
  asked: { which: SQL; days: number; entry: Omit<AuditEntry, 'changes'> },
): Promise<number> {
  while (await sealLogs(tx));
  const seals: number[] = [];
  let from = '';
  let to = '';
  for (;;) {
    const { rows } = await tx.execute<{ seal: string; at: string }>(sql`
      with old as (
        select id, gmt_created from log
        where seal is not null and removed = 0 and gmt_created < now() - make_interval(days => ${asked.days}) and (${asked.which})
        order by id limit ${portion} for update),
      done as (
        update log set user_id = null, username = '', alias = '', module = '', action = '', object_type = '',
          object_id = '', title = '', method = '', path = '', ip = '', ua = '', result = 0, ms = 0, diff = '[]',
          trace_id = '', gmt_created = 'epoch', search = '', removed = 1
        from old where log.id = old.id returning log.seal::text, old.gmt_created::text as at)
      select * from done`);
    for (const { seal, at } of rows) {
      seals.push(Number(seal));
      if (from === '' || at < from) from = at;
      if (at > to) to = at;
    }
    if (rows.length < portion) break;
  }
  if (seals.length === 0) return 0;
  const head = await headOf(tx);
  const after = {
    条数: seals.length,
    最早: from.slice(0, 19),
    最晚: to.slice(0, 19),
    链首: `${head.seal}:${head.hash}`,
  };
  const change = { type: '操作日志', title: `清除 ${seals.length} 条操作日志`, after };
  await rememberRemoval(tx, { ...asked.entry, changes: [change] }, rangesText(rangesOf(seals)));
  await sealLogs(tx);
  return seals.length;
}
