import { desc, sql, type SQL } from 'drizzle-orm';
import { imageKinds } from '#kernel/contract/upload.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { OwnerRule } from '#modules/files/service.ts';
import type { Card, LinkedEvent, LinkModule } from '#modules/links/service.ts';
import { nameOf, shiftStates } from '../contract/codes.ts';
import { shiftTable } from '../tables.ts';
import { shiftsFor } from './shifts.ts';
import { linkOf } from './told.ts';

/** Photos of a log: for whoever may read the log. */
export const dutyFiles: OwnerRule = {
  kinds: imageKinds,
  imageSize: 2400,
  may: async (user, { recordId }, tx) =>
    (await shiftsFor(tx, user, sql`duty_shift.id = ${Number(recordId)}`)).some((one) => one.reads),
};

/** Shifts whose log somebody may read: what is in there is linked by the shift. */
const read = async (tx: Db, viewer: Viewer, where: SQL): Promise<Card[]> =>
  (await shiftsFor(tx, viewer, where, 100))
    .filter((one) => one.reads)
    .map((one) => ({
      id: one.id,
      title: `${one.day} ${one.name}`,
      sn: '',
      state: nameOf(shiftStates, one.state),
      page: linkOf(one.id),
    }));
export const dutyLinks: LinkModule = {
  name: '值班班次',
  seen: async (tx, viewer, ids) =>
    new Map(
      (await read(tx, viewer, sql`duty_shift.id = any(${sql.param([...ids])}::int[])`)).map((one) => [one.id, one]),
    ),
  async find(tx, viewer, words) {
    const found = tx
      .select({ id: shiftTable.id })
      .from(shiftTable)
      .where(sql`strpos(day || ' ' || ${shiftTable.name}, ${words.trim()}) > 0 and ${shiftTable.start_time} < now()`)
      .orderBy(desc(shiftTable.start_time))
      .limit(50);
    return (await read(tx, viewer, sql`duty_shift.id in (${found})`)).slice(-10).toReversed();
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
