import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { plainSql } from '#kernel/server/db/columns.ts';
import { namedRows, refuseOn, type Db } from '#kernel/server/db/db.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { intoItself, placeThere, sharedPlace, sharesPlaces } from '../contract/refusals.ts';
import { addressTable, scheduleTable } from '../tables.ts';
import type { Stored } from '../record/record.ts';
import { isOffice } from '../record/visibility.ts';

const a = addressTable;
type Asked = Pick<Context, 'tx' | 'audit'> & { user: Viewer };

/** The search vector of a place: its words, their pinyin and initials. */
export const searchOf = (name: string) => searchVector({ texts: [], names: [name] });

/** Remembers the place of a schedule: a shared one if it exists, else one of the writer's own. */
export async function remember(tx: Db, row: Pick<Stored, 'address' | 'creator_id'>): Promise<number | null> {
  if (row.address === '') return null;
  const [found] = await namedRows<{ id: number }>(
    tx,
    sql`with shared as (update leader_address set use_count = use_count + 1, last_used = now()
        where owner_id is null and ${plainSql(sql`name`)} = ${plainly(row.address)} returning id),
      own as (insert into leader_address (owner_id, name, search) select ${row.creator_id}::int, ${row.address}, ${searchOf(row.address)}::tsvector where not exists (select from shared)
        on conflict (coalesce(owner_id, 0), ${plainSql(sql`name`)}) do update set use_count = leader_address.use_count + 1, last_used = now() returning id)
      select id from shared union all select id from own`,
  );
  return found!.id;
}

const mine = (user: Viewer) => or(isNull(a.owner_id), eq(a.owner_id, user.id));
const actionsOn = (user: Viewer, owner: number | null) =>
  owner === user.id || isOffice(user) ? ['edit', 'delete'] : [];

/** Shared places and those somebody used, the most used first. */
export async function placesOf(tx: Db, user: Viewer, words: string) {
  const rows = await tx
    .select()
    .from(a)
    .where(and(mine(user), matches(a.search, words)))
    .orderBy(desc(a.use_count), asc(a.id))
    .limit(100);
  return rows.map(({ owner_id, search: _search, ...row }) => ({
    ...row,
    shared: owner_id === null,
    actions: actionsOn(user, owner_id),
  }));
}

async function held({ tx, user }: Asked, id: number) {
  const [row] = await tx
    .select()
    .from(a)
    .where(and(eq(a.id, id), mine(user)))
    .for('update');
  if (!row) throw absent('地址');
  if (actionsOn(user, row.owner_id).length === 0) throw sharedPlace(row.name);
  return row;
}

export async function dropPlace(context: Asked, id: number): Promise<{ id: number }> {
  const row = await held(context, id);
  await context.tx.delete(a).where(eq(a.id, id));
  context.audit({ type: '常用地址', id, title: row.name, before: { 地址: row.name } });
  return { id };
}

/** Renames a place, shares it, or merges it into another, to which its schedules then refer. */
export async function savePlace(
  context: Asked,
  id: number,
  {
    name,
    campus,
    shared,
    into,
  }: {
    name?: string | undefined;
    campus?: string | undefined;
    shared?: boolean | undefined;
    into?: number | undefined;
  },
): Promise<{ id: number }> {
  const { tx, user, audit } = context;
  // Rows are locked in ascending order of id, whichever is merged into which.
  if (into !== undefined && into < id) await held(context, into);
  const row = await held(context, id);
  if (into === id) throw intoItself(row.name);
  if (into !== undefined) {
    const other = await held(context, into);
    await tx.update(scheduleTable).set({ address_id: into }).where(eq(scheduleTable.address_id, id));
    await tx
      .update(a)
      .set({ use_count: other.use_count + row.use_count })
      .where(eq(a.id, into));
    await tx.delete(a).where(eq(a.id, id));
    audit({ type: '常用地址', id, title: row.name, before: { 地址: row.name }, after: { 并入: other.name } });
    return { id: into };
  }
  if (shared !== undefined && shared !== (row.owner_id === null) && !isOffice(user)) throw sharesPlaces();
  const owner_id = shared === undefined ? row.owner_id : shared ? null : user.id;
  const next = { name: name ?? row.name, campus: campus ?? row.campus, owner_id };
  await tx
    .update(a)
    .set({ ...next, search: searchOf(next.name) })
    .where(eq(a.id, id))
    .catch(refuseOn('leader_address_once', () => placeThere(next.name)));
  const facts = (of: typeof next) => ({ 地址: of.name, 校区: of.campus, 共享: of.owner_id === null });
  audit({ type: '常用地址', id, title: next.name, before: facts(row), after: facts(next) });
  return { id };
}
