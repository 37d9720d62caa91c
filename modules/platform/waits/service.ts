import { sql, type SQL } from 'drizzle-orm';
import { exactTotal } from '#kernel/contract/shapes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Waiting } from './contract.ts';

/** What of a module may wait for people, as pieces of SQL: those of all modules together are one statement. */
export interface Waits {
  /** Component of the page it is done on, where that is, and what it is called: 待阅公文. */
  page: string;
  path: string;
  title: string;
  /**
   * What waits for one person: rows `(id, title, due_at, about, since, from_id)`; since when, and who asks, null where that is not
   * known. What decides who they are may be asked before, `once` for several kinds
   * that name it alike.
   */
  mine(tx: Db, viewer: Viewer, once: Once): Promise<SQL>;
  /** What waits for everybody: rows `(user_id, due_at)`. */
  everybodys(tx: Db): Promise<SQL>;
  /** What some of them are, where they are of several sorts, by id; as many statements as there are sorts. */
  whatOf?(tx: Db, rows: readonly { id: number; about: string | null }[]): Promise<ReadonlyMap<number, string>>;
  /** The page that shows one of them. */
  linkOf(row: { id: number; about: string | null }, tx: Db): string;
}

export type Once = <T>(name: string, ask: () => Promise<T>) => Promise<T>;

interface Found extends Record<string, unknown> {
  kind: number;
  count: number;
  overdue: number;
  rows: { id: number; title: string; due_at: string | null; since: string | null; who: string; about: string | null }[];
}

/** What waits for a person: how many of each kind of which there is one, and the first few by name. */
export async function waitsOf(tx: Db, viewer: Viewer, all: readonly Waits[], rows: number): Promise<Waiting[]> {
  if (all.length === 0) return [];
  const named = (index: number) => sql.identifier(`waits_${index}`);
  const known = new Map<string, Promise<unknown>>();
  const once = (name: string, ask: () => Promise<unknown>) => {
    if (!known.has(name)) known.set(name, ask());
    return known.get(name)!;
  };
  const parts = await Promise.all(all.map((one) => one.mine(tx, viewer, once as Once)));
  const lists = parts.map(
    (part, index) => sql`${named(index)} (id, title, due_at, about, since, from_id) as (${part} limit ${exactTotal})`,
  );
  const counts = parts.map((_part, index) => {
    const first = sql`select id, title, to_char(due_at, 'YYYY-MM-DD HH24:MI:SS') due_at, about, to_char(since, 'YYYY-MM-DD HH24:MI:SS') since,
      coalesce((select alias from app_user u where u.id = from_id), '') who from ${named(index)}
      order by ${named(index)}.due_at nulls last, ${named(index)}.since nulls last, id desc limit ${rows}`;
    return sql`select ${index}::int kind, count(*)::int count, (count(*) filter (where due_at < now()))::int overdue,
      ${rows > 0 ? sql`(select coalesce(json_agg(first), '[]') from (${first}) first)` : sql`'[]'::json`} rows from ${named(index)} having count(*) > 0`;
  });
  const { rows: found } = await tx.execute<Found>(
    sql`with ${sql.join(lists, sql`, `)} ${sql.join(counts, sql` union all `)} order by kind`,
  );
  const waiting: Waiting[] = [];
  // One after the other: a connection answers one statement at a time.
  for (const { kind, count, overdue, rows: first } of found) {
    const { page, path, title, linkOf, whatOf } = all[kind]!;
    const named = first.length > 0 ? await whatOf?.(tx, first) : undefined;
    const shown = first.map(({ about, ...row }) => ({
      ...row,
      what: named?.get(row.id) ?? '',
      web_path: linkOf({ id: row.id, about }, tx),
    }));
    waiting.push({ page, path, title, count, overdue, rows: shown });
  }
  return waiting;
}

/** What waits for people alike. */
export interface Duties {
  people: number[];
  kinds: { title: string; count: number; overdue: number }[];
}

/** What waits for everybody whom anything waits for, alike put together; one statement. */
export async function dutiesOf(tx: Db, all: readonly Waits[]): Promise<Duties[]> {
  if (all.length === 0) return [];
  const parts: SQL[] = [];
  for (const [index, one] of all.entries())
    parts.push(sql`select ${index}::int kind, user_id, count(*)::int count, (count(*) filter (where due_at < now()))::int overdue
      from (${await one.everybodys(tx)}) waiting (user_id, due_at) group by user_id`);
  const { rows } = await tx.execute<{ people: number[]; kinds: [number, number, number][] }>(sql`
    with each as (${sql.join(parts, sql` union all `)}),
    persons as (
      select each.user_id, jsonb_agg(jsonb_build_array(kind, count, overdue) order by kind) kinds
      from each join app_user u on u.id = each.user_id and u.is_active and not u.is_deleted group by each.user_id)
    select array_agg(user_id order by user_id) people, kinds from persons group by kinds`);
  return rows.map(({ people, kinds }) => ({
    people,
    kinds: kinds.map(([kind, count, overdue]) => ({ title: all[kind]!.title, count, overdue })),
  }));
}

declare module '#kernel/server/product.ts' {
  interface Product {
    waits: readonly Waits[];
  }
  interface ModuleDefinition {
    /** What of it waits for people. */
    waits?: readonly Waits[];
  }
}
