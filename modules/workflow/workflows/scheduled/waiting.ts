import { eq, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { administered } from '../definition/administer.ts';
import { scheduleTable as s } from '../tables.ts';
import { asIt, placeOf } from './runs.ts';
import { whenText } from './rule.ts';

const open = sql`from workflow_schedule_run r join workflow_schedule s on s.id = r.schedule_id
  join workflow w on w.id = s.workflow_id and not w.is_deleted
  where r.outcome = 'failed' and r.handled_at is null`;

/** Failed dates, waiting for the workflow's administrators. */
export const scheduleWaits: Waits = {
  key: 'schedule',
  page: 'workflow/list',
  path: '/ticket/workflow',
  title: '定时发起未成功',
  mine: async (_tx, viewer) => sql`
    select r.id, s.name || '：' || r.message, null::timestamptz, s.workflow_id::text, r.gmt_created, null::int ${open}
      and ${viewer.id} = any(r.asked)`,
  everybodys: async () => sql`select a.person, null::timestamptz from (select unnest(r.asked) person ${open}) a`,
  linkOf: ({ about }) => placeOf(about!),
};

async function inNameOf(tx: Db, person: number) {
  const rows = await tx
    .select()
    .from(s)
    .where(sql`${s.person_id} = ${person} and not ${s.is_deleted} and ${s.status} = ${inSql(onOff.on)}`)
    .orderBy(s.id);
  return rows.map((row) => ({ ...row, title: row.name, note: `定时发起：${whenText(row)}`, at: null }));
}

/** Schedules in somebody's name; another person replaces them if they may begin the tickets. */
export const scheduleLeaves: Leaves = {
  key: 'schedules',
  title: '定时发起',
  async openOf(tx, person, limit) {
    const rows = await inNameOf(tx, person);
    return heldOf(
      rows.map(({ id, title, note, at }) => ({ id, title, note, at })),
      limit,
    );
  },
  handOver: async (tx, from, to, { user, now }, only) =>
    eachHanded(await inNameOf(tx, from.id), only, async (row) => {
      await administered(tx, user, 'Update', row.workflow_id, true);
      await tx.services.product.running.tryInName(tx, asIt({ ...row, person_id: to.id }, now));
      await tx
        .update(s)
        .set({ person_id: to.id, version: sql`${s.version} + 1` })
        .where(eq(s.id, row.id));
    }),
};
