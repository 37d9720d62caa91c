import { and, eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, prepared, sendAlong, type Db } from '#kernel/server/db/db.ts';
import { numberOf } from '#kernel/server/db/numbering.ts';
import { actState, type ActState, overStates } from '#modules/workflow/workflows/engine/codes.ts';
import { versionsById, type Version } from '#modules/workflow/workflows/service.ts';
import { asks } from '../automation/asking.ts';
import { creatorFacts } from '../commands/facts.ts';
import { setDeadlines, type Clock } from '../automation/deadlines.ts';
import { linked, type LogEnd } from './chain.ts';
import { mainStateId, type TicketState } from '../engine/state.ts';
import { numbered, searchOf } from './numbered.ts';
import { writeParts, type Outcome } from './outcome-parts.ts';
import { recordOf, type RecordRef } from '../records/records.ts';
import type { Facts } from '../engine/work.ts';
import { signed } from '../visibility/delegation.ts';
import { ticketCcTable } from '../tables/readers.ts';
import { ticketTable, ticketTaskTable, ticketTokenTable } from '../tables.ts';

/** A ticket copied to somebody to read. */
export interface Copy {
  user: number;
  /** Null if the flow itself did. */
  from: number | null;
  note: string;
  at: string;
  read_at: string | null;
}

/** A ticket as the core knows it, with the row it was read from. */
export interface Stored {
  id: number;
  sn: string;
  rev: number;
  version: Version;
  state: TicketState;
  submitted_at: string | null;
  parent_ticket_id: number | null;
  parent_ticket_state_id: number | null;
  /** The stay of the parent ticket that it belongs to. */
  parent_token_no: number | null;
  parent_visit: number | null;
  /** The record it decides; null for a plain ticket. */
  record: RecordRef | null;
  due_at: string | null;
  /** True if its record has a deadline of its own. */
  record_due: boolean;
  /** ISO; null while it is not suspended. */
  suspended_at: string | null;
  /** States below which other tickets of the present stay still run. */
  below: readonly number[];
  /** Token number → its deadline and its timer. */
  clocks: ReadonlyMap<number, Clock>;
  finished_at: string | null;
  created: string;
  modified: string;
  /** Numbers of tasks that their people never opened. */
  unread: readonly number[];
  /** Copies, in the order they were made. */
  copies: readonly Copy[];
  /** Task number → the delegate who decided it. */
  delegates: ReadonlyMap<number, number>;
  /** Number of the last log row its reader has seen; null if they never opened it or there is no reader. */
  looked: number | null;
  /** As read in this transaction; safe to write with while it holds the row's lock. */
  log_end: LogEnd;
  /** The facts about its creator for conditions; null if it was only read to be shown. */
  creator: Facts['creator'] | null;
}

export const short = (column: unknown) => sql<string | null>`left(${column}::text, 19)`;

/** Converts a JSON time to the wire format. */
export const moment = (json: string) => json.slice(0, 19).replace('T', ' ');

interface TicketRow extends Omit<
  Stored,
  'log_end' | 'creator' | 'record' | 'version' | 'state' | 'unread' | 'copies' | 'clocks' | 'delegates'
> {
  voided: boolean;
  back_at: string | null;
  log_hash: string | null;
  moment: string;
  biz_module: string | null;
  biz_id: number | null;
  title: string;
  version_id: number;
  act_state: number;
  creator: number;
  creator_dept: number | null;
  authors: number[];
  form: Record<string, unknown>;
  chosen: Record<string, string[]>;
  undo: TicketState['undo'];
  round: number;
  seq: number;
  deleted: boolean;
  tokens: (typeof ticketTokenTable.$inferSelect)[];
  tasks: (typeof ticketTaskTable.$inferSelect)[];
  copies: (typeof ticketCcTable.$inferSelect)[];
}

// Built once as text: assembling it on each call took a quarter of the time of a ticket's page.
const readText = (reader: number) => sql`
  select id, sn, title, log_hash, (extract(epoch from now()) * 1000000)::bigint::text as moment, version_id, act_state, creator_id as creator, dept_id as creator_dept, author_ids as authors, form, chosen, undo, round, seq, rev,
    is_deleted as deleted, is_void as voided, left(back_at::text, 19) as back_at, to_json(suspended_at) #>> '{}' as suspended_at, parent_ticket_id, parent_ticket_state_id, parent_token_no, parent_visit, biz_module, biz_id, left(due_at::text, 19) as due_at, record_due_at is not null as record_due,
    left(submitted_at::text, 19) as submitted_at, left(finished_at::text, 19) as finished_at,
    left(gmt_created::text, 19) as created, left(gmt_modified::text, 19) as modified,
    (select coalesce(json_agg(part order by part.no), '[]') from ticket_token part where part.ticket_id = ticket.id) as tokens,
    (select coalesce(json_agg(part order by part.no), '[]') from ticket_task part where part.ticket_id = ticket.id) as tasks,
    (select coalesce(json_agg(distinct c.parent_ticket_state_id), '[]') from ticket c join ticket_token k
      on (k.ticket_id, k.no, k.visit, k.status) = (c.parent_ticket_id, c.parent_token_no, c.parent_visit, 'active')
      where c.parent_ticket_id = ticket.id and not c.is_deleted and c.act_state not in (${inSql(actState.draft, actState.finished, actState.closed, actState.finishAsked)})) as below,
    (select coalesce(json_agg(part order by part.user_id), '[]') from ticket_cc part where part.ticket_id = ticket.id) as copies,
    (select seq from ticket_look look where look.ticket_id = ticket.id and look.user_id = ${reader}) as looked
  from ticket where `;

/**
 * Locks a ticket's row, if it exists, and before it those of its parents: its end moves them, and their end closes it, so both take the locks from
 * the top, in the order of the ids. From here on its transaction asks for people.
 */
export const lockRow = (tx: Db, id: number) =>
  namedRows(
    tx,
    sql`select id, ${asks} from ticket where id = any(array(
      with recursive up as (
        select id, parent_ticket_id, parent_token_no from ticket where id = ${id}
        union select t.id, t.parent_ticket_id, t.parent_token_no from ticket t
          join up on t.id = up.parent_ticket_id and up.parent_token_no is not null)
      select id from up)) order by id for update`,
  );

/**
 * Reads a ticket that fulfils the condition; null if there is none. `lock`: for writing, with its row locked, or `held` if locked before. `reader`:
 * the person whose reading position counts.
 */
export async function load(
  tx: Db,
  id: number,
  condition: SQL | undefined,
  lock: boolean | 'held',
  reader = 0,
): Promise<Stored | null> {
  const wanted = and(eq(ticketTable.id, id), condition);
  // The row is read by a later statement of the same round trip: the statement that waited for the lock would still see the old row.
  const [, [row], creator] = await Promise.all([
    lock === true ? lockRow(tx, id) : null,
    namedRows<TicketRow>(tx, sql`${readText(reader)}${wanted}`),
    lock ? creatorOf(tx, id) : null,
  ]);
  if (!row) return null;
  const { tokens, tasks, copies, biz_module, biz_id, log_hash: hash, moment: at, ...own } = row;
  const version = (await versionsById(tx, [row.version_id])).get(row.version_id);
  if (!version) throw new Error(`version ${row.version_id} of ticket ${id} is missing`);
  const copied: Record<string, number[]> = {};
  for (const copy of copies) (copied[copy.state_id] ??= []).push(copy.user_id);
  return {
    ...own,
    sn: await numberOf(tx, own.sn),
    record: recordOf({ biz_module, biz_id }),
    version,
    log_end: { ticket_id: id, at, hash },
    creator,
    unread: tasks.filter((task) => task.first_read_at === null && task.status === 'todo').map((task) => task.no),
    copies: copies
      .toSorted((a, b) => a.gmt_created.localeCompare(b.gmt_created) || a.user_id - b.user_id)
      .map((copy) => ({
        user: copy.user_id,
        from: copy.from_id,
        note: copy.note,
        at: moment(copy.gmt_created),
        read_at: copy.read_at && moment(copy.read_at),
      })),
    clocks: new Map(
      tokens.map((token) => [token.no, { due: token.decision_deadline, timer: token.timer_at, ahead: token.ahead_at }]),
    ),
    delegates: new Map(tasks.flatMap((task) => (task.agent_id === null ? [] : [[task.no, task.agent_id] as const]))),
    state: {
      creator: row.creator,
      creator_dept: row.creator_dept,
      authors: row.authors,
      // The creator decides the first task unless somebody started the ticket for them.
      begun_by: tasks.find((task) => task.no === 1)?.agent_id ?? null,
      title: row.title,
      act_state: row.act_state as ActState,
      round: row.round,
      deleted: row.deleted,
      suspended: row.suspended_at !== null,
      voided: row.voided,
      back_at: row.back_at,
      seq: row.seq,
      form: row.form,
      chosen: row.chosen,
      undo: row.undo,
      copied,
      tokens: tokens.map((token) => ({
        no: token.no,
        state_id: token.state_id,
        branch: token.branch,
        status: token.status,
        visit: token.visit,
        returned: token.returned,
        back_to: token.back_to,
      })),
      tasks: tasks.map((task) => ({
        no: task.no,
        token: task.token_no,
        visit: task.visit,
        state_id: task.state_id,
        round: task.round,
        assignee: task.assignee_id,
        origin: task.origin,
        origin_no: task.origin_no,
        on_behalf_of: task.on_behalf_id,
        group_seq: task.group_seq,
        group_no: task.group_no,
        mode: task.mode,
        answers: task.answers,
        status: task.status,
        pooled: task.pooled,
        transition_id: task.transition_id,
        reason: task.reason,
      })),
    },
  };
}

const creatorOf = (tx: Db, id: number) => {
  const of = (column: AnyColumn) => sql`(select ${column} from ticket where ${ticketTable.id} = ${id})`;
  return creatorFacts(tx, of(ticketTable.creator_id), of(ticketTable.dept_id));
};

export interface NewTicket {
  version: Version;
  /** Precedes the workflow's own prefix; may be empty. */
  prefix: string;
  /** `YYYY-MM-DD`. */
  day: string;
  parent_ticket_id: number | null;
  parent_ticket_state_id: number | null;
  parent_token_no: number | null;
  parent_visit: number | null;
  parent_item?: string;
  record: RecordRef | null;
}

/** Writes a new ticket, whose serial number is counted last; `end` was read before it was decided. */
export async function insert(
  tx: Db,
  end: LogEnd,
  fresh: NewTicket,
  outcome: Outcome,
): Promise<{ id: number; sn: string }> {
  const { version, parent_ticket_id, parent_ticket_state_id, parent_token_no, parent_visit, parent_item, record } =
    fresh;
  const sn = numbered(tx, end.ticket_id, fresh, outcome);
  const links = linked(end, signed(outcome));
  const { ticket_id: id } = end;
  const row = {
    // PostgreSQL reads this word as the time of the transaction.
    ...columnsOf(outcome, sn, () => 'now'),
    id,
    log_hash: links.at(-1)?.hash ?? null,
    sn,
    workflow_id: version.workflow_id,
    version_id: version.id,
    creator_id: outcome.state.creator,
    dept_id: outcome.state.creator_dept,
    author_ids: outcome.state.authors,
    parent_ticket_id,
    parent_ticket_state_id,
    parent_token_no,
    parent_visit,
    parent_item: parent_item ?? null,
    biz_module: record?.module ?? null,
    biz_id: record?.id ?? null,
  };
  await sendAlong(tx, prepared(tx, 'ticket-new', newText, [JSON.stringify(row)]));
  await sendAlong(tx, writeParts(tx, id, outcome, links));
  await setDeadlines(tx, id, version.definition, outcome);
  return { id, sn };
}

const newText = `
  insert into ticket (id, sn, title, workflow_id, version_id, act_state, state_id, creator_id, dept_id, author_ids, form, chosen, undo, round, seq,
    log_hash, is_deleted, is_void, parent_ticket_id, parent_ticket_state_id, parent_token_no, parent_visit, parent_item, biz_module, biz_id,
    submitted_at, finished_at, search) overriding system value
  select id, sn, title, workflow_id, version_id, act_state, state_id, creator_id, dept_id, author_ids, form, chosen, undo, round, seq,
    log_hash, is_deleted, is_void, parent_ticket_id, parent_ticket_state_id, parent_token_no, parent_visit, parent_item, biz_module, biz_id,
    submitted_at, finished_at, search from jsonb_populate_record(null::ticket, $1)`;

/** Writes what a decision changed; the caller holds the row's lock. With `talk` the version that others have read stays valid. */
export async function update(tx: Db, stored: Stored, outcome: Outcome, talk: boolean): Promise<void> {
  const end = stored.log_end;
  const links = linked(end, signed(outcome));
  const written = tx
    .update(ticketTable)
    .set({
      log_hash: links.at(-1)?.hash ?? end.hash,
      ...columnsOf(outcome, stored.sn, (first) => sql`coalesce(${first}, now())`),
      ...pauseOf(stored, outcome),
      rev: stored.rev + (talk ? 0 : 1),
      gmt_modified: sql`now()`,
    })
    .where(eq(ticketTable.id, stored.id));
  await sendAlong(tx, written);
  await sendAlong(tx, writeParts(tx, stored.id, outcome, links));
  await setDeadlines(tx, stored.id, stored.version.definition, outcome, stored);
}

/** The start of the suspension, or the total time suspended so far. */
function pauseOf({ suspended_at }: Stored, { before, state, now }: Outcome) {
  if (before.suspended === state.suspended) return {};
  const rested = suspended_at === null ? 0 : Math.max(0, now.getTime() - Date.parse(suspended_at));
  return {
    suspended_at: state.suspended ? now.toISOString() : null,
    paused_ms: sql`${ticketTable.paused_ms} + ${rested}::bigint`,
  };
}

function columnsOf<T>({ state, log, creatorName }: Outcome, sn: string, since: (first: AnyColumn) => T) {
  const ends = [...overStates, actState.finishAsked];
  const over = ends.includes(state.act_state);
  const submits = log.some((entry) => entry.action === 'submit');
  return {
    title: state.title,
    act_state: state.act_state,
    state_id: mainStateId(state) ?? 0,
    form: { ...state.form },
    chosen: Object.fromEntries(Object.entries(state.chosen).map(([id, names]) => [id, [...names]])),
    undo: state.undo,
    round: state.round,
    seq: state.seq,
    is_deleted: state.deleted,
    is_void: state.voided,
    back_at: state.back_at,
    finished_at: over ? since(ticketTable.finished_at) : null,
    ...(submits ? { submitted_at: since(ticketTable.submitted_at) } : {}),
    search: searchOf({ state, creatorName }, sn),
  };
}
