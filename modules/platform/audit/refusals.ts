import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { AuditEntry } from '#kernel/server/http/implement.ts';
import { remember } from './service.ts';
import { refusalTable } from './tables.ts';

/** Seconds within which refusals of one person and call are reported together. */
const foldSeconds = 600;
const portion = 100;

/** Logs a refusal: the first at once; later ones of the same person and call are counted and written as one row. */
export async function rememberRefusal(tx: Db, entry: AuditEntry): Promise<void> {
  const [row] = await tx
    .insert(refusalTable)
    .values({ who: whoOf(entry), call: `${entry.module} ${entry.action}`, result: entry.result, entry: kept(entry) })
    .onConflictDoUpdate({
      target: [refusalTable.who, refusalTable.call, refusalTable.result],
      set: { more: sql`${refusalTable.more} + 1`, last_at: sql`now()` },
    })
    .returning({ more: refusalTable.more });
  if (row!.more === 0) await remember(tx, entry);
}

/** Writes one portion of the counts of refusals that began ten minutes ago; returns true if more may wait. */
export async function foldRefusals(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ entry: AuditEntry; more: number; first: string; last: string }>(sql`
    delete from log_refusal where (who, call, result) in (
      select who, call, result from log_refusal where first_at < now() - make_interval(secs => ${foldSeconds})
      order by first_at limit ${portion} for update skip locked)
    returning entry, more, ${clock(sql`first_at`)} as first, ${clock(sql`last_at`)} as last`);
  for (const { entry, more, first, last } of rows) {
    if (more === 0) continue;
    const title = `同样的请求又被拒绝 ${more} 次，${first} 至 ${last}`;
    await remember(tx, { ...entry, changes: [{ type: '拒绝', title, after: { 次数: more } }] });
  }
  return rows.length === portion;
}

const clock = (at: SQL) => sql`to_char(${at}, 'YYYY-MM-DD HH24:MI:SS')`;

const whoOf = ({ user, origin }: AuditEntry) =>
  user?.application ? `application ${user.application.id}` : user ? `user ${user.id}` : origin.ip;

/** Keeps only the person's fields that the log uses. */
function kept({ user, ...entry }: AuditEntry): AuditEntry {
  if (!user) return { ...entry, user };
  const { id, username, alias, application } = user;
  const shown = application && { id: application.id, name: application.name };
  return { ...entry, user: { id, username, alias, ...(shown && { application: shown as typeof application }) } };
}
