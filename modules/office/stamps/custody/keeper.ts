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
 * The person who may use a seal at this moment: its caretaker (代管), else its keeper, else the backup while the keeper is away for the whole
 * day. SQL on `stamp`; the only definition of this.
 */
export const keeperNow: SQL<number> = sql<number>`coalesce(
  (select c.to_id from stamp_custody c where c.stamp_id = stamp.id and c.kind = ${inSql(custodyKind.caretaker)} and c.state = ${inSql(custodyState.inEffect)} and c.during @> now()),
  case when stamp.backup_id is not null and ${awayAllDay(sql`stamp.keeper_id`)} then stamp.backup_id
    else stamp.keeper_id end)`;

/** Condition: the person keeps the seal now. */
export const keptBy = (person: number): SQL =>
  sql`(stamp.status <> ${inSql(stampStatus.destroyed)} and ${keeperNow} = ${person})`;
/** Condition: the line's seal meets a condition. The seals are few, and are read once per statement instead of for each line. */
export const ofSeals = (which: SQL): SQL =>
  sql`stamp_line.stamp_id = any(array(select stamp.id from stamp where ${which}))`;

/** The present keepers of the given seals. */
export async function keepersNow(tx: Db, stampIds: readonly number[]): Promise<Map<number, number>> {
  if (stampIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: stampTable.id, keeper: keeperNow.mapWith(Number) })
    .from(stampTable)
    .where(isAmong(stampTable.id, stampIds));
  return new Map(rows.map((row) => [row.id, row.keeper]));
}

/** Refuses keepers without the permission of the desk; keys are the roles they were chosen for. */
export async function requireDesk(tx: Db, chosen: Readonly<Record<string, number | null | undefined>>): Promise<void> {
  for (const [part, id] of Object.entries(chosen)) {
    const person = id ? await personWithRights(tx, id) : null;
    if (person && !holds(viewerOf(person, 0), 'chuli', deskPage)) throw noDesk(part, person.alias);
  }
}
