import { and, eq, getTableColumns, or, type InferSelectModel, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { BodyOf, Calls, QueryOf, ReplyOf } from '#kernel/contract/call.ts';
import { nounInUse, type nounCalls } from '#kernel/contract/noun.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { mayCall, type Viewer } from '../access/viewer.ts';
import { countedIn } from '../db/counted.ts';
import { databaseFault, type Db } from '../db/db.ts';
import { checkVersion, touched } from '../db/version.ts';
import { answerOf, handlersOf, selectOf } from '../generic.ts';
import type { Answer, Context, Input } from '../http/implement.ts';
import { contains } from '../list/contains.ts';
import { pageOf, type Order, type PageAsked } from '../list/paging.ts';
import { matches } from '../list/search.ts';

type Values = Record<string, unknown>;
/** The query of the list, with the fields that every list has. */
type Listing<C extends NounCalls> = QueryOf<C['list']> & PageAsked & { search_value: string };
type NounCalls = { [K in keyof ReturnType<typeof nounCalls>]: Calls[string] };
type Extras = Record<string, SQL>;
export type NounCode = 'Retrieve' | 'Update' | 'Delete';
export type NounWork = Omit<Context, 'user'> & { user: Viewer };
type RowOf<T extends PgTable, X extends Extras> = InferSelectModel<T> & {
  [K in keyof X]: X[K] extends SQL<infer V> ? V : never;
};

/** A row that is about to be written. */
interface Writing<T extends PgTable, X extends Extras, C extends NounCalls> {
  /** The row as it will be; for a new one without the values that the database adds. */
  row: InferSelectModel<T>;
  before: RowOf<T, X> | null;
  sent: Partial<BodyOf<C['add']>>;
}

export interface ServedNoun<C extends NounCalls, T extends PgTable, X extends Extras> {
  /** A table with `recordColumns()`, and `deletable()` if other rows may still refer to its rows. Columns have the names of the wire. */
  table: T;
  noun: string;
  /** The name of a row in the operation log; its `name` unless given. */
  title?(row: InferSelectModel<T>): string;
  /** Further fields of a row, as SQL; columns of the table by their own names (`"button"."id"`). */
  select?: X;
  /** Further fields, computed for all rows of a page together. */
  shows?(
    rows: readonly RowOf<T, X>[],
    work: NounWork,
  ): ((row: RowOf<T, X>) => object) | Promise<(row: RowOf<T, X>) => object>;
  /** Columns that the search looks at; the column `search` unless given. */
  search?: readonly PgColumn[];
  /** Another condition by which the search finds a row, such as names from other tables. */
  foundBy?(words: string, work: NounWork): SQL | undefined | Promise<SQL | undefined>;
  /** By columns and selected fields unless given; the first name in the call's `sort` is the default unless `first` is given. */
  order?: Partial<Omit<Order, 'tie'>>;
  /** Filters that are not columns, and a condition for the rows that the viewer may read. */
  where?(query: QueryOf<C['list']>, viewer: Viewer): SQL | undefined;
  /** The rows that a code reaches; a row outside is reported as absent. */
  scope?(viewer: Viewer, code: NounCode): SQL | undefined;
  /** The reason why a person may not change or remove a row although they hold the code: the action is then not offered, and is refused. */
  refuses?(row: RowOf<T, X>, viewer: Viewer, code: Exclude<NounCode, 'Retrieve'>): Error | null | undefined;
  /** Further actions on a row besides changing and removing it. */
  offers?(row: RowOf<T, X>, viewer: Viewer): string[];
  /** Called before a row is written: refuses values that do not fit; returned values are written too, or instead. */
  check?(work: NounWork, writing: Writing<T, X, C>): Promise<Values | void> | Values | void;
  /** Called before a row is removed: refuses while it is needed. */
  removing?(work: NounWork, row: RowOf<T, X>): Promise<void> | void;
  /** Counts of what uses a row, checked before it is removed, by their counter and noun: 个菜单. */
  inUse?: Readonly<Record<string, (id: number, tx: Db) => SQL>>;
  /** Sentences for unique constraints by their names. */
  unique?: Readonly<Record<string, (row: InferSelectModel<T>) => Error>>;
  /** Fields that the operation log keeps in addition to or instead of the titled values; `was` is the previous row. */
  facts?(row: InferSelectModel<T>, was: InferSelectModel<T> | null): Values;
  /** Work that follows a change in the same transaction; `row` is null if it was removed. */
  after?(
    work: NounWork,
    of: { id: number; row: InferSelectModel<T> | null; before: RowOf<T, X> | null },
  ): Promise<void>;
}

const page = ['page', 'per_page', 'search_value', 'order_by', 'desc', 'export'];

type Writes<C extends Calls[string]> = (input: Input<C>, context: Context<C>) => Promise<{ id: number }>;
interface NounHandlers<C extends NounCalls> extends Record<'add' | 'change' | 'remove', unknown> {
  list: Answer<C['list']>;
  add: Writes<C['add']>;
  change: Writes<C['change']>;
  remove: Writes<C['remove']>;
}

/** The handlers of `nounCalls`. */
export function nounHandlers<C extends NounCalls, T extends PgTable, const X extends Extras = Record<never, never>>(
  calls: C,
  of: ServedNoun<C, T, X>,
): NounHandlers<C> {
  type Row = RowOf<T, X>;
  const { table, noun, title = (row: Values) => String(row['name']) } = of;
  const { search, ...columns } = getTableColumns(table) as Record<string, PgColumn> &
    Record<'id' | 'version', PgColumn>;
  const selected = { ...columns, ...of.select } as Record<string, PgColumn | SQL>;
  const there = columns['is_deleted'] ? eq(columns['is_deleted'], false) : undefined;
  const first = shapeOf(calls.list.query).order_by.unwrap().options[0]!;
  const found = async (words: string, work: NounWork) =>
    or(
      ...(of.search?.map((column) => contains(column, words)) ?? (search ? [matches(search, words)] : [])),
      await of.foundBy?.(words, work),
    );
  const filtered = (query: object) =>
    Object.entries(query).flatMap(([key, value]: [string, unknown]) =>
      columns[key] && value !== undefined && !page.includes(key) ? [eq(columns[key], value)] : [],
    );
  const shown = async (rows: readonly Row[], work: NounWork) => {
    const more = await of.shows?.(rows, work);
    const { user } = work;
    return rows.map((row) => ({
      ...row,
      ...more?.(row),
      actions: [
        ...(mayCall(user, calls.change) && !of.refuses?.(row, user, 'Update') ? ['update'] : []),
        ...(of.offers?.(row, user) ?? []),
        ...(mayCall(user, calls.remove) && !of.refuses?.(row, user, 'Delete') ? ['delete'] : []),
      ],
    }));
  };
  const rowForUpdate = async ({ tx, user }: NounWork, id: number, code: 'Update' | 'Delete'): Promise<Row> => {
    const mine = and(eq(columns.id, id), there, of.scope?.(user, code));
    const plain = await tx
      .select(columns)
      .from(table as PgTable)
      .where(mine)
      .for('update');
    // Further counts are made only once nobody else can add to them.
    const rows =
      of.select && plain[0]
        ? await tx
            .select(selected)
            .from(table as PgTable)
            .where(mine)
        : plain;
    const row = rows[0] as Row | undefined;
    if (!row) throw absent(`该${noun}`);
    const refused = of.refuses?.(row, user, code);
    if (refused) throw refused;
    return row;
  };
  const refusing = (row: Values) => (error: unknown) => {
    const said = of.unique?.[databaseFault(error)?.constraint ?? ''];
    throw said ? said(row as InferSelectModel<T>) : error;
  };
  const own = (sent: Values) =>
    Object.fromEntries(Object.entries(sent).filter(([key, value]) => columns[key] && value !== undefined));
  const writing = (row: Values, before: Row | null, sent: Values): Writing<T, X, C> => ({
    row: row as InferSelectModel<T>,
    before,
    sent: sent as Partial<BodyOf<C['add']>>,
  });
  const facts = (row: Values, was: Values | null = null) => ({
    ...titled(calls.add.body!, row),
    ...of.facts?.(row as InferSelectModel<T>, was as InferSelectModel<T> | null),
  });

  const handlers = {
    async list({ query }: { query: Listing<C> }, work: NounWork) {
      const { tx, user } = work;
      const select = selectOf<Row>(tx, selected, table).where(
        and(
          there,
          of.scope?.(user, 'Retrieve'),
          query.search_value ? await found(query.search_value, work) : undefined,
          ...filtered(query),
          of.where?.(query, user),
        ),
      );
      const by = { ...selected, ...of.order?.by } as Order['by'];
      const rows = await pageOf(tx, query, select, { first, ...of.order, by, tie: columns.id });
      return { ...rows, value: await shown(rows.value, work) };
    },

    async add({ body }: { body: Values }, work: NounWork) {
      const { tx, user, audit } = work;
      const row = { ...(columns['creator_id'] ? { creator_id: user.id } : {}), ...own(body) };
      const set = { ...row, ...(await of.check?.(work, writing(row, null, body))) };
      const made = await tx
        .insert(table as PgTable)
        .values(set)
        .returning()
        .catch(refusing(set));
      const after = (made as Values[])[0] as InferSelectModel<T> & { id: number };
      audit({ type: noun, id: after.id, title: title(after), after: facts(after) });
      await of.after?.(work, { id: after.id, row: after, before: null });
      return { id: after.id };
    },

    async change(
      { params: { id }, body }: { params: { id: number }; body: Values & { version?: number } },
      work: NounWork,
    ) {
      const { tx, audit } = work;
      const { version, ...sent } = body;
      const before = await rowForUpdate(work, id, 'Update');
      if (version !== undefined && version !== (before as Values)['version']) {
        const [current] = await shown([before], work);
        checkVersion(noun, before as Row & { version: number }, version, rowSchemaOf(calls).parse(current));
      }
      const row = { ...before, ...own(sent) };
      const set = { ...own(sent), ...(await of.check?.(work, writing(row, before, sent))) };
      const [after] = (await tx
        .update(table as PgTable)
        .set({ ...set, ...touched(columns) })
        .where(eq(columns.id, id))
        .returning()
        .catch(refusing({ ...row, ...set }))) as [InferSelectModel<T>];
      audit({ type: noun, id, title: title(after), before: facts(before), after: facts(after, before) });
      await of.after?.(work, { id, row: after, before });
      return { id };
    },

    async remove({ params: { id } }: { params: { id: number } }, work: NounWork) {
      const { tx, audit } = work;
      const before = await rowForUpdate(work, id, 'Delete');
      const held = await countedIn(tx, of.inUse ?? {}, id);
      if (held.length > 0) throw nounInUse(title(before), held);
      await of.removing?.(work, before);
      await (there
        ? tx
            .update(table as PgTable)
            .set({ is_deleted: true, ...touched(columns) })
            .where(eq(columns.id, id))
        : tx.delete(table).where(eq(columns.id, id)));
      audit({ type: noun, id, title: title(before), before: facts(before) });
      await of.after?.(work, { id, row: null, before });
      return { id };
    },
  };
  return handlersOf<NounHandlers<C>>(handlers);
}

type Listed<C extends Calls[string]> = ReplyOf<C> extends { value: (infer R)[] } ? R : never;
/** Returns one row as its list shows it to a person; refuses as absent if the list does not show it to them. */
export async function shownRow<C extends Calls[string]>(
  list: Answer<C>,
  noun: string,
  id: number,
  work: NounWork,
): Promise<Listed<C>> {
  const query = { page: 1, per_page: 1, search_value: '', id };
  const { value } = (await answerOf(list, { query }, work)) as { value: Listed<C>[] };
  if (value.length === 0) throw absent(`该${noun}`);
  return value[0]!;
}

interface Inside {
  order_by: { unwrap(): { options: string[] } };
  value: { element: { parse(row: unknown): unknown } };
}
/** Fields of the query and of the reply of a list, as `listQuery` and `listOf` make them. */
const shapeOf = (schema: unknown) => (schema as { shape: Inside }).shape;
/** The schema of a row in the reply of the list. */
const rowSchemaOf = (calls: NounCalls) => shapeOf(calls.list.reply).value.element;
