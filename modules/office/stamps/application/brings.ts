import { and, eq, gte, inArray, lte, or, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState } from '../contract/codes.ts';
import { keeperNow, keptBy } from '../custody/keeper.ts';
import { halfDay } from '../slots/slots.ts';
import { applicationTable, lineTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { isOpen, toSeal, toSealOf } from './lines.ts';

const a = applicationTable;
const until = sql`(due_day + time '23:59:59')::timestamptz`;
const line = sql`from stamp_line l join stamp_application a on a.id = l.application_id and a.act_state = ${inSql(actState.finished)} join stamp on stamp.id = l.stamp_id`;

/** Rows that wait for the keepers of seals. */
export const sealingWaits: Waits = {
  key: 'seal',
  page: 'stamp/desk',
  path: '/stamp/desk',
  title: '待用印',
  mine: (_tx, user) =>
    Promise.resolve(
      sql`select id, title, ${until}, null::text, ready_at, creator_id from stamp_application where ${isOpen} and id in (${toSealOf(user.id)})`,
    ),
  everybodys: () =>
    Promise.resolve(
      sql`select distinct ${keeperNow}, ${until}, a.id from stamp_line
        join stamp_application a on a.id = stamp_line.application_id join stamp on stamp.id = stamp_line.stamp_id where ${toSeal}`,
    ),
  linkOf: (row) => `/stamp/desk?id=${row.id}`,
};

const page = 'stamp/application';
const askedAt = sql`(l.pending ->> 'asked')::timestamptz + interval '30 minutes'`;
/** Sealings that a second person has to confirm. */
const seconds = sql`${line} cross join lateral unnest(array[stamp.supervisor_id, stamp.keeper_id, stamp.backup_id]) second(id)
  where l.pending is not null and second.id is not null and second.id <> (l.pending ->> 'by')::int
    and second.id not in (a.creator_id, a.operator_id)`;
export const confirmWaits: Waits = {
  key: 'seal-second',
  page,
  path: '/stamp/application?category=second',
  title: '待监印',
  mine: (_tx, user) =>
    Promise.resolve(
      sql`select distinct on (a.id) a.id, a.title, ${askedAt}, null::text, (l.pending ->> 'asked')::timestamptz, (l.pending ->> 'by')::int
        ${seconds} and second.id = ${user.id} order by a.id, 3`,
    ),
  everybodys: () => Promise.resolve(sql`select second.id, min(${askedAt}) ${seconds} group by second.id, a.id`),
  linkOf: (row) => `/stamp/detail/${row.id}`,
};

/** Requested extensions of loans, for the heads of the seals' departments. */
const asked = sql`from stamp_loan o join stamp_line l on l.id = o.line_id join stamp_application a on a.id = l.application_id
  join stamp on stamp.id = o.stamp_id join dept_person p on p.dept_id = stamp.dept_id and p.part in ('leader', 'approver')
  where o.extend_until is not null and o.returned_at is null and p.user_id <> o.extend_by`;
export const extensionWaits: Waits = {
  key: 'seal-loan',
  page,
  path: '/stamp/application?category=longer',
  title: '待决定延期',
  mine: (_tx, user) =>
    Promise.resolve(
      sql`select distinct on (a.id) a.id, a.title, o.due_at, null::text, null::timestamptz, o.extend_by ${asked} and p.user_id = ${user.id} order by a.id, 3`,
    ),
  everybodys: () => Promise.resolve(sql`select p.user_id, min(o.due_at) ${asked} group by p.user_id, a.id`),
  linkOf: (row) => `/stamp/detail/${row.id}`,
};

/** Slots in the hours of seals, for applicants and keepers. */
export const stampFeeds: Feeds = {
  stamps: {
    name: '用印预约',
    async entries(tx, user, from, to) {
      const rows = await tx
        .select({
          id: lineTable.id,
          application: a.id,
          title: a.title,
          day: lineTable.day,
          part: lineTable.part,
          seal: stampTable.name,
          place: stampTable.place,
          state: lineTable.state,
          version: a.version,
          modified: a.gmt_modified,
        })
        .from(lineTable)
        .innerJoin(a, eq(a.id, lineTable.application_id))
        .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
        .where(
          and(
            inArray(lineTable.state, [lineState.ready, lineState.sealed]),
            gte(lineTable.day, from.slice(0, 10)),
            lte(lineTable.day, to.slice(0, 10)),
            or(eq(a.creator_id, user.id), eq(a.operator_id, user.id), keptBy(user.id)),
          ),
        )
        .orderBy(lineTable.day, lineTable.id)
        .limit(mostEntries + 1);
      return rows.map((row) => {
        const { from: start, to: end } = halfDay({ day: row.day!, part: row.part! });
        return {
          id: row.id,
          title: `用印：${row.seal}`,
          description: row.title,
          place: row.place,
          start,
          end,
          version: row.version,
          modified: row.modified,
          path: `/stamp/detail/${row.application}`,
        };
      });
    },
  },
};
