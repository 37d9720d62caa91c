import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { lineState } from '../contract/codes.ts';

/** The next reservation of a seal after a moment: a slot or a loan. `but` is a line to ignore. */
export interface Next {
  id: number;
  title: string;
  creator_id: number;
  operator_id: number;
  from: string;
}

export async function nextAfter(tx: Db, stampId: number, after: string, but = 0): Promise<Next | null> {
  const [next] = await namedRows<Next>(
    tx,
    sql`select a.id, a.title, a.creator_id, a.operator_id, left(of_line.from::text, 19) as from
      from stamp_line l join stamp_application a on a.id = l.application_id
      cross join lateral (select coalesce(a.borrow_start, lower(stamp_half_day(l.day, l.part))) as from,
        coalesce(a.borrow_end, upper(stamp_half_day(l.day, l.part))) as until) of_line
      where l.stamp_id = ${stampId} and l.id <> ${but} and l.reserved and l.state in (${inSql(lineState.waiting, lineState.ready)}) and of_line.until > ${after}::timestamptz
      order by of_line.from limit 1`,
  );
  return next ?? null;
}
