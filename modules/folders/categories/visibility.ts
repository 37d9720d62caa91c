import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { everybodysRole } from '#modules/access/service.ts';
import { keptRecords, ticketViewerFor, ofTickets } from '#modules/tickets/service.ts';
import { paperStatus } from '../contract/rows.ts';
import { paperTable } from '../tables.ts';

export const page = 'folder/papers';

/** Categories that are kept to departments, by themselves or by one above, as `kept (category, upon)`: every `upon` must be met. */
const keeping = sql`
  above as (
    select id category, id upon from folder_category
    union all select above.category, c.parent_id from above join folder_category c on c.id = above.upon
    where c.parent_id is not null),
  kept as (select distinct above.category, above.upon from above join folder_category_dept d on d.category_id = above.upon)`;

/**
 * Who published papers are meant for, as `(paper_id, person)`: a paper's scope, less those whom its category, or one above that,
 * keeps out. `which` picks the papers, a condition on `p`; the cost is that of their audiences. `meantFor` says the same of one
 * person.
 */
function audience(which: SQL): SQL {
  return sql`
    with recursive asked as (select p.id, p.category_id, p.scope_all from folder_paper p where p.status <> 0 and ${which}),
    people as not materialized (select u.id, u.dept_id from app_user u where u.is_active and not u.is_deleted),
    scoped as (select s.* from folder_paper_scope s where s.paper_id in (select id from asked)),
    ${keeping},
    closed as (select kept.* from kept where kept.category in (select category_id from asked)),
    used as (
      select dept_id top from scoped where dept_id is not null
      union select d.dept_id from closed join folder_category_dept d on d.category_id = closed.upon),
    reach as (
      select top, top dept from used
      union select reach.top, d.id from reach join dept d on d.parent_id = reach.dept),
    there as (
      select reach.top, people.id person from reach join people on people.dept_id = reach.dept
      union select reach.top, b.user_id from reach join user_dept b on b.dept_id = reach.dept
        join people on people.id = b.user_id),
    welcome as (
      select closed.category, closed.upon, there.person from closed
      join folder_category_dept d on d.category_id = closed.upon join there on there.top = d.dept_id),
    barred as (
      select distinct closed.category, people.id person from closed, people where not exists (
        select 1 from welcome w where w.category = closed.category and w.upon = closed.upon and w.person = people.id)),
    meant as (
      select asked.id paper_id, people.id person from asked, people where asked.scope_all
      union select s.paper_id, there.person from scoped s join there on there.top = s.dept_id
      union select s.paper_id, people.id from scoped s join user_role h on h.role_id = s.role_id
        join people on people.id = h.user_id
      union select s.paper_id, people.id from scoped s join role r on r.id = s.role_id and r.code = ${everybodysRole}, people
      union select s.paper_id, people.id from scoped s join people on people.id = s.user_id)
    select meant.paper_id, meant.person from meant join asked on asked.id = meant.paper_id
    where not exists (select 1 from barred where barred.category = asked.category_id and barred.person = meant.person)`;
}
const list = (ids: readonly number[]) => sql`${sql.param([...ids])}::int[]`;
const among = (ids: readonly number[]) => sql`p.id = any(${list(ids)})`;

/** A person with what decides which papers they see. */
export interface PaperViewer extends Viewer {
  /** Departments the person belongs to, with all above them, and roles held, everybody's among them. */
  places: readonly number[];
  roles: readonly number[];
  /** Categories that keep the person out, and those they look after, with all below. */
  barred: readonly number[];
  looksAfter: readonly number[];
}

/** Asked once a call, so that each condition is a plain one. */
export async function paperViewerOf(tx: Db, viewer: Viewer): Promise<PaperViewer> {
  const [row] = await namedRows<Pick<PaperViewer, 'places' | 'roles' | 'barred' | 'looksAfter'>>(
    tx,
    sql`
    with recursive places as (
      (select dept_id dept from app_user where id = ${viewer.id} and dept_id is not null
       union select dept_id from user_dept where user_id = ${viewer.id})
      union select d.parent_id from places join dept d on d.id = places.dept where d.parent_id is not null),
    ${keeping},
    mine as (
      select category_id id from folder_category_manager where user_id = ${viewer.id}
      union select c.id from folder_category c join mine on c.parent_id = mine.id)
    select array(select dept from places) places, array(
        select role_id from user_role where user_id = ${viewer.id} union select id from role where code = ${everybodysRole}) roles,
      array(select category from kept where not exists (
        select 1 from folder_category_dept d join places on places.dept = d.dept_id where d.category_id = kept.upon)) barred,
      array(select id from mine) "looksAfter"`,
  );
  return { ...viewer, ...row! };
}

/** Papers meant for a person; `audience` says the same of everybody. */
export function meantFor(viewer: PaperViewer): SQL {
  const { id, category_id: categoryId, status, scope_all: forAll } = paperTable;
  return sql`(${status} <> 0 and (${forAll} or ${id} in (select s.paper_id from folder_paper_scope s where
      s.dept_id = any(${list(viewer.places)}) or s.role_id = any(${list(viewer.roles)}) or s.user_id = ${viewer.id}))
    and ${categoryId} <> all(${list(viewer.barred)}))`;
}

/** Papers a code reaches: by the department that publishes, the own ones, and those of categories one looks after. */
export function managedBy(viewer: PaperViewer, code: PermissionCode): SQL {
  if (!holds(viewer, code, page)) return sql`false`;
  const own = or(
    eq(paperTable.creator_id, viewer.id),
    sql`${paperTable.category_id} = any(${list(viewer.looksAfter)})`,
  )!;
  return sql`(${within(scopeOf(viewer, code, page), paperTable.dept_id, own)})`;
}

/** What a person sees: what is meant for them, and what they manage, drafts too. */
export function visibleTo(viewer: PaperViewer): SQL {
  return sql`(${meantFor(viewer)} or ${managedBy(viewer, 'Retrieve')})`;
}

/**
 * Whether a person may open a paper: one they see, or a draft whose approval they have a part in. An application that is kept to
 * some tickets opens the latter only.
 */
export async function opens(tx: Db, viewer: PaperViewer, id: number): Promise<boolean> {
  const found = async (condition: SQL) => {
    const rows = await tx
      .select({ id: paperTable.id })
      .from(paperTable)
      .where(and(eq(paperTable.id, id), condition));
    return rows.length > 0;
  };
  const ofTheirs = await ticketViewerFor(tx, viewer, undefined);
  if (!keptRecords(ofTheirs) && (await found(visibleTo(viewer)))) return true;
  return found(sql`${paperTable.status} = ${paperStatus.draft} and ${ofTickets(tx, paperTable.ticket_id, ofTheirs)}`);
}

/** Whether a person may open a paper, and so its files. */
export async function seesPaper(tx: Db, viewer: Viewer, id: number): Promise<boolean> {
  return opens(tx, await paperViewerOf(tx, viewer), id);
}

/** Everybody papers are meant for, as `(paper_id, person)`. */
export const peopleOf = (ids: readonly number[]): SQL => audience(among(ids));

/** Everybody a published paper is meant for. */
export async function audienceOf(tx: Db, paperId: number): Promise<number[]> {
  const { rows } = await tx.execute<{ person: number }>(
    sql`select person from (${audience(among([paperId]))}) a order by person`,
  );
  return rows.map((row) => row.person);
}

/** Whom each of the papers is meant for who has not confirmed it. */
export async function toConfirm(tx: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute<{ id: number; people: number[] }>(sql`
    select a.paper_id id, array_agg(a.person order by a.person) people
    from (${peopleOf(ids)}) a join folder_paper p on p.id = a.paper_id
    where not exists (select from folder_read r where r.paper_id = a.paper_id and r.user_id = a.person
      and r.version_no = p.version_no and r.confirmed_at is not null)
    group by a.paper_id`);
  return new Map(rows.map((row) => [row.id, row.people]));
}

/**
 * How many each paper is meant for, and how many of them have read and confirmed it. A paper for everybody is counted without
 * its readers being looked at one by one: its own counts less those who are not there any more.
 */
export async function readingOf(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, { total: number; read: number; confirmed: number }>> {
  if (ids.length === 0) return new Map();
  const everybody = sql`p.scope_all and p.category_id not in (with recursive ${keeping} select category from kept)`;
  const { rows } = await tx.execute<{ id: number; total: number; read: number; confirmed: number }>(sql`
    with away as materialized (select u.id from app_user u where u.is_deleted or not u.is_active)
    select a.paper_id id, count(*)::int total, count(r.user_id)::int read, count(r.confirmed_at)::int confirmed
    from (${audience(sql`${among(ids)} and not (${everybody})`)}) a join folder_paper p on p.id = a.paper_id
    left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no
      and r.paper_id = any(${list(ids)})
    group by a.paper_id
    union all
    select p.id, (select count(*)::int from app_user u where u.is_active and not u.is_deleted),
      p.read_count - gone.read, p.confirm_count - gone.confirmed
    from folder_paper p cross join lateral (
      select count(*)::int read, count(r.confirmed_at)::int confirmed from away join folder_read r on r.user_id = away.id
      where r.paper_id = p.id) gone
    where p.status <> 0 and ${among(ids)} and ${everybody}`);
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
    from (${audience(among([paperId]))}) a join folder_paper p on p.id = a.paper_id join app_user u on u.id = a.person
    left join dept d on d.id = u.dept_id
    left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no
    order by d.order_id, d.id, u.sort, u.id`);
  return rows;
}
