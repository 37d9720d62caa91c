import { desc, sql } from 'drizzle-orm';
import { imageKinds } from '#kernel/contract/upload.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { OwnerRule } from '#modules/platform/files/service.ts';
import type { Card, LinkedEvent, LinkModule } from '#modules/platform/links/service.ts';
import { shiftState } from '../contract/codes.ts';
import { shiftTable } from '../tables.ts';
import { shiftsFor, type Found } from './shifts.ts';
import { linkOf } from './told.ts';

/** Shifts whose log the viewer may read, or from which an entry was carried to a shift they may read; with `file`, only the entry of that file. */
async function readable(tx: Db, viewer: Viewer, ids: readonly number[], file?: number): Promise<Found[]> {
  const asked = sql`any(${sql.param([...ids])}::int[])`;
  const carried = await namedRows<{ from: number; to: number }>(
    tx,
    sql`select distinct e.shift_id "from", s.id "to" from duty_entry e join duty_shift s on e.id = any(s.carried)
      where e.shift_id = ${asked} and (${file ?? null}::int is null or ${file ?? null} = any(e.files))`,
  );
  const all = sql`duty_shift.id = any(${sql.param([...ids, ...carried.map((one) => one.to)])}::int[])`;
  const found = await shiftsFor(tx, viewer, all);
  const reads = new Set(found.filter((one) => one.reads).map((one) => one.id));
  for (const { from, to } of carried) if (reads.has(to)) reads.add(from);
  return found.filter((one) => ids.includes(one.id) && reads.has(one.id));
}

/** Photos of a log, for those who may read the entry they belong to. */
export const dutyFiles: OwnerRule = {
  kinds: imageKinds,
  imageSize: 2400,
  may: async (user, { id, recordId }, tx) => (await readable(tx, user, [Number(recordId)], id)).length > 0,
};

const cardOf = (one: Found): Card => ({
  id: one.id,
  title: `${one.day} ${one.name}`,
  sn: '',
  state: shiftState.label(one.state),
  page: linkOf(one.id),
});
export const dutyLinks: LinkModule = {
  name: '值班班次',
  seen: async (tx, viewer, ids) => new Map((await readable(tx, viewer, ids)).map((one) => [one.id, cardOf(one)])),
  async find(tx, viewer, words) {
    const found = tx
      .select({ id: shiftTable.id })
      .from(shiftTable)
      .where(sql`strpos(day || ' ' || ${shiftTable.name}, ${words.trim()}) > 0 and ${shiftTable.start_time} < now()`)
      .orderBy(desc(shiftTable.start_time))
      .limit(50);
    const seen = await shiftsFor(tx, viewer, sql`duty_shift.id in (${found})`);
    return seen
      .filter((one) => one.reads)
      .slice(-10)
      .toReversed()
      .map(cardOf);
  },
  happened: (tx, ids, most) =>
    namedRows<LinkedEvent>(
      tx,
      sql`select e.id, left(e.at::text, 19) at, alias who, what from (
          select id, taken_at at, taken_by by, '接班' what from duty_shift where taken_at is not null
          union all select shift_id, at, by, '交班' from duty_handover) e join app_user u on u.id = e.by
        where e.id = any(${sql.param([...ids])}::int[]) order by e.at desc limit ${most}`,
    ),
};
