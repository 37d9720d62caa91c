import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { keyOf, type Party } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';

type Sending = Pick<Stored, 'dept_id' | 'issue_org' | 'main_send' | 'copy_send'>;

/**
 * The addressees subordinate to the sender, by `keyOf`. The sender is the department at the end of 发文机关, else the house, to which all
 * departments are subordinate; the author's department while the field is empty. A subordinate is found by id, or by name: alone, or after
 * that of the house or of the department above it.
 */
export async function subordinatesAmong(tx: Db, doc: Sending): Promise<ReadonlySet<string>> {
  const parties = [...doc.main_send, ...doc.copy_send].filter((one) => one.type !== 'user');
  if (parties.length === 0) return new Set();
  const org = sql`${doc.issue_org}::text`;
  const dept = sql`${doc.dept_id}::int`;
  const column = (of: (party: Party) => unknown) => sql.param(parties.map(of));
  const { rows } = await tx.execute<{ key: string }>(sql`
    with recursive party(key, id, name) as (
        select * from unnest(${column(keyOf)}::text[], ${column((one) => one.id ?? null)}::int[],
          ${column((one) => one.name)}::text[])),
      issuing as (
        select id, name from dept where not is_deleted and right(${org}, length(name)) = name
        order by length(name) desc, (id = ${dept}) desc limit 1),
      top as (select id from issuing union all select ${dept} where ${org} = ''),
      down as (
        select d.id from dept d join top on d.parent_id = top.id where not d.is_deleted
        union select d.id from dept d join down on d.parent_id = down.id where not d.is_deleted),
      below as (
        select d.id, d.name, coalesce(a.name, '') as above from dept d left join dept a on a.id = d.parent_id
        where not d.is_deleted and (d.id in (select id from down) or ${org} <> '' and not exists (select from issuing))),
      house as (select left(${org}, length(${org}) - coalesce((select length(name) from issuing), 0)) as name)
    select p.key from party p, house h
    where exists (select from below b where b.id = p.id
      or p.name in (b.name, b.above || b.name, h.name || b.name, h.name || b.above || b.name))`);
  return new Set(rows.map((row) => row.key));
}
