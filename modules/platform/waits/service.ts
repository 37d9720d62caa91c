import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { exactTotal } from '#kernel/contract/shapes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import type { Page, PageAsked } from '#kernel/server/list/paging.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { lightOf, lights } from './contract/due.ts';
import { idOf, peopleWithAside, withAside } from './aside.ts';
import { allKinds, putAside, type WaitingKind, type WaitingRow } from './contract.ts';

export { bringBack } from './aside.ts';

/** A kind of things that wait for people, as pieces of SQL: those of all modules together are one statement. */
export interface Waits {
  /** Its name in addresses, unique among kinds. */
  key: string;
  /** The component and path of the page where it is done, and its name: 待阅公文. */
  page: string;
  path: string;
  title: string;
  /**
   * The things that wait for one person: rows `(id, title, due_at, about, since, from_id)`; `since` and `from_id` are null if unknown. No two rows
   * have the same `id` and `about`. Preparatory queries go through `once`, which shares them among kinds by name.
   */
  mine(tx: Db, viewer: Viewer, once: Once): Promise<SQL>;
  /** The things that wait for everybody: rows `(user_id, due_at)`. */
  everybodys(tx: Db): Promise<SQL>;
  /** Descriptions of some of them, if there are several sorts, with the figure that their list shows, by id; one statement per sort. */
  whatOf?(tx: Db, rows: readonly Named[]): Promise<ReadonlyMap<number, string>>;
  /** The lights of some of them by id, if their list has others than those of deadlines. */
  lightsOf?(tx: Db, rows: readonly Named[]): Promise<ReadonlyMap<number, WaitingRow['light']>>;
  /** Opening is recorded as reading, so its page is not previewed beside a list. */
  notesOpening?: true;
  /** The page that shows one of them. */
  linkOf(row: Named, tx: Db): string;
}
interface Named {
  id: number;
  about: string | null;
}

export type Once = <T>(name: string, ask: () => Promise<T>) => Promise<T>;

/** Runs each named query only once. */
export function onceEach(): Once {
  const known = new Map<string, Promise<unknown>>();
  const once = (name: string, ask: () => Promise<unknown>) => {
    if (!known.has(name)) known.set(name, ask());
    return known.get(name)!;
  };
  return once as Once;
}

/** `whatOf` for a kind whose rows have their figure in `about`. */
export const figureInAbout = (_tx: Db, rows: readonly Named[]) =>
  Promise.resolve(new Map(rows.map(({ id, about }) => [id, about ?? ''])));

/** The condition that a row of a module's own list waits for a person, so that the list shows as many rows as the kind's number says. */
export const isWaiting = async (tx: Db, viewer: Viewer, kind: Pick<Waits, 'mine'>, id: SQLWrapper): Promise<SQL> =>
  sql`${id} in (select waiting.id from (${await kind.mine(tx, viewer, onceEach())}) waiting (id, title, due_at, about, since, from_id))`;

const named = (index: number) => sql.identifier(`waits_${index}`);

/** The rows of these kinds that wait for a person, each kind as a part of one statement. */
async function partsOf(tx: Db, viewer: Viewer, kinds: readonly Waits[]): Promise<SQL> {
  const once = onceEach();
  const parts = await Promise.all(kinds.map((one) => one.mine(tx, viewer, once)));
  return sql.join(
    parts.map(
      (part, index) =>
        sql`${named(index)} as (${withAside(sql`${part} limit ${exactTotal}`, kinds[index]!.key, viewer)})`,
    ),
    sql`, `,
  );
}

/** The numbers of each kind that wait for a person or are put off, without those of zero: the source of all counts of waiting things. */
export async function waitsOf(tx: Db, viewer: Viewer, all: readonly Waits[]): Promise<WaitingKind[]> {
  if (all.length === 0) return [];
  const counts = all.map(
    (_one, index) =>
      sql`select ${index}::int kind, (count(*) filter (where until is null))::int count, (count(*) filter (where until is null and due_at < now()))::int overdue,
        (count(*) filter (where until is not null))::int aside from ${named(index)} having count(*) > 0`,
  );
  const { rows } = await tx.execute<{ kind: number; count: number; overdue: number; aside: number }>(
    sql`with ${await partsOf(tx, viewer, all)} ${sql.join(counts, sql` union all `)} order by kind`,
  );
  return rows.map(({ kind, ...counted }) => {
    const { key, page, path, title } = all[kind]!;
    return { key, page, path, title, ...counted };
  });
}

interface Found {
  kind: number;
  row: string;
  id: number;
  title: string;
  due_at: string | null;
  about: string | null;
  since: string | null;
  who: string;
  until: string | null;
}

/** Within this time of its deadline something is as urgent as if it were late. */
const near = sql`now() + interval '24 hours'`;
/** Late or nearly late ones first, then the longest waiting, then the earliest deadline. */
const byUrgency = sql`case when due_at < now() then 0 when due_at < ${near} then 1 else 2 end,
  case when due_at < ${near} then due_at end, since nulls last, due_at nulls last, kind, id, about`;

/** A page of the things that wait for a person, of one kind or all; beyond the end the last page is returned. */
export async function listWaits(
  tx: Db,
  viewer: Viewer,
  all: readonly Waits[],
  asked: PageAsked & { category: string; search_value: string; whole?: boolean | undefined; only?: readonly string[] },
  now: Date,
): Promise<Page<WaitingRow>> {
  const { page, per_page, category } = asked;
  const aside = category === putAside;
  const ofAll = category === allKinds || aside;
  const kinds = ofAll ? all : all.filter((one) => one.key === category);
  if (kinds.length === 0 && !ofAll) throw absent(`事项类型“${category}”`);
  if (kinds.length === 0) return { value: [], total: 0, page: 1, per_page };
  const each = kinds.map(
    ({ key }, index) =>
      sql`select ${index}::int kind, ${idOf(key)} "row", id, title, due_at, about, since, from_id, until from ${named(index)}`,
  );
  const wanted = asked.only
    ? sql`"row" = any(${sql.param([...asked.only])}::text[])`
    : asked.whole
      ? sql`true`
      : sql`until is ${aside ? sql`not null` : sql`null`}`;
  const {
    rows: [found],
  } = await tx.execute<{ total: number; page: number; rows: Found[] }>(sql`
    with ${await partsOf(tx, viewer, kinds)},
    found as materialized (select * from (${sql.join(each, sql` union all `)}) each_one where ${wanted} and ${containsWords(sql`concat_ws(' ', title, (select alias from app_user u where u.id = from_id))`, asked.search_value) ?? sql`true`}),
    at as (select total, least(${page}::int, greatest(1, ceil(total / ${per_page}::float8)::int)) page from (select count(*)::int total from found) counted)
    select total, page, (select coalesce(json_agg(shown), '[]') from (
      select kind, "row", id, title, to_char(due_at, 'YYYY-MM-DD HH24:MI:SS') due_at, about, to_char(since, 'YYYY-MM-DD HH24:MI:SS') since,
        coalesce((select alias from app_user u where u.id = from_id), '') who, to_char(until, 'YYYY-MM-DD HH24:MI:SS') until
      from found order by found.until, ${byUrgency} limit ${per_page} offset (at.page - 1) * ${per_page}::int) shown) rows from at`);
  const rows = found!.rows;
  const told = new Map<
    number,
    { what?: ReadonlyMap<number, string>; lights?: ReadonlyMap<number, WaitingRow['light']> }
  >();
  // Sequential, because a connection answers one statement at a time.
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    const { whatOf, lightsOf } = kinds[kind]!;
    told.set(kind, { what: await whatOf?.(tx, some), lights: await lightsOf?.(tx, some) });
  }
  const value = rows.map(({ kind, row, id, about, ...said }): WaitingRow => {
    const { key, page: component, title, linkOf, notesOpening } = kinds[kind]!;
    const { what, lights: own } = told.get(kind)!;
    return {
      ...said,
      id: row,
      key,
      page: component,
      kind: title,
      of: id,
      what: what?.get(id) ?? '',
      light: own ? (own.get(id) ?? null) : deadlineLight(said.due_at, now),
      web_path: linkOf({ id, about }, tx),
      notes_opening: notesOpening ?? false,
    };
  });
  return { value, total: found!.total, page: found!.page, per_page };
}

const tones = ['success', 'success', 'warning', 'error'] as const;
/** The light of a deadline; null if its clock does not run. */
export function deadlineLight(due: string | null, now: Date, runs = true): WaitingRow['light'] {
  const light = lightOf(due, runs, now);
  return light === 0 ? null : { word: lights[light], tone: tones[light] };
}

/** Waiting things that people have in common. */
export interface Duties {
  people: number[];
  kinds: { title: string; count: number; overdue: number }[];
}

/** The waiting things of everybody, grouped by equal sets: one statement, and one more for each person who put something off, which is left out. */
export async function dutiesOf(tx: Db, all: readonly Waits[]): Promise<Duties[]> {
  if (all.length === 0) return [];
  const apart = await peopleWithAside(tx);
  const parts: SQL[] = [];
  for (const [index, one] of all.entries())
    parts.push(sql`select ${index}::int kind, user_id, count(*)::int count, (count(*) filter (where due_at < now()))::int overdue
      from (${await one.everybodys(tx)}) waiting (user_id, due_at) group by user_id`);
  const { rows } = await tx.execute<{ people: number[]; kinds: [number, number, number][] }>(sql`
    with each as (${sql.join(parts, sql` union all `)}),
    persons as (
      select each.user_id, jsonb_agg(jsonb_build_array(kind, count, overdue) order by kind) kinds
      from each join app_user u on u.id = each.user_id and u.is_active and not u.is_deleted
      where each.user_id <> all(${sql.param(apart)}::int[]) group by each.user_id)
    select array_agg(user_id order by user_id) people, kinds from persons group by kinds`);
  const together = rows.map(({ people, kinds }) => ({
    people,
    kinds: kinds.map(([kind, count, overdue]) => ({ title: all[kind]!.title, count, overdue })),
  }));
  for (const id of apart) {
    const person = await personWithRights(tx, id);
    const own = person?.active ? await waitsOf(tx, viewerOf(person, 0), all) : [];
    const kinds = own.flatMap(({ title, count, overdue }) => (count > 0 ? [{ title, count, overdue }] : []));
    if (kinds.length > 0) together.push({ people: [id], kinds });
  }
  return together;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    waits: readonly Waits[];
  }
  interface ModuleDefinition {
    /** Its kinds of waiting things. */
    waits?: readonly Waits[];
  }
}
