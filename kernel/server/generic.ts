// The one place that tells the compiler a type which it cannot derive. Drizzle derives the rows of a statement from the columns of its table, and a
// contract derives the input and the answer of its handlers from its schemas. Where a table or a contract is a type parameter (plain nouns, trees,
// figures, records, imports) both derivations stand still, so that nothing can be assigned to their results. The functions here close that gap, and
// `scripts/structure.ts` refuses such casts everywhere else.
import type { PgSelect, PgSelectBase, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { Db } from './db/db.ts';

type Dynamic = PgSelect['_'];
/** A select that is still open to conditions, orders and locks, from a table that is known only to the compiler of its caller. */
export type SelectOf<Row> = PgSelectBase<
  Dynamic['tableName'],
  Dynamic['selection'],
  Dynamic['selectMode'],
  Dynamic['nullabilityMap'],
  true,
  never,
  Row[]
>;

/** A select as one whose rows are known: `Row` is what the selected fields are in the caller's tables. */
export const withRows = <Row>(select: { $dynamic(): unknown }): SelectOf<Row> => select.$dynamic() as SelectOf<Row>;

/** Selects fields of a table; `Row` is what these fields are in the caller's table. */
export const selectOf = <Row>(tx: Db, fields: SelectedFields, table: PgTable): SelectOf<Row> =>
  withRows<Row>(tx.select(fields).from(table));

type AnyHandler = ((input: never, context: never) => unknown) | { before: unknown; run: unknown };
/**
 * Handlers that are written once for every contract of a kind, as those of one such contract; and those of one contract, as handlers of any call. They
 * get what the schemas of their call let through, and what they answer passes through the schema of its reply before it is sent.
 */
export const handlersOf = <Handlers extends object>(handlers: {
  readonly [K in keyof Handlers]: AnyHandler;
}): Handlers => handlers as unknown as Handlers;

/** Calls a handler of a contract that is a type parameter, with the fields that the contract's kind reads. */
export const answerOf = <Answer>(
  handler: (input: never, context: never) => Answer,
  input: object,
  context: object,
): Answer => handler(input as never, context as never);

/** Some fields of an object, by their names. */
export const picked = <Of extends object, K extends keyof Of>(of: Of, keys: readonly K[]): Pick<Of, K> =>
  Object.fromEntries(keys.map((key) => [key, of[key]])) as Pick<Of, K>;
