import { sql } from 'drizzle-orm';
import { namedRows } from '#kernel/server/db/db.ts';
import type { Powers } from '#modules/platform/people/service/powers.ts';
import { longestChain } from './service.ts';

/** Somebody with access to a delegate's account can decide for everybody the delegate acts for, directly or through others, now or in the future. */
export const delegationPowers: Powers = {
  async actsFor(tx, person) {
    const rows = await namedRows<{ id: number }>(
      tx,
      sql`with recursive behind(id, hops) as (
        select from_id, 1 from stand_in where to_id = ${person} and ended_at is null and ends_at > now()
        union
        select s.from_id, hops + 1 from behind join stand_in s on s.to_id = behind.id
        where hops < ${longestChain}::int and s.chain_limit > hops and s.ended_at is null and s.ends_at > now())
      select distinct id from behind where id <> ${person} order by id`,
    );
    return rows.map((row) => row.id);
  },
};
