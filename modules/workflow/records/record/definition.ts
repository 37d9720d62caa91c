import { getTableColumns, getTableName, type AnyColumn, type SQL } from 'drizzle-orm';
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
/** A table with `recordColumns()` and `approvalColumns()`; with `deletable()` its rows are deleted when their ticket is. */
export type ApprovalTable = PgTable & Record<Named, AnyPgColumn> & { is_deleted?: AnyPgColumn };

/** Columns that every row of such a table has. */
export interface ApprovalRow {
  id: number;
  creator_id: number;
  dept_id: number | null;
  ticket_id: number | null;
  act_state: number;
  is_refused: boolean;
  version: number;
}
/** The state of a record in a word. */
export const standsAs = ({ act_state, is_refused }: Pick<ApprovalRow, 'act_state' | 'is_refused'>): string =>
  is_refused ? refusedName : actState.label(act_state);
/** A row without its search words, which only the index uses. */
export type RowOf<T extends ApprovalTable> = Omit<T['$inferSelect'], 'search'> & ApprovalRow;
/** A row as lists and pages read it. */
export type ReadRow<T extends ApprovalTable> = RowOf<T> & { dept_name: string };
export type ColumnsOf<T extends ApprovalTable> = Partial<T['$inferInsert']>;
/** Columns to set, each to a value or to what the database computes. */
export type SetsOf<T extends ApprovalTable> = {
  [K in keyof T['$inferInsert']]?: T['$inferInsert'][K] | SQL;
};

/** The user who asks, with what decides which records they see; `tickets` is found when it is first needed. */
export interface RecordViewer {
  user: Viewer;
  tickets?: TicketViewer;
}

/** Something that happened to a record: by its ticket, or at once if nobody had to be asked. */
export interface RecordEvent {
  now: Date;
  /** The person who really did it; null for the system. */
  by: number | null;
  turn: Turn | null;
  /** Adds to the entry of the operation log. */
  audit(change: Change): void;
}

/** The comment given with an event; the last one if there are several. */
export const saidWith = ({ turn }: Pick<RecordEvent, 'turn'>): string =>
  turn?.log.map((entry) => entry.suggestion).findLast((words) => words !== '') ?? '';

/** True if a record was approved and still is. */
export const isThrough = (state: number): boolean => state === actState.finished || state === actState.finishAsked;
/** Actions of a ticket that would undo what it decided: a record that holds something by its approval withholds them, and offers its own way out. */
export const undoing: readonly string[] = ['revoke', 'close', 'state', 'retreat', 'return', 'suspend'];

/**
 * `approved`: the last agreement. `reopened`: it was taken back. `resumed`: it is under way again without having been sent, after a return that was
 * taken back or a move by an administrator. `turned`: every event of its ticket, after the more specific one.
 */
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

/** The workflow that decides a record, null for none; and, in words, what of the module starts a given workflow. */
export interface Flow<Row> {
  of(tx: Db, row: Row): Promise<number | null>;
  uses(tx: Db, flow: BoundFlow): Promise<string[]>;
}

/** The circumstances in which a record is checked. */
export interface FaultsAsked extends Pick<RecordEvent, 'now' | 'by'> {
  /** The event about to happen: sending, or the last agreement; both at once counts as sending. */
  at: 'submitted' | 'approved';
}

/** Handlers by event; each gets the record as it will stand, and as it stood before. */
export type On<T extends ApprovalTable, Answer> = {
  [name in RecordEventName]?: (
    tx: Db,
    row: RowOf<T>,
    event: name extends 'turned' ? RecordEvent & { turn: Turn } : RecordEvent,
    before: RowOf<T>,
  ) => Answer | Promise<Answer>;
};

/** The definition of an approval record. */
export interface RecordDefinition<T extends ApprovalTable, V extends RecordViewer> {
  /** The module that its ticket, files, links and messages name. */
  module: string;
  /** The Chinese noun for one record. */
  noun: string;
  page(id: number): string;
  table: T;
  /** The page whose data scope reaches records, in addition to those that reach somebody by their tickets. */
  scope?: string;
  /**
   * Its entry in the list of everything somebody started: the page of its list, if `scope` does not name it; the column of its title, if that is not
   * `title`; a condition for the records somebody began, if that is not whoever began the ticket; the page that begins a copy.
   */
  started?: {
    page?: string;
    title?: string;
    mine?(viewer: V): SQL;
    copy?: { page: string; of(id: number): string };
  };
  /** Adds to the viewer what the conditions below need to know. */
  viewer?(tx: Db, user: Viewer): Promise<Omit<V, keyof RecordViewer>>;
  /** Records reached like those of the data scope, in whatever department they lie. */
  besides?(viewer: V, code: PermissionCode): SQL;
  /** Records also visible to the viewer: those they have received or that are meant for them. Undefined for an application that may see tickets only. */
  related?(viewer: V, tx: Db): SQL | undefined;
  /** Set if people who see it by `related` alone are recipients: they hear nothing of its progress, and cannot link it. */
  recipients?: true;
  /**
   * `creator` (the default): a draft belongs to its creator and has its ticket from the start. `scope`: everybody whose scope reaches records writes
   * it, and its ticket begins when it is sent.
   */
  drafts?: 'creator' | 'scope';
  /** Set if a decided record is for others than those who decided it: they open its page until then, and find it in no list of records. */
  apart?: true;
  flow: Flow<RowOf<T>>;
  /** Values passed to the workflow, by the key of its field; omitted if undefined. */
  fills: Record<string, (row: RowOf<T>, tx: Db) => unknown>;
  /**
   * The content that its page shows to those who decide it, by the titles used there. Workflows may keep decisions while it is unchanged, and people
   * who are asked again read the differences; without it everybody is asked anew.
   */
  content?(tx: Db, row: RowOf<T>): Promise<RecordContent>;
  /** Its long texts, shown on its page only: empty in lists, links and the palette. */
  long?: readonly string[];
  /** Condition of an index on creation and id, used by searches for common words. */
  newest?: SQL;
  /** The figure its list shows, such as an amount or a time. Also shown to those it waits for. */
  figure?(row: RowOf<T>): string;
  /** The texts it is searched by. */
  search(row: RowOf<T>): Searchable;
  /** Condition: people of some ids are among those its rows show besides its author and those whom its ticket waits for. */
  people?(ids: SQL): SQL;
  /** Returns its errors, or throws a refusal of its own: called when it is sent and before the last agreement. */
  faults?(tx: Db, row: RowOf<T>, event: FaultsAsked): void | FieldError[] | Promise<void | FieldError[]>;
  /** Columns that mirror its ticket, set with each ticket event. */
  mirrors?(turn: Turn): ColumnsOf<T>;
  /** Columns an event sets. An error thrown here undoes the event. */
  on?: On<T, SetsOf<T> | void>;
  /** Follow-ups of an event, once the row is written. */
  after?: On<T, void>;
  /** Actions the ticket does not offer in the record's present state, to anybody; or a rule for each action. */
  guard?(row: RowOf<T>, tx: Db, definition: Definition): Refusal | Withheld | null | Promise<Refusal | Withheld | null>;
  /** Its name in the operation log, its facts before and after, and its state, if that is not the ticket's. */
  log(row: RowOf<T>): { title: string; facts: Record<string, unknown>; state?: string; sn?: string };
  /** Its name in linked records and the palette, if that is not the log's; `inside` is false for a recipient. */
  card?(row: RowOf<T>, inside: boolean): { title: string; sn?: string; state?: string };
  /** Records that other places may name: secret ones stand in no list but their own. All by default. */
  named?: SQL;
  /** Overrides of its link entry. */
  links?: Partial<LinkModule>;
  /** Further services its workflows need from the module: meanings, problems, announcements, leaves, open matters. */
  ticket?: Pick<RecordModule, 'meanings' | 'problems' | 'announcementOf' | 'leaves' | 'unsettled'>;
}

/** The column of an approval table that others name by its key. */
export function columnOf(table: ApprovalTable, key: string): AnyColumn {
  const column = getTableColumns(table)[key];
  if (!column) throw new TypeError(`${getTableName(table)} has no column ${key}`);
  return column;
}
