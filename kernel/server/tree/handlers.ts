import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Calls, ReplyOf, BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { nodeTaken, type Move, type treeCalls } from '#kernel/contract/tree.ts';
import { mayCall, type Viewer } from '../access/viewer.ts';
import { databaseFault, type Db } from '../db/db.ts';
import { checkVersion } from '../db/version.ts';
import { handlersOf } from '../generic.ts';
import type { Context, Handler, Input } from '../http/implement.ts';
import {
  checkPlace,
  isDeletable,
  isThere,
  lockTree,
  moveNode,
  nest,
  nodeForUpdate,
  refuseUnlessEmpty,
  type Tree,
} from './tree.ts';

type Values = Record<string, unknown>;
type TreeCalls = { [K in keyof ReturnType<typeof treeCalls>]: Calls[string] };
type Work = Context & { user: Viewer };
/** The fields of a node that were sent. */
type Sent<C extends TreeCalls> = Values & Partial<BodyOf<C['add']>>;

/** A node as a module reads it; the tree adds the fields that depend on the whole tree. */
type RowOf<C extends TreeCalls> =
  ReplyOf<C['list']> extends (infer N)[] ? Omit<N, 'children' | 'actions'> & { id: number; parent: number } : never;

export interface ServedTree<C extends TreeCalls> extends Tree {
  /** Rows in order, as far as the viewer may see them; `count` is what each node itself contains, and the counts below it are added. */
  rows(tx: Db, viewer: Viewer, query: QueryOf<C['list']>): Promise<readonly RowOf<C>[]>;
  /**
   * Called before a node is written: refuses values that do not fit. `row` is the node as it will be, `sent` the fields that were sent; returned
   * values are set too, or instead.
   */
  check?(tx: Db, row: Values, sent: Partial<BodyOf<C['add']>>): Promise<Values | void>;
  /** Stores sent fields that are not columns. */
  keep?(tx: Db, id: number, sent: Partial<BodyOf<C['add']>>): Promise<void>;
  /** Further fields of a node for the operation log. */
  facts?(tx: Db, id: number): Promise<Values>;
  /** Sentences for unique constraints by their names; `true` stands for the sentence of a name taken by a sibling. */
  unique?: Readonly<Record<string, true | ((row: Values) => Error)>>;
}

/** The handlers of `treeCalls`. Columns of the table have the names of the wire, except for the position. */
export function treeHandlers<C extends TreeCalls>(
  calls: C,
  tree: ServedTree<C>,
): { [K in keyof TreeCalls]: Handler<C[K]> } {
  const { table, noun } = tree;
  const columns = getTableColumns(table) as Record<string, PgColumn> & { id: PgColumn };
  const keyOf = (name: string) => Object.keys(columns).find((key) => columns[key]!.name === name)!;
  const [parentKey, orderKey] = [keyOf(tree.parent.name), keyOf(tree.order.name)];
  const placed = (row: Values) => ({ ...row, parent: row[parentKey] ?? 0, order_id: row[orderKey] });
  const touched = { [keyOf('version')]: sql`version + 1`, [keyOf('gmt_modified')]: sql`now()` };

  const refusing = (row: Values) => (error: unknown) => {
    const said = tree.unique?.[databaseFault(error)?.constraint ?? ''];
    if (!said) throw error;
    throw said === true ? nodeTaken(noun, String(row['name'])) : said(row);
  };
  const factsOf = async (tx: Db, row: Values & { id: number }) => ({
    ...titled(calls.add.body!, placed(row)),
    ...(await tree.facts?.(tx, row.id)),
  });
  const rowForUpdate = async (tx: Db, id: number): Promise<Values & { id: number; version: number }> => {
    const found = await tx
      .select()
      .from(table)
      .where(and(eq(columns.id, id), isThere(tree)))
      .for('update');
    if (!found[0]) throw absent(`该${noun}`);
    return found[0] as Values & { id: number; version: number };
  };
  const ownOf = (sent: Values): Values =>
    Object.fromEntries(
      Object.entries(sent).filter(([key, value]) => key in columns && key !== orderKey && value !== undefined),
    );

  const add = async ({ body }: { body: Sent<C> }, { tx, audit }: Work) => {
    await lockTree(tx, tree);
    const parent = Number(body['parent'] ?? 0) || null;
    await checkPlace(tx, tree, null, parent);
    const wanted = { ...ownOf(body), [parentKey]: parent };
    const set = { ...wanted, ...(await tree.check?.(tx, placed(wanted), body)) };
    const last = sql`(select coalesce(max(${tree.order}), 0) + 10 from ${table} where ${tree.parent} is not distinct from ${parent}::int)`;
    const [made] = await tx
      .insert(table)
      .values({ ...set, [orderKey]: body['order_id'] ?? last })
      .returning()
      .catch(refusing(body));
    const { id } = made as { id: number };
    await tree.keep?.(tx, id, body);
    audit({ type: noun, id, title: String(body['name']), after: await factsOf(tx, { ...(made as Values), id }) });
    return { id };
  };

  const change = async (
    { params: { id }, body: { version, ...rest } }: { params: { id: number }; body: Values & { version?: number } },
    { tx, audit }: Work,
  ) => {
    const sent = rest as Sent<C>;
    await lockTree(tx, tree);
    const before = await rowForUpdate(tx, id);
    checkVersion(noun, before, version, placed(before));
    const was = await factsOf(tx, before);
    const parent = sent['parent'] === undefined ? before[parentKey] : Number(sent['parent']) || null;
    if (parent !== before[parentKey]) await checkPlace(tx, tree, id, parent as number | null);
    const wanted = { ...ownOf(sent), [parentKey]: parent, [orderKey]: sent['order_id'] ?? before[orderKey] };
    const after = { ...before, ...wanted };
    const set = { ...wanted, ...(await tree.check?.(tx, placed(after), sent)) };
    const [row] = await tx
      .update(table)
      .set({ ...set, ...touched })
      .where(eq(columns.id, id))
      .returning()
      .catch(refusing(after));
    await tree.keep?.(tx, id, sent);
    const title = String((row as Values)['name']);
    audit({ type: noun, id, title, before: was, after: await factsOf(tx, { ...(row as Values), id }) });
    return { id };
  };

  const move = async ({ params: { id }, body }: { params: { id: number }; body: Move }, { tx, audit }: Work) => {
    await lockTree(tx, tree);
    const before = await rowForUpdate(tx, id);
    await moveNode(tx, tree, id, body).catch(refusing(before));
    const after = await rowForUpdate(tx, id);
    const sent: Values = { parent: after[parentKey] };
    await tree.check?.(tx, placed(after), sent as Sent<C>);
    const placeOf = (row: Values) => titled(calls.move.body!, placed(row));
    audit({ type: noun, id, title: String(after['name']), before: placeOf(before), after: placeOf(after) });
    return { id };
  };

  const remove = async ({ params: { id } }: { params: { id: number } }, { tx, audit }: Work) => {
    await lockTree(tx, tree);
    const node = await nodeForUpdate(tx, tree, id);
    await refuseUnlessEmpty(tx, tree, node);
    const before = await factsOf(tx, await rowForUpdate(tx, id));
    await (isDeletable(tree)
      ? tx
          .update(table)
          .set({ ...touched, [keyOf('is_deleted')]: true })
          .where(eq(columns.id, id))
      : tx.delete(table).where(eq(columns.id, id)));
    audit({ type: noun, id, title: node.name, before });
    return { id };
  };

  const list = async ({ query }: Pick<Input<C['list']>, 'query'>, { tx, user }: Work) => {
    const actions = [
      ...(mayCall(user, calls.change) ? ['update'] : []),
      ...(mayCall(user, calls.remove) ? ['delete'] : []),
    ];
    return nest((await tree.rows(tx, user, query)).map((row) => ({ ...row, actions })));
  };
  return handlersOf<{ [K in keyof TreeCalls]: Handler<C[K]> }>({ list, add, change, move, remove });
}
