import { sql, type SQL } from 'drizzle-orm';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { everybodyIn, meantFor as meantForPerson } from '#modules/platform/people/service/audience.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { paperStatus } from '../contract/list.ts';
import { categoryTable, paperTable } from '../tables.ts';

/** Categories restricted to departments, by themselves or by an ancestor, as `kept (category, upon)`; every `upon` must be met. */
const keeping = sql`
  above as (
    select id category, id upon from folder_category
    union all select above.category, c.parent_id from above join folder_category c on c.id = above.upon
    where c.parent_id is not null),
  kept as (select above.category, above.upon from above join folder_category c on c.id = above.upon and not ('a0' = any(c.audience)))`;
const list = (ids: readonly number[]) => sql`${sql.param([...ids])}::int[]`;

/**
 * Everybody that published papers are meant for, as `(paper_id, person)`: the paper's audience, less those whom its category or an ancestor
 * keeps out. `meantFor` is the same for one person. `which` is a condition on `p` that picks the papers.
 */
export const everybodyOf = (which: SQL): SQL => sql`
  with recursive ${keeping},
  welcome as materialized (${everybodyIn(sql`select c.id, c.audience from folder_category c where c.id in (select upon from kept)`)})
  select m.id paper_id, m.user_id person
  from (${everybodyIn(sql`select p.id, p.audience from folder_paper p where p.status <> ${inSql(paperStatus.draft)} and ${which}`)}) m
  join folder_paper p on p.id = m.id
  where not exists (select from kept where kept.category = p.category_id
    and (kept.upon, m.user_id) not in (select id, user_id from welcome))`;
const among = (ids: readonly number[]) => sql`p.id = any(${list(ids)})`;
/** The same for the given papers. */
export const peopleOf = (ids: readonly number[]): SQL => everybodyOf(among(ids));

/** The facts of the category tree that decide which papers somebody sees. */
export interface PaperViewer extends RecordViewer {
  /** Categories that keep the person out, and those they manage, with all descendants. */
  barred: readonly number[];
  looksAfter: readonly number[];
}

/** Read once per call, so that each condition stays simple. */
export async function treeOf(tx: Db, user: Viewer): Promise<Pick<PaperViewer, 'barred' | 'looksAfter'>> {
  const [row] = await namedRows<Pick<PaperViewer, 'barred' | 'looksAfter'>>(
    tx,
    sql`with recursive ${keeping},
    mine as (
      select id from folder_category where ${user.id} = any(manager_ids)
      union select c.id from folder_category c join mine on c.parent_id = mine.id)
    select array(select distinct category from kept join ${categoryTable} on ${categoryTable.id} = kept.upon
        where not (${meantForPerson(categoryTable.audience, user)})) barred,
      array(select id from mine) "looksAfter"`,
  );
  return row!;
}

/** Papers meant for a person. */
export const meantFor = ({ user, barred }: PaperViewer): SQL =>
  sql`(${paperTable.status} <> ${inSql(paperStatus.draft)} and ${meantForPerson(paperTable.audience, user)}
    and ${paperTable.category_id} <> all(${list(barred)}))`;
export const inCategories = (ids: readonly number[]): SQL => isAmong(paperTable.category_id, ids);

/** Everybody a published paper is meant for. */
export async function audienceOf(tx: Db, paperId: number): Promise<number[]> {
  const { rows } = await tx.execute<{ person: number }>(
    sql`select person from (${peopleOf([paperId])}) a order by person`,
  );
  return rows.map((row) => row.person);
}

const asked = (ids: readonly number[]) => sql`(${peopleOf(ids)}) a join folder_paper p on p.id = a.paper_id`;
/** Columns of the audience `a` of papers `p` who have not confirmed them. */
export const unconfirmedOf = (ids: readonly number[], columns: SQL, joined = sql``): SQL => sql`
  select ${columns} from ${asked(ids)} ${joined} where not exists (select from folder_read r
    where r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no and r.confirmed_at is not null)`;

/** For each paper, the people of its audience who have not confirmed it. */
export async function toConfirm(tx: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const people = sql`a.paper_id id, array_agg(a.person order by a.person) people`;
  const { rows } = await tx.execute<{ id: number; people: number[] }>(
    sql`${unconfirmedOf(ids, people)} group by a.paper_id`,
  );
  return new Map(rows.map((row) => [row.id, row.people]));
}

/**
 * The size of each paper's audience, and how many of it have read and confirmed it. A paper for everybody is counted without going through
 * its readers: by its own counters, less those who have left.
 */
export async function readingOf(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, { total: number; read: number; confirmed: number }>> {
  if (ids.length === 0) return new Map();
  const everybody = sql`'a0' = any(p.audience) and p.category_id not in (with recursive ${keeping} select category from kept)`;
  const { rows } = await tx.execute<{ id: number; total: number; read: number; confirmed: number }>(sql`
    with away as materialized (select u.id from app_user u where u.is_deleted or not u.is_active)
    select a.paper_id id, count(*)::int total, count(r.user_id)::int read, count(r.confirmed_at)::int confirmed
    from (${everybodyOf(sql`${among(ids)} and not (${everybody})`)}) a join folder_paper p on p.id = a.paper_id
    left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no
      and r.paper_id = any(${list(ids)})
    group by a.paper_id
    union all
    select p.id, (select count(*)::int from app_user u where u.is_active and not u.is_deleted),
      p.read_count - gone.read, p.confirm_count - gone.confirmed
    from folder_paper p cross join lateral (
      select count(*)::int read, count(r.confirmed_at)::int confirmed from away join folder_read r on r.user_id = away.id
      where r.paper_id = p.id) gone
    where p.status <> ${inSql(paperStatus.draft)} and ${among(ids)} and ${everybody}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The audience of a paper with reading progress, in the form of `receiptsOf`: one that must be read counts as read once confirmed. */
export const readersOf = ({ id, must_read }: { id: number; must_read: boolean }): SQL => sql`
  select u.id, u.dept_id, r.user_id is not null read, r.confirmed_at is not null done,
    case when ${must_read} then r.confirmed_at is null else r.user_id is null end late
  from ${asked([id])} join app_user u on u.id = a.person
  left join folder_read r on r.paper_id = a.paper_id and r.user_id = a.person and r.version_no = p.version_no`;
