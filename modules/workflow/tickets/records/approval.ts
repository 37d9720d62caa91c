import { inArray, type AnyColumn, type SQL } from 'drizzle-orm';
import { isAmong } from '#kernel/server/access/scope.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page, PageAsked } from '#kernel/server/list/paging.ts';
import type { PersonCard } from '#modules/platform/people/service.ts';
import {
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type State,
} from '#modules/workflow/workflows/engine/definition.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import { rowsOf } from '../read/cards.ts';
import { seenOrNot } from './standing.ts';
import { act, seenBy, start, type CommandContext, type Moved } from '../commands/commands.ts';
import type { Action } from '../commands/deciding.ts';
import type { Approval } from '../contract/approval.ts';
import type { FlowLog } from '../contract/shapes.ts';
import { actFor } from '../commands/run.ts';
import { isOver } from '../engine/state.ts';
import { codesOf, noRights } from '../engine/ways/offers.ts';
import { logPage } from '../store/log.ts';
import { askedFor, type RecordRef } from './records.ts';
import { offersTo } from '../visibility/delegation.ts';
import { load } from '../store/store.ts';
import { ticketTable } from '../tables.ts';
import { readerOf, ticketViewerFor, type Category, type TicketViewer } from '../visibility/viewer.ts';
import { inCategory, keptTo, opensRecordsTo, opensTo } from '../visibility/visibility.ts';

/** The way a record is sent: saved as a draft or submitted. */
export interface Sending {
  submit: boolean;
  suggestion: string;
  choose?: Record<string, string[]> | undefined;
}

function buttonOf(definition: Definition, submit: boolean): number {
  const exits = exitsOf(definition, startOf(definition).id);
  const button = exits.find((one) => isSave(definition, one) !== submit);
  if (!button) throw absent(submit ? '提交按钮' : '保存按钮');
  return button.id;
}

/** Starts the ticket of a record that has been written; its module is notified in the same transaction. */
export async function startFor(
  context: CommandContext,
  record: RecordRef,
  { workflow_id, submit, says, ...words }: Sending & { workflow_id: number; says: Record<string, unknown> },
): Promise<Moved> {
  const version = await versionToStart(context.tx, workflow_id, record.module);
  if (!version) throw absent('流程');
  const { definition } = version;
  const fields = askedFor(definition, says);
  return start(context, { ...words, workflow_id, record, transition_id: buttonOf(definition, submit), fields });
}

/** Saves or submits a record that is with its creator: a draft, or a returned one. */
export async function send(
  context: CommandContext,
  ticketId: number,
  { submit, choose, ...words }: Sending,
): Promise<Moved> {
  const { version } = await seenBy(context.tx, context.user, ticketId, false);
  const transition_id = buttonOf(version.definition, submit);
  return act(context, ticketId, { type: 'handle', transition_id, choose: choose ?? {}, ...words, fields: {} });
}

/** Deletes the ticket of a record that is with its creator; the module is notified. */
export const remove = (context: CommandContext, ticketId: number): Promise<Moved> =>
  act(context, ticketId, { type: 'delete' });

/** Revokes the finished ticket of a record, by somebody who may; the module is notified. */
export const revoke = (context: CommandContext, ticketId: number, suggestion: string): Promise<Moved> =>
  act(context, ticketId, { type: 'revoke', suggestion });

/** A person, or null for the system, who acts on a ticket for its module. */
type Forcing = Omit<CommandContext, 'user'> & { user: Pick<Viewer, 'id' | 'alias'> | null };

/**
 * Applies a module's decision to its record's ticket, as somebody who may intervene: on behalf of `owner`, by default its creator. The log names who
 * did it.
 */
export async function force(
  { tx, user, origin, now }: Forcing,
  ticketId: number,
  action: Action,
  { owner, name = '系统' }: { owner?: number; name?: string } = {},
): Promise<void> {
  const stored = await load(tx, ticketId, undefined, true);
  if (!stored || isOver(stored.state)) return;
  const proxy = { by: user?.id ?? null, name: user?.alias ?? name, origin, now };
  await actFor(tx, stored, owner ?? stored.state.creator, action, { proxy, rights: { ...noRights, intervene: true } });
}

/** Closes a record's ticket if it still runs, whoever has it: its module has ended the record. `user` is null for the system. */
export const end = (context: Forcing, ticketId: number, suggestion: string): Promise<void> =>
  force(context, ticketId, { type: 'close', suggestion });

/** Fields of their tickets, and the creators, that lists and pages of records show, by ticket id. Two statements, however many tickets. */
export async function approvalsOf(
  tx: Db,
  ticketIds: readonly number[],
  viewer: TicketViewer,
): Promise<Map<number, Approval & { creator_info: PersonCard }>> {
  const rows = await rowsOf(tx, ticketIds, readerOf(viewer));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        sn: row.sn,
        ticket_id: row.id,
        workflow_id: row.workflow_id,
        act_state: row.act_state_id,
        act_state_name: row.act_state_name,
        state_id: row.state_id,
        state_name: row.state.state_name,
        participant_info: row.participant_info,
        since: row.since,
        round: row.round,
        news: row.news,
        on_behalf_of: row.on_behalf_of,
        gmt_modified: row.gmt_modified,
        actions: row.actions,
        creator_info: row.creator_info,
      },
    ]),
  );
}

/** All that a person may do with the ticket of a record; none if they only see the record. */
export async function actionsOn(tx: Db, { user }: TicketViewer, ticketId: number): Promise<string[]> {
  const seen = await seenOrNot(tx, user, ticketId);
  return seen ? codesOf(offersTo(seen, seen.reader)) : [];
}

const isOpenTo = async (tx: Db, viewer: TicketViewer, ticketId: number): Promise<boolean> =>
  (await load(tx, ticketId, opensTo(viewer), false)) !== null;

/** True if a person sees the ticket of a record, and so the files of its opinions. */
export const seesTicket = async (tx: Db, user: Viewer, ticketId: number): Promise<boolean> =>
  isOpenTo(tx, await ticketViewerFor(tx, user, undefined), ticketId);

/** A page of the log of a record's ticket, for everybody who sees the record; without the files of opinions for those who do not see the ticket. */
export async function logOf(tx: Db, ticketId: number, asked: PageAsked, viewer: TicketViewer): Promise<Page<FlowLog>> {
  const stored = await load(tx, ticketId, undefined, false);
  if (!stored) throw absent('工单');
  const page = await logPage(tx, stored, { ...asked, ticket_data: false }, readerOf(viewer));
  if (page.value.every(({ files }) => files.length === 0) || (await isOpenTo(tx, viewer, ticketId))) return page;
  return { ...page, value: page.value.map((row) => ({ ...row, files: [] })) };
}

/** Locks the tickets of records until the transaction ends, always in one order; to be called before locking the records, as every action does. */
export async function holdTickets(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { id } = ticketTable;
  await tx.select({ id }).from(ticketTable).where(isAmong(id, ids)).orderBy(id).for('update');
}

/** User ids of the people a ticket waits for now. */
export async function handlersOf(tx: Db, ticketId: number): Promise<number[]> {
  const stored = await load(tx, ticketId, undefined, false);
  const open = stored?.state.tasks.filter((task) => task.status === 'todo') ?? [];
  return [...new Set(open.map((task) => task.assignee))];
}

/** A ticket's state in a word; `已作废` if it was revoked. */
export async function actStateOf(tx: Db, ticketId: number): Promise<string> {
  const [row] = await rowsOf(tx, [ticketId], { id: 0, delegations: [] });
  return row?.act_state_name ?? '';
}

/** The definition that a ticket uses. */
export async function definitionOf(tx: Db, ticketId: number): Promise<Definition> {
  const stored = await load(tx, ticketId, undefined, false);
  if (!stored) throw absent('工单');
  return stored.version.definition;
}

/** The present states of a ticket; several while branches run side by side. */
export async function standsIn(tx: Db, ticketId: number): Promise<State[]> {
  const stored = await load(tx, ticketId, undefined, false);
  const open = stored?.state.tokens.filter((token) => token.status === 'active') ?? [];
  return open.map((token) => stateOf(stored!.version.definition, token.state_id));
}

/** Records whose ticket is in a category, as in its list; without a category, those that the person sees through their tickets. */
export function ofTickets(tx: Db, column: AnyColumn, viewer: TicketViewer, category?: Category): SQL {
  const wanted = category === undefined ? opensRecordsTo(viewer) : inCategory(category, viewer);
  return inArray(column, tx.select({ id: ticketTable.id }).from(ticketTable).where(wanted));
}

/** True if an application is limited to the tickets of some workflows: then it sees only the records of those tickets. */
export const keptRecords = ({ user }: TicketViewer): boolean => keptTo(user) !== undefined;
