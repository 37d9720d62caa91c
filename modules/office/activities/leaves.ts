import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from './contract/codes.ts';
import { activityTable } from './tables.ts';

const t = activityTable;
const { ongoing, finished } = actState;
/** Condition: the person undertakes it, and it is in review, to come, under way or waiting for its summary. */
const of = (person: number) =>
  and(
    eq(t.undertaker, person),
    inArray(t.act_state, [ongoing, finished]),
    lt(t.activity_status, activityStatus.summarised),
    eq(t.is_deleted, false),
  );
async function heldBy(tx: Db, person: number, locks = false) {
  const asked = tx
    .select({ id: t.id, start_time: t.start_time })
    .from(t)
    .where(of(person))
    .orderBy(asc(t.start_time), asc(t.id));
  const rows = await (locks ? asked.for('no key update') : asked);
  // The person who hands it over may not be allowed to read it, so the title is left out.
  return rows.map(({ id, start_time: at }) => ({
    id,
    title: `${(at ?? '').slice(0, 16)} 活动`.trim(),
    note: '承办人',
    at,
  }));
}

/** Activities that the leaver undertakes; the successor hands in the summary. */
export const activityLeaves: Leaves = {
  key: 'activities',
  title: '活动',
  asPerson: true,
  openOf: async (tx, person, limit) => heldOf(await heldBy(tx, person), limit),
  handOver: async (tx, from, to, _by, only) =>
    eachHanded(await heldBy(tx, from.id, true), only, ({ id }) =>
      tx
        .update(t)
        .set({ undertaker: to.id, version: sql`${t.version} + 1` })
        .where(eq(t.id, id)),
    ),
};
