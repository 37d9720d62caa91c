import type { Call, QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Answer, Context } from '#kernel/server/http/implement.ts';
import type { recordCalls } from '../contract.ts';
import type { ApprovalTable, ColumnsOf, RecordViewer, RowOf } from './definition.ts';
import type { ApprovalRecord } from './record.ts';
import { withoutTicket, type ListAsked, type ListOptions, type RecordApproval } from './rows.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { handlersOf } from '#kernel/server/generic.ts';
import type { RecordCategory } from './visibility.ts';
import { isErasable, isWithAuthor, type Words } from './commands.ts';

type Names = keyof ReturnType<typeof recordCalls>;
type Asked = Omit<Context, 'user'> & { user: Viewer };
/** Fields that every body may hold in addition to the record's own. */
type Body = Record<string, unknown> & Words & { version?: number };
const words = ({ submit, suggestion, choose }: Body): Words => ({ submit, suggestion, choose });

/** A record about to be written: the row as it will be, and the body that was sent. */
export interface RecordWriting<T extends ApprovalTable, V extends RecordViewer> {
  row: Partial<RowOf<T>>;
  sent: Record<string, unknown>;
  viewer: V;
  before: RowOf<T> | null;
}
/** Narrows a list; `category` replaces the requested one. */
export interface ListAnswer extends ListOptions {
  category?: RecordCategory;
}

export interface Shown<C extends Record<Names, Call>, T extends ApprovalTable, V extends RecordViewer> {
  /** Refuses invalid input; the returned columns are written in addition to, or instead of, the fields that are columns by their own names. */
  check?(tx: Db, writing: RecordWriting<T, V>): void | ColumnsOf<T> | Promise<void | ColumnsOf<T>>;
  /** Returns all columns to write, in place of those. */
  columns?(
    tx: Db,
    input: Record<string, unknown>,
    viewer: V,
    before: RowOf<T> | null,
    now: Date,
  ): ColumnsOf<T> | Promise<ColumnsOf<T>>;
  /** Writes what is stored in other tables. */
  beside?(tx: Db, row: RowOf<T>, input: Record<string, unknown>, viewer: V, before: RowOf<T> | null): Promise<void>;
  /** Fields of a row in addition to its columns and its ticket. */
  row?(tx: Db, rows: readonly RowOf<T>[], viewer: V, now: Date): Promise<Map<number, object>>;
  detail?(tx: Db, row: RowOf<T>, viewer: V, now: Date): Promise<object>;
  /** Actions available now in addition to those of its ticket; `more` is the result of `row`. */
  actions?(row: RowOf<T>, viewer: V, more: object, now: Date): string[];
  list?(asked: QueryOf<C['list']>, tx: Db, user: Viewer): ListAnswer | Promise<ListAnswer>;
}

/** The handlers of `recordCalls`, for a record that has no rules of its own for them. */
export function recordHandlers<C extends Record<Names, Call>, T extends ApprovalTable, V extends RecordViewer>(
  _calls: C,
  of: ApprovalRecord<T, V>,
  shown: Shown<C, T, V>,
) {
  const keys = Object.keys(of.columns);
  const columnsOf = async (
    { tx, now }: Asked,
    input: Body,
    viewer: V,
    before: RowOf<T> | null,
  ): Promise<ColumnsOf<T>> => {
    if (shown.columns) return shown.columns(tx, input, viewer, before, now);
    const own = Object.fromEntries(
      Object.entries(input).filter(([key, value]) => value !== undefined && keys.includes(key) && key !== 'version'),
    ) as ColumnsOf<T>;
    const row = { ...before, ...own } as Partial<RowOf<T>>;
    return { ...own, ...(await shown.check?.(tx, { row, sent: input, viewer, before })) };
  };
  const own = (row: RowOf<T>, viewer: V, more: object, now: Date) => [
    ...(isWithAuthor(row) && row.creator_id === viewer.user.id ? ['edit', ...(isErasable(row) ? ['delete'] : [])] : []),
    ...(shown.actions?.(row, viewer, more, now) ?? []),
  ];
  const wire = (
    row: RowOf<T>,
    approval: RecordApproval | null,
    viewer: V,
    now: Date,
    more: object = {},
    offered: readonly string[] = approval?.actions ?? [],
  ) => ({
    ...(approval ?? withoutTicket(row)),
    ...row,
    ...more,
    actions: [...new Set([...offered, ...own(row, viewer, more, now)])],
  });
  const detailOf = async (tx: Db, row: RowOf<T>, viewer: V, now: Date) => {
    const known = await of.approvals(tx, viewer, [row]);
    const beside = (await shown.row?.(tx, [row], viewer, now))?.get(row.id);
    const more = { ...beside, ...(await shown.detail?.(tx, row, viewer, now)) };
    return wire(row, known.get(row.id) ?? null, viewer, now, more, await of.ticketActions(tx, viewer, row));
  };

  const beside =
    (body: Body, viewer: V, { tx }: Asked) =>
    async (row: RowOf<T>, before: RowOf<T> | null) =>
      shown.beside?.(tx, row, body, viewer, before);
  const write =
    (act: string) =>
    async ({ params, body }: { params: { id: number }; body: Body }, context: Asked) => {
      const { tx, user } = context;
      const viewer = await of.viewerOf(tx, user);
      const current = (row: RowOf<T>) => detailOf(tx, row, viewer, context.now);
      const before = await of.requireToWrite(context, viewer, params.id, { act, version: body.version, current });
      const columns = await columnsOf(context, body, viewer, before);
      return of.save(context, before, columns, words(body), beside(body, viewer, context));
    };
  const handlers = {
    async list({ query: given }: { query: ListAsked & QueryOf<C['list']> }, { tx, user, now }: Asked) {
      const { category: asked, ...rest }: ListAsked = given;
      const options = await shown.list?.(given, tx, user);
      const category = options?.category ?? asked;
      const query = { ...rest, category };
      const viewer = await of.viewerOf(tx, user, category);
      const beside = async (rows: readonly RowOf<T>[]) => shown.row?.(tx, rows, viewer, now);
      const { found, more } = await of.list(tx, viewer, query, options, beside);
      return {
        ...found,
        value: found.value.map(({ row, approval }) => wire(row, approval, viewer, now, more?.get(row.id))),
      };
    },
    async create({ body }: { body: Body }, context: Asked) {
      const viewer = await of.viewerOf(context.tx, context.user);
      const columns = await columnsOf(context, body, viewer, null);
      return of.create(context, columns, words(body), beside(body, viewer, context));
    },
    async get({ params }: { params: { id: number } }, { tx, user, now }: Asked) {
      const viewer = await of.viewerOf(tx, user);
      return { value: await detailOf(tx, await of.requireVisible(tx, viewer, params.id), viewer, now) };
    },
    update: write('修改'),
    again: write('重新提交'),
    async remove({ params }: { params: { id: number } }, context: Asked) {
      const viewer = await of.viewerOf(context.tx, context.user);
      return of.remove(context, await of.requireToWrite(context, viewer, params.id, { act: '删除' }));
    },
  };
  return handlersOf<{ [name in keyof typeof handlers]: Answer<C[name]> }>(handlers);
}
