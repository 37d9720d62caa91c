import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { demandLeaders } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Guest } from '../contract/shapes.ts';
import { activityGuestTable, activityLeaderTable, activityTable } from '../tables.ts';

/** Background notes older than this no longer count. */
const noteHolds = sql`interval '12 months'`;
export const isNoted = sql<boolean>`(${activityGuestTable.background} <> '' and ${activityTable.act_state} = ${inSql(actState.finished)}
  and ${activityTable.start_time} between now() - ${noteHolds} and now())`;

/** The columns that are derived from the guests. */
export const followsOf = (guests: readonly Guest[]) => ({
  has_foreign: guests.some((guest) => guest.nationality !== 'CN'),
  has_external: guests.some((guest) => guest.is_external),
});

/** Refuses notes of earlier visits of another guest, not approved, or too old. */
export async function refuseNotes(tx: Db, guests: readonly Guest[]): Promise<void> {
  const named = guests.filter((guest) => guest.note_of !== null);
  if (named.length === 0) return;
  const rows = await tx
    .select({ id: activityGuestTable.id, name: activityGuestTable.name, org: activityGuestTable.org })
    .from(activityGuestTable)
    .innerJoin(activityTable, eq(activityTable.id, activityGuestTable.activity_id))
    .where(
      and(
        inArray(
          activityGuestTable.id,
          named.map((guest) => guest.note_of!),
        ),
        isNoted,
      ),
    );
  const wrong = named.find(
    (guest) => !rows.some((row) => row.id === guest.note_of && row.name === guest.name && row.org === guest.org),
  );
  if (wrong)
    throw invalid([{ field: 'guests', label: '嘉宾', msg: `${wrong.name}没有一年内可沿用的背景说明，请填写` }]);
}

/** Writes the guests and leaders of an activity, if given. Leaders who stay keep their schedule. */
export async function writePeople(
  tx: Db,
  activity_id: number,
  { guests, leaders }: { guests?: readonly Guest[] | undefined; leaders?: readonly number[] | undefined },
) {
  if (guests) {
    await tx.delete(activityGuestTable).where(eq(activityGuestTable.activity_id, activity_id));
    const rows = guests.map((guest, no) => ({
      ...guest,
      activity_id,
      no,
      search: searchVector({ texts: [guest.org], names: [guest.name] }),
    }));
    if (rows.length > 0) await tx.insert(activityGuestTable).values(rows);
  }
  if (leaders) {
    const { user_id } = activityLeaderTable;
    await demandLeaders(tx, leaders, '列为出席校领导');
    const others = leaders.length > 0 ? notInArray(user_id, [...leaders]) : undefined;
    await tx.delete(activityLeaderTable).where(and(eq(activityLeaderTable.activity_id, activity_id), others));
    if (leaders.length > 0)
      await tx
        .insert(activityLeaderTable)
        .values(leaders.map((id) => ({ activity_id, user_id: id })))
        .onConflictDoNothing();
  }
  return guests ? followsOf(guests) : {};
}
