import { sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { awayAllDay } from '#modules/workflow/delegations/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { deskPage } from '../contract/applications.ts';
import { custodyKind, custodyState, stampStatus } from '../contract/seal-codes.ts';
import { noDesk } from '../contract/seal-refusals.ts';
import { stampTable } from '../tables/seals.ts';

/**
 * Who may use a seal at this moment: whoever has it 代管, else its keeper, else the one who steps in while the keeper is away for the
 * whole day. A condition on `stamp` (under its own name); the only place where this is said.
 */
export const keeperNow: SQL<number> = sql<number>`coalesce(
  (select c.to_id from stamp_custody c where c.stamp_id = stamp.id and c.kind = ${inSql(custodyKind.caretaker)} and c.state = ${inSql(custodyState.inEffect)} and c.during @> now()),
  case when stamp.backup_id is not null and ${awayAllDay(sql`stamp.keeper_id`)} then stamp.backup_id
    else stamp.keeper_id end)`;

/** Seals a person keeps now. */
export const keptBy = (person: number): SQL =>
  sql`(stamp.status <> ${inSql(stampStatus.destroyed)} and ${keeperNow} = ${person})`;
/** Lines of seals that a condition names: those are few, and asked once for a whole statement instead of for each line. */
export const ofSeals = (which: SQL): SQL =>
  sql`stamp_line.stamp_id = any(array(select stamp.id from stamp where ${which}))`;

/** Who keeps each of some seals now. */
export async function keepersNow(tx: Db, stampIds: readonly number[]): Promise<Map<number, number>> {
  if (stampIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: stampTable.id, keeper: keeperNow.mapWith(Number) })
    .from(stampTable)
    .where(isAmong(stampTable.id, stampIds));
  return new Map(rows.map((row) => [row.id, row.keeper]));
}

/** Refuses whoever would keep a seal without the right to work at the desk. By what they are chosen for. */
export async function requireDesk(tx: Db, chosen: Readonly<Record<string, number | null | undefined>>): Promise<void> {
  for (const [part, id] of Object.entries(chosen)) {
    const person = id ? await personWithRights(tx, id) : null;
    if (person && !holds(viewerOf(person, 0), 'chuli', deskPage)) throw noDesk(part, person.alias);
  }
}
