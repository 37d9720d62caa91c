import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { isAmong, within } from '#kernel/server/access/scope.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { matches } from '#kernel/server/list/search.ts';
import { holds, scopeOf, type Scope, type Viewer } from '#kernel/server/access/viewer.ts';
import { delegationsOf } from '#modules/workflow/delegations/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { itemState } from '../contract/codes.ts';
import { page } from '../contract/supervise.ts';
import { subTable, superviseTable } from '../tables.ts';

export const module = 'supervision';
export type Item = Omit<typeof superviseTable.$inferSelect, 'search'>;
export type Sub = typeof subTable.$inferSelect;

/** The user, the people they stand in for, and the departments they head or have in scope. */
export interface Asker {
  user: Viewer;
  ids: readonly number[];
  /** Departments headed by the user, or by somebody they stand in for. */
  heads: readonly number[];
  list: Scope;
  depts: readonly number[];
  drafts: boolean;
  chuli: Scope;
}

/** Ids of the person and of everybody they stand in for. */
export async function idsOf(tx: Db, { id }: Pick<Viewer, 'id'>): Promise<number[]> {
  const standsFor = (await delegationsOf(tx, id)).filter((one) => one.workflows === null);
  return [id, ...standsFor.map((one) => one.principal)];
}

export async function askerOf(tx: Db, user: Viewer): Promise<Asker> {
  const ids = await idsOf(tx, user);
  const { rows: led } = await tx.execute<{ dept_id: number }>(
    sql`select distinct dept_id from dept_person where user_id = any(${sql.param(ids)}::int[]) and part in ('leader', 'approver')`,
  );
  const heads = led.map((row) => row.dept_id);
  const list = scopeOf(user, 'Retrieve', page);
  const tasks = scopeOf(user, 'Retrieve', 'supervise/task');
  const depts = [...new Set([...heads, ...list.depts, ...tasks.depts])];
  const drafts = holds(user, 'Create', page);
  return { user, ids, heads, list, depts, drafts, chuli: scopeOf(user, 'chuli', page) };
}

const t = superviseTable;
const issued = sql`${t.status} > ${inSql(itemState.draft)}`;

/** Condition: the user sees the item with all details. */
export function whole({ user, ids, list, drafts }: Asker): SQL {
  const mine = or(isAmong(t.supervisor, ids), eq(t.creator_id, user.id))!;
  const named = or(isAmong(t.leader, ids), isAmong(t.owner, ids))!;
  const reached = holds(user, 'Retrieve', page) ? within(list, t.lead_dept, sql`false`) : sql`false`;
  return sql`coalesce(${or(mine, and(issued, or(named, reached)), drafts ? reached : undefined)}, false)`;
}

/** Condition: the part is the person's own or their department's. */
export const ownSub = ({ ids, depts }: Pick<Asker, 'ids' | 'depts'>): SQL =>
  sql`(${isAmong(subTable.owner, ids)} or ${subTable.co_users} && ${sql.param([...ids])}::int[] or ${isAmong(subTable.dept, depts)})`;

/** Condition: the user may see the item: with all details, through an own part, or because it is public. */
export const visible = (asker: Asker): SQL =>
  asker.list.all && asker.drafts
    ? sql`not ${t.is_deleted}`
    : sql`(not ${t.is_deleted} and (${whole(asker)} or (${issued} and (${t.is_public} or ${hasOwnSub(asker)}))))`;

/** Condition: the user has an own part in the item. */
export const hasOwnSub = (asker: Asker): SQL =>
  sql`exists (select from ${subTable} where ${subTable.supervise_id} = ${t.id} and ${subTable.issued_at} is not null and ${ownSub(asker)})`;

/** Condition: the user may read the item's text; of other public items, only the fields of rows. */
export const inside = (asker: Asker): SQL => sql`(${whole(asker)} or ${hasOwnSub(asker)})`;

/** Condition: the words match in fields the user may read, or name its people to those who know them; of public items, only in title and number. */
export function saying(asker: Asker, words: string): SQL | undefined {
  return saysOrShows(
    words,
    (word) => {
      const said = matches(t.search, word);
      return said && and(said, or(inside(asker), containsWords(sql`${t.title} || ' ' || ${t.sn}`, word)));
    },
    (ids) => and(inside(asker), sql`(${t.owner} in ${ids} or ${t.supervisor} in ${ids} or ${t.leader} in ${ids})`),
  );
}

/** Condition: the person does or did the part: it is theirs now, they reported on it, or a sheet was written to them. */
export const didSub = ({ ids }: Asker): SQL =>
  sql`(${ownSub({ ids, depts: [] })}
    or exists (select from supervise_progress p where p.sub_id = ${subTable.id} and (p.reporter = any(${sql.param([...ids])}::int[]) or p.reporter_for = any(${sql.param([...ids])}::int[])))
    or exists (select from supervise_sheet h where h.sub_id = ${subTable.id} and h.owner = any(${sql.param([...ids])}::int[])))`;
/** Condition: the person does or did some part of the item. */
export const didSome = (asker: Asker): SQL =>
  sql`exists (select from ${subTable} where ${subTable.supervise_id} = ${t.id} and ${didSub(asker)})`;

/** Condition: the person may see the part; needs its item joined. */
export const visibleSub = (asker: Asker): SQL =>
  sql`(not ${t.is_deleted} and (${whole(asker)} or (${issued} and (${t.is_public} or ${ownSub(asker)}))))`;
/** Condition: the person may read the part's reports. */
export const insideSub = (asker: Asker): SQL => sql`(${whole(asker)} or (${issued} and ${ownSub(asker)}))`;

/** Ids of those people who may not read the details of an item, or of one of its parts. */
export async function keptFrom(tx: Db, ids: readonly number[], item: number, sub: number | null): Promise<number[]> {
  const kept: number[] = [];
  for (const id of new Set(ids)) {
    const person = await personWithRights(tx, id);
    const asker = await askerOf(tx, viewerOf(person!, 0));
    const [read] = await tx
      .select({ id: t.id })
      .from(t)
      .leftJoin(subTable, eq(subTable.id, sub ?? 0))
      .where(and(eq(t.id, item), sub ? insideSub(asker) : inside(asker)));
    if (!read) kept.push(id);
  }
  return kept;
}

/**
 * An item the user may see; all others answer as absent. `locked` locks it for writing with everything below it; `what` is the noun of the
 * refusal.
 */
export async function requireItem(tx: Db, asker: Asker, id: number, locked = false, what = '督办事项') {
  const select = tx
    .select({ item: t, whole: sql<boolean>`${whole(asker)}`, own: sql<boolean>`${hasOwnSub(asker)}` })
    .from(t)
    .where(and(eq(t.id, id), visible(asker)));
  const [found] = await (locked ? select.for('no key update', { of: t }) : select);
  if (!found) throw absent(what);
  return found;
}

/** A part the user may see, with its item; when `locked`, the item is locked first. The refusal with `what` does not disclose whether it exists. */
export async function requireSub(tx: Db, asker: Asker, id: number, locked = false, what = '督办任务') {
  const [of] = await tx.select({ item: subTable.supervise_id }).from(subTable).where(eq(subTable.id, id));
  if (!of) throw absent(what);
  const { item } = await requireItem(tx, asker, of.item, locked, what);
  const [found] = await tx
    .select({ sub: subTable, inside: sql<boolean>`${insideSub(asker)}` })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(and(eq(subTable.id, id), visibleSub(asker)));
  if (!found) throw absent(what);
  return { item, ...found };
}
