import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Held } from '#modules/platform/people/contract/leaves.ts';
import { custodyKind, custodyState, stampStatus } from '../contract/seal-codes.ts';
import { notYours } from '../contract/seal-refusals.ts';

/** The roles of a person in a seal that is not destroyed, the most important first, with the way each is handed over. */
const parts = [
  ['外带陪同人', '归还', '陪同人和保管人在用印办理中'],
  ['保管人', '交接', '保管人和接收人在印章详情中签名'],
  ['代管人', '代管归还', '保管人或代管人在印章详情中'],
  ['监印人', '监印变更', '印章管理人员在印章详情中'],
  ['备岗', '监印变更', '印章管理人员在印章详情中'],
] as const;

const heldBy = (tx: Db, person: number) =>
  namedRows<Held & { first: number }>(
    tx,
    sql`select s.id, s.name as title, string_agg(p.name, '、' order by p.part) as note, min(p.part)::int as first,
        to_char(min(p.at), 'YYYY-MM-DD HH24:MI:SS') as at
      from stamp s cross join lateral (
        select 0, ${parts[0][0]}, l.due_at from stamp_loan l where l.stamp_id = s.id and l.escort_id = ${person} and l.returned_at is null
        union all select 1, ${parts[1][0]}, null where s.keeper_id = ${person}
        union all select 2, ${parts[2][0]}, c.until from stamp_custody c
          where c.stamp_id = s.id and c.kind = ${inSql(custodyKind.caretaker)} and c.state = ${inSql(custodyState.inEffect)} and c.ended_at is null and c.to_id = ${person} and c.during @> now()
        union all select 3, ${parts[3][0]}, null where s.supervisor_id = ${person}
        union all select 4, ${parts[4][0]}, null where s.backup_id = ${person}) p (part, name, at)
      where s.status <> ${inSql(stampStatus.destroyed)} group by s.id order by s.id`,
  );

/** Seals that a leaver keeps, carries or supervises. Custody needs signatures, so they are only shown here, with the reason. */
export const sealLeaves: Leaves = {
  key: 'stamps',
  title: '保管的印章',
  openOf: async (tx, person, limit) => heldOf(await heldBy(tx, person), limit),
  handOver: async (tx, from, _to, _by, only) =>
    eachHanded(await heldBy(tx, from.id), only, async ({ title, first }) => {
      const [, what, who] = parts[first]!;
      throw notYours(`“${title}”的${what}`, who);
    }),
};
