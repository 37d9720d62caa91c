import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { DeptReceipts, Receipts } from '../contract/receipts.ts';

const namesShown = 20;

/**
 * The progress of recipients by department, in one statement. `people` are rows `(user_id, dept_id, read, done, late)`, one for each: whether they
 * opened it, did more than required, and still have to do something. `viewer`: the person who may urge the others.
 */
export async function receiptsOf(
  tx: Db,
  people: SQL,
  { named, viewer }: { named: boolean; viewer: number },
): Promise<Receipts> {
  const firstOf = (which: SQL) => sql`coalesce(to_json((array_agg(json_build_object('id', u.id, 'alias', u.alias)
    order by u.sort, u.id) filter (where ${which}))[1:${namesShown}::int]), '[]')`;
  const { rows } = await tx.execute<DeptReceipts & { to_urge: number } & Record<string, unknown>>(sql`
    with people (user_id, dept_id, read, done, late) as (${people}),
    counted as (
      select dept_id, count(*)::int total, (count(*) filter (where read))::int read, (count(*) filter (where done))::int done,
        (count(*) filter (where late))::int late,
        (count(*) filter (where late and user_id <> ${viewer} and exists (
          select from app_user u where u.id = user_id and u.is_active and not u.is_deleted)))::int to_urge
      from people group by dept_id),
    named as (
      select p.dept_id, ${firstOf(sql`p.late`)} late_people, ${firstOf(sql`not p.late`)} other_people
      from people p join app_user u on u.id = p.user_id where ${named} group by p.dept_id)
    select counted.*, coalesce(d.name, '') dept_name, coalesce(named.late_people, '[]') late_people,
      coalesce(named.other_people, '[]') other_people
    from counted left join dept d on d.id = counted.dept_id
    left join named on named.dept_id is not distinct from counted.dept_id
    order by d.order_id, d.id`);
  const sum = (key: 'total' | 'read' | 'done' | 'late' | 'to_urge') => rows.reduce((all, dept) => all + dept[key], 0);
  const depts = rows.map(({ to_urge: _urged, ...dept }) => dept);
  return {
    total: sum('total'),
    read: sum('read'),
    done: sum('done'),
    late: sum('late'),
    to_urge: sum('to_urge'),
    depts,
  };
}
