import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { loginRules } from '#modules/platform/settings/contract/login.ts';

const portion = 5000;

/**
 * Gives places to what is committed and has none, and answers the last one that was given. One transaction at a time does so, and only what
 * it can see: whoever commits later comes later, whatever was written first. Within a ticket the rows of the log stand in order, for each
 * is written under the lock of its ticket. Where somebody else is just at it, theirs are read the next time.
 */
export async function placeEvents(tx: Db): Promise<number> {
  const held = await tx.execute<{ last: number }>(
    sql`select last::float8 as last from ticket_event_head for update skip locked`,
  );
  if (!held.rows[0]) return lastPlace(tx);
  // A statement of its own: it sees all that was committed before the row was held.
  const { rows } = await tx.execute<{ last: number }>(sql`
    with fresh as (
      select log_id, row_number() over (order by log_id) n
      from (select log_id from ticket_event where position is null order by log_id limit ${portion}) waiting),
    placed as (
      update ticket_event e set position = ${held.rows[0].last}::bigint + fresh.n from fresh where fresh.log_id = e.log_id
      returning e.log_id)
    update ticket_event_head set last = last + (select count(*) from placed) returning last::float8 as last`);
  return rows[0]!.last;
}

async function lastPlace(tx: Db): Promise<number> {
  const { rows } = await tx.execute<{ last: number }>(sql`select last::float8 as last from ticket_event_head`);
  return rows[0]!.last;
}

/**
 * Removes the oldest events, as long as they are older than the operation log is kept: one portion; true when more may wait. The logs of
 * tickets stay. None is removed from among those that are kept, so that whoever reads on misses none unsaid.
 */
export async function purgeEvents(tx: Db): Promise<boolean> {
  const { log_keep_days: days } = (await readRules(tx, loginRules)).value;
  const gone = await tx.execute(sql`
    with kept as (
      select e.position from ticket_event e join ticket_log l on l.id = e.log_id
      where e.position is not null and l.at >= now() - make_interval(days => ${days}) order by e.position limit 1)
    delete from ticket_event where log_id in (
      select log_id from ticket_event
      where position <= coalesce((select position - 1 from kept), (select last from ticket_event_head))
      order by position limit ${portion})`);
  return gone.rowCount === portion;
}
