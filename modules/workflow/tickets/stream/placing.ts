import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { loginRules } from '#modules/platform/settings/contract/login.ts';

const portion = 5000;

/**
 * Gives positions to committed events that have none, and returns the last position given. Only one transaction does so at a time, and only for what
 * it can see: a later commit comes later, whatever was written first. Within a ticket the rows are in log order, because each is written under the
 * ticket's lock. While another transaction is placing, its events are read the next time.
 */
export async function placeEvents(tx: Db): Promise<number> {
  const held = await tx.execute<{ last: number }>(
    sql`select last::float8 as last from ticket_event_head for update skip locked`,
  );
  if (!held.rows[0]) return lastPlace(tx);
  // A separate statement: it sees everything that was committed before the row was locked.
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
 * Removes one portion of the oldest events, those older than the operation log is kept; returns true if more may wait. The logs of tickets stay. No
 * gaps arise among the kept events, so that a reader never misses any unnoticed.
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
