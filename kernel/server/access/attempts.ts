import ipaddr from 'ipaddr.js';
import type pg from 'pg';

/** A limit: at most `limit` tries in a window of `seconds` that begins with the first. */
export interface Limit {
  kind: string;
  limit: number;
  seconds: number;
}
export interface Tries {
  count: number;
  exceeded: boolean;
  /** Seconds until the window ends. */
  retryAfter: number;
}

/** Counts tries in statements of their own, so that what a refusal rolls back is still counted. Shared by all nodes. */
export interface Attempts {
  hit(limit: Limit, subject: string): Promise<Tries>;
  /** Counts a try only while fewer than `below` are counted, in one statement for all nodes; null if it was not counted. */
  hitBelow(below: number, limit: Limit, subject: string): Promise<Tries | null>;
  /** Takes back a try that was counted before it proved to be correct. */
  giveBack(kind: string, subject: string): Promise<void>;
  look(limit: Limit, subject: string): Promise<Tries>;
  forget(kind: string, subject: string): Promise<void>;
}

/** Larger than any count in the column. */
const everSoMany = 2 ** 31 - 1;

/** The subject under which tries from an address are counted: an IPv6 address by its /64, which one household or office has to itself. */
export function addressOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)]).toString()}/64`;
}

export function createAttempts(pool: pg.Pool): Attempts {
  const tries = (limit: Limit, row: { count: number; left: number } | undefined): Tries => ({
    count: row?.count ?? 0,
    exceeded: (row?.count ?? 0) > limit.limit,
    retryAfter: Math.max(1, Math.ceil(row?.left ?? limit.seconds)),
  });
  const hitBelow: Attempts['hitBelow'] = async (below, limit, subject) => {
    const { rows } = await pool.query<{ count: number; left: number }>({
      name: 'attempt-hit',
      text: `insert into attempt as a (kind, subject, count, expires_at)
        values ($1, $2, 1, now() + make_interval(secs => $3))
        on conflict (kind, subject) do update set
          count = case when a.expires_at <= now() then 1 else a.count + 1 end,
          expires_at = case when a.expires_at <= now() then excluded.expires_at else a.expires_at end
          where a.expires_at <= now() or a.count < $4
        returning count, extract(epoch from expires_at - now())::float8 as left`,
      values: [limit.kind, subject, limit.seconds, below],
    });
    return rows[0] ? tries(limit, rows[0]) : null;
  };
  return {
    hitBelow,
    hit: async (limit, subject) => (await hitBelow(everSoMany, limit, subject))!,
    async giveBack(kind, subject) {
      const { rows } = await pool.query<{ count: number }>({
        name: 'attempt-give-back',
        text: `update attempt set count = count - 1 where kind = $1 and subject = $2 and count > 0 returning count`,
        values: [kind, subject],
      });
      if (rows[0]?.count === 0)
        await pool.query('delete from attempt where kind = $1 and subject = $2 and count = 0', [kind, subject]);
    },
    async look(limit, subject) {
      const { rows } = await pool.query<{ count: number; left: number }>({
        name: 'attempt-look',
        text: `select count, extract(epoch from expires_at - now())::float8 as left
          from attempt where kind = $1 and subject = $2 and expires_at > now()`,
        values: [limit.kind, subject],
      });
      return tries(limit, rows[0]);
    },
    async forget(kind, subject) {
      await pool.query('delete from attempt where kind = $1 and subject = $2', [kind, subject]);
    },
  };
}
