import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';
import { contentHash, firstHash, linkHash, logRows, type LogRow } from './content.ts';
import { logHeadTable } from '../tables.ts';

const portion = 500;

export interface Head {
  seal: number;
  hash: string;
}

export async function headOf(tx: Db): Promise<Head> {
  const [head] = await tx.select().from(logHeadTable).where(eq(logHeadTable.id, 1));
  return head ?? { seal: 0, hash: firstHash };
}

/**
 * Chains up to 500 new rows to the end; returns true if more may wait. A row committed late is sealed late: positions in the chain follow the
 * sealing, not the ids. Waits for a sealing on another node.
 */
export async function sealLogs(tx: Db): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockOf('audit chain')})`);
  const { rows } = await tx.execute<LogRow>(logRows(sql`seal is null`, 'id', portion));
  if (rows.length === 0) return false;
  let { seal, hash } = await headOf(tx);
  const links = rows.map((row) => {
    const content = contentHash(row);
    const link = { id: row.id, seal: ++seal, content, previous: hash, hash: '' };
    hash = link.hash = linkHash(link.seal, link.id, content, link.previous);
    return link;
  });
  await tx.execute(sql`
    update log set seal = l.seal, content_hash = l.content, prev_hash = l.previous, hash = l.hash
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as l(id bigint, seal bigint, content text, previous text, hash text)
    where log.id = l.id`);
  await tx
    .insert(logHeadTable)
    .values({ id: 1, seal, hash })
    .onConflictDoUpdate({ target: logHeadTable.id, set: { seal, hash } });
  return rows.length === portion;
}
