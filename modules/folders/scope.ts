import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db.ts';
import { within } from '#kernel/server/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/viewer.ts';
import { everybodysRole } from '#modules/access/service.ts';
import { paperTable } from './tables.ts';

export const page = 'folder/papers';

/**
 * Who each published paper is meant for, as `(paper_id, person)`: the paper's scope, less those whom its category, or one above
 * that, keeps out. `who` limits the people, as a condition on `u`. The only place that says it.
 */
function audience(who: SQL): SQL {
  return sql`
    with recursive people as (select u.id, u.dept_id from app_user u where u.is_active and not u.is_deleted and ${who}),
    places as (
      (select id person, dept_id dept from people where dept_id is not null
       union select b.user_id, b.dept_id from user_dept b join people on people.id = b.user_id)
      union select places.person, d.parent_id from places join dept d on d.id = places.dept where d.parent_id is not null),
    holders as (
      select h.user_id person, h.role_id role from user_role h join people on people.id = h.user_id
      union select people.id, r.id from people, role r where r.code = ${everybodysRole}),
    above as (
      select id category, id upon from folder_category
      union all select above.category, c.parent_id from above join folder_category c on c.id = above.upon
      where c.parent_id is not null),
    kept as (
      select distinct above.category, above.upon from above join folder_category_dept d on d.category_id = above.upon),
    barred as (
      select distinct kept.category, people.id person from kept, people where not exists (
        select 1 from folder_category_dept d join places on places.dept = d.dept_id and places.person = people.id
        where d.category_id = kept.upon)),
    meant as (
      select p.id paper_id, people.id person from folder_paper p, people where p.scope_all
      union select s.paper_id, places.person from folder_paper_scope s join places on places.dept = s.dept_id
      union select s.paper_id, holders.person from folder_paper_scope s join holders on holders.role = s.role_id
      union select s.paper_id, people.id from folder_paper_scope s join people on people.id = s.user_id)
    select meant.paper_id, meant.person from meant join folder_paper p on p.id = meant.paper_id
    where p.status <> 0 and not exists (
      select 1 from barred where barred.category = p.category_id and barred.person = meant.person)`;
}

/** Papers meant for a person. */
export function meantFor(viewer: Pick<Viewer, 'id'>): SQL {
  return sql`${paperTable.id} in (select paper_id from (${audience(sql`u.id = ${viewer.id}`)}) meant_for)`;
}

/** Papers a code reaches: by the department that publishes, the own ones, and those of categories one looks after. */
export function managedBy(viewer: Viewer, code: PermissionCode): SQL {
  if (!holds(viewer, code, page)) return sql`false`;
  const own = or(eq(paperTable.creatorId, viewer.id), sql`${paperTable.categoryId} in (${lookedAfterBy(viewer)})`)!;
  return sql`(${within(scopeOf(viewer, code, page), paperTable.deptId, own)})`;
}

/** Ids of the categories a person looks after, with all below them. */
export function lookedAfterBy(viewer: Pick<Viewer, 'id'>): SQL {
  return sql`
    with recursive mine as (
      select category_id id from folder_category_manager where user_id = ${viewer.id}
      union select c.id from folder_category c join mine on c.parent_id = mine.id)
    select id from mine`;
}

/** What a person sees: what is meant for them, and what they manage, drafts too. */
export function visibleTo(viewer: Viewer): SQL {
  return sql`(${meantFor(viewer)} or ${managedBy(viewer, 'Retrieve')})`;
}

/** Whether a person sees a paper, and so its files. */
export async function seesPaper(tx: Db, viewer: Viewer, id: number): Promise<boolean> {
  const rows = await tx
    .select({ id: paperTable.id })
    .from(paperTable)
    .where(and(eq(paperTable.id, id), visibleTo(viewer)));
  return rows.length > 0;
}

/** Everybody a published paper is meant for. */
export async function audienceOf(tx: Db, paperId: number): Promise<number[]> {
  const { rows } = await tx.execute<{ person: number }>(
    sql`select person from (${audience(sql`true`)}) a where paper_id = ${paperId} order by person`,
  );
  return rows.map((row) => row.person);
}

/** How many each paper is meant for, and how many of them have read and confirmed it. */
export async function readingOf(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, { total: number; read: number; confirmed: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.execute<{ id: number; total: number; read: number; confirmed: number }>(sql`
    select a.paper_id id, count(*)::int total, count(r.user_id)::int read, count(r.confirmed_at)::int confirmed
    from (${audience(sql`true`)}) a join folder_paper p on p.id = a.paper_id
    left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no
    where a.paper_id = any(${sql.param([...ids])}::int[]) group by a.paper_id`);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface Reader {
  [column: string]: unknown;
  id: number;
  alias: string;
  dept_id: number | null;
  dept_name: string;
  read: boolean;
  confirmed: boolean;
}

/** Everybody a paper is meant for and how far they are, by main department. */
export async function readersOf(tx: Db, paperId: number): Promise<Reader[]> {
  const { rows } = await tx.execute<Reader>(sql`
    select u.id, u.alias, u.dept_id, coalesce(d.name, '') dept_name, r.user_id is not null read,
      r.confirmed_at is not null confirmed
    from (${audience(sql`true`)}) a join folder_paper p on p.id = a.paper_id join app_user u on u.id = a.person
    left join dept d on d.id = u.dept_id
    left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no
    where a.paper_id = ${paperId} order by d.order_id, d.id, u.sort, u.id`);
  return rows;
}
