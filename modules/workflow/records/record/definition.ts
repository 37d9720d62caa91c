import type { AnyColumn, SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { FieldError, Refusal } from '#kernel/contract/refusal.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import type { Searchable } from '#kernel/server/list/search.ts';
import type { LinkModule } from '#modules/platform/links/service.ts';
import type { RecordContent, RecordModule, TicketViewer, Turn, Withheld } from '#modules/workflow/tickets/service.ts';
import type { BoundFlow } from '#modules/workflow/workflows/service.ts';
import { actState, refusedName } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';

type Named =
  | 'id'
  | 'creator_id'
  | 'dept_id'
  | 'ticket_id'
  | 'act_state'
  | 'is_refused'
  | 'version'
  | 'gmt_created'
  | 'gmt_modified'
  | 'search';
/** A table with `recordColumns()` and `approvalColumns()`; with `deletable()` its rows go when their ticket goes. */
export type ApprovalTable = PgTable & Record<Named, AnyPgColumn> & { is_deleted?: AnyPgColumn };

/** What every row of such a table has. */
export interface ApprovalRow {
  id: number;
  creator_id: number;
  dept_id: number | null;
  ticket_id: number | null;
  act_state: number;
  is_refused: boolean;
  version: number;
}
/** Where a record stands, in a word. */
export const standsAs = ({ act_state, is_refused }: Pick<ApprovalRow, 'act_state' | 'is_refused'>): string =>
  is_refused ? refusedName : actState.label(act_state);
/** A row without the words it is found by, which are of use to the index only. */
export type RowOf<T extends ApprovalTable> = Omit<T['$inferSelect'], 'search'> & ApprovalRow;
/** A row as lists and pages read it. */
export type ReadRow<T extends ApprovalTable> = RowOf<T> & { dept_name: string };
export type ColumnsOf<T extends ApprovalTable> = Partial<T['$inferInsert']>;

/** Who asks, with what decides which records they see; `tickets` is found when it is first needed. */
export interface RecordViewer {
  user: Viewer;
  tickets?: TicketViewer;
}

/** What happened to a record: by its ticket, or at once where nothing had to be asked. */
export interface RecordEvent {
  now: Date;
  /** Who really did it; null for the system. */
  by: number | null;
  turn: Turn | null;
  /** Adds to what the operation log says of it. */
  audit(change: Change): void;
}

/** What was said with an event; of several words the last. */
export const saidWith = ({ turn }: Pick<RecordEvent, 'turn'>): string =>
  turn?.log.map((entry) => entry.suggestion).findLast((words) => words !== '') ?? '';

/** Whether a record was approved and is so still. */
export const isThrough = (state: number): boolean => state === actState.finished || state === actState.finishAsked;
/** Actions of a ticket that would undo what it decided: a record that holds something by its approval withholds them, and has a way of its own out of it. */
export const undoing: readonly string[] = ['revoke', 'close', 'state', 'retreat', 'return', 'suspend'];

/** `approved`: the last agreement. `reopened`: it was taken back. `resumed`: it is
 * under way again without having been sent, after a return that was taken back or a move by an administrator. `turned`: every turn of its ticket, after what that is besides. */
export const recordEvents = [
  'submitted',
  'approved',
  'reopened',
  'returned',
  'withdrawn',
  'resumed',
  'closed',
  'deleted',
  'turned',
] as const;
export type RecordEventName = (typeof recordEvents)[number];

/** Which workflow decides a record, null for none; and what of the module starts a workflow, in words. */
export interface Flow<Row> {
  of(tx: Db, row: Row): Promise<number | null>;
  uses(tx: Db, flow: BoundFlow): Promise<string[]>;
}

/** When a record is asked what is wrong with it. */
export interface FaultsAsked extends Pick<RecordEvent, 'now' | 'by'> {
  /** What is about to happen: it is sent off, or agreed to last; both at once is being sent. */
  at: 'submitted' | 'approved';
}

/** Of each event; the record as it will stand, and as it stood before. */
type On<T extends ApprovalTable, Answer> = {
  [name in RecordEventName]?: (
    tx: Db,
    row: RowOf<T>,
    event: name extends 'turned' ? RecordEvent & { turn: Turn } : RecordEvent,
    before: RowOf<T>,
  ) => Answer | Promise<Answer>;
};

/** An approval record, said once. */
export interface RecordDefinition<T extends ApprovalTable, V extends RecordViewer> {
  /** The module its ticket, files, links and messages name. */
  module: string;
  /** What people call one of them. */
  noun: string;
  page(id: number): string;
  table: T;
  /** The page whose data scope reaches records, beside the part somebody has in their tickets. */
  scope?: string;
  /**
   * How it stands among all that somebody started: the page of its list, where `scope` does not name that; the column of its title, where
   * that is no `title`; which of them somebody began, where that is not whoever began its ticket; where another like it is begun.
   */
  started?: {
    page?: string;
    title?: string;
    mine?(viewer: V): SQL;
    copy?: { page: string; of(id: number): string };
  };
  /** Adds to who asks what the conditions below need to know of them. */
  viewer?(tx: Db, user: Viewer): Promise<Omit<V, keyof RecordViewer>>;
  /** Reached like those of the data scope, whatever department they lie in. */
  besides?(viewer: V, code: PermissionCode): SQL;
  /** Seen besides, by whoever asks: what they have received, what is meant for them. Nothing of it for an application kept to tickets. */
  related?(viewer: V, tx: Db): SQL | undefined;
  /** Whoever sees it by `related` alone is a recipient: they hear nothing of its way, and link it with nothing. */
  recipients?: true;
  /**
   * `creator`: a draft is its creator's and has its ticket from the first line on. `scope`: whoever reaches records writes it, and its
   * ticket begins when it is sent. The first unless said.
   */
  drafts?: 'creator' | 'scope';
  /** Decided, it is for others than those who decided: they open its page until then, and find it in no list of records. */
  apart?: true;
  flow: Flow<RowOf<T>>;
  /** What the workflow is told, by the key of its field; nothing where that is undefined. */
  fills: Record<string, (row: RowOf<T>, tx: Db) => unknown>;
  /**
   * What its page shows whoever decides it, by what it is called there. Workflows may keep decisions while that is as it was, and who is
   * asked again reads what is not; without it they ask everybody anew.
   */
  content?(tx: Db, row: RowOf<T>): Promise<RecordContent>;
  /** Its long texts, which are for its page: empty in lists, links and the palette. */
  long?: readonly string[];
  /** Condition of an index on creation and id: a search for what is common goes along it. */
  newest?: SQL;
  /** By what figure its list knows it, where it has one: an amount, a time. Told to whoever it waits for, beside what it is. */
  figure?(row: RowOf<T>): string;
  /** What it is found by. */
  search(row: RowOf<T>): Searchable;
  /** What is wrong with it, or thrown as a refusal of its own: asked when it is sent off and before the last agreement. */
  faults?(tx: Db, row: RowOf<T>, event: FaultsAsked): void | FieldError[] | Promise<void | FieldError[]>;
  /** Columns that say what its ticket says, set with each of its turns. */
  mirrors?(turn: Turn): ColumnsOf<T>;
  /** Columns an event sets. What it throws undoes the event. */
  on?: On<T, ColumnsOf<T> | void>;
  /** What follows of it, once the row says so. */
  after?: On<T, void>;
  /** What the ticket does not offer as the record stands, whoever asks; or a rule for each offer. */
  guard?(row: RowOf<T>, tx: Db, definition: Definition): Refusal | Withheld | null | Promise<Refusal | Withheld | null>;
  /** How the operation log names it, what it says of it before and after, and where it stands, where that is not the ticket's to say. */
  log(row: RowOf<T>): { title: string; facts: Record<string, unknown>; state?: string; sn?: string };
  /** How linked records and the palette name it, where that is not how the log does; `inside` is false for a recipient. */
  card?(row: RowOf<T>, inside: boolean): { title: string; sn?: string; state?: string };
  /** Which of its records others name: what is secret stands in no list but its own. All unless said. */
  named?: SQL;
  /** What links ask of it beyond the usual. */
  links?: Partial<LinkModule>;
  /** Meanings, problems, announcements, leaves, what is not done with: what else its workflows ask of the module. */
  ticket?: Pick<RecordModule, 'meanings' | 'problems' | 'announcementOf' | 'leaves' | 'unsettled'>;
}

/** The column of an approval table that others name by its key. */
export const columnOf = (table: ApprovalTable, key: string): AnyColumn => (table as never)[key];
