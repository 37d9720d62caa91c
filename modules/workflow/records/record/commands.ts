import { eq } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Change, Context } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { detachAll } from '#modules/platform/files/service.ts';
import {
  approvalsOf,
  removeTicket,
  sendTicket,
  startFor,
  ticketCard,
  type CommandContext,
  type Moved,
} from '#modules/workflow/tickets/service.ts';
import { actState, isRunningState } from '#modules/workflow/workflows/engine/codes.ts';
import { beingApproved, noFlow, notWithAuthor, sentOnce, withSender } from '../contract.ts';
import type {
  ApprovalRow,
  ApprovalTable,
  ColumnsOf,
  RecordDefinition,
  RecordViewer,
  RowOf,
  SetsOf,
} from './definition.ts';
import type { eventsFor } from './events.ts';
import type { visibilityOf } from './visibility.ts';

/** The user who writes, and the services of the call's transaction. */
export type Writing = CommandContext & Pick<Context, 'audit'>;
/** The parts of a form that send the record: its flag, comment and chosen people. */
export interface Words {
  submit?: boolean | undefined;
  suggestion?: string | undefined;
  choose?: Record<string, string[]> | undefined;
}
/**
 * Writes what is stored in other tables: files, people, lines. Runs before the rules are checked. Returns what the operation log says of it, if that
 * is not the facts before and after.
 */
type Beside<T extends ApprovalTable> = (row: RowOf<T>, before: RowOf<T> | null) => Promise<Change | void>;

const { draft, returned, withdrawn, ongoing, finishAsked, closed } = actState;
const withAuthor: readonly number[] = [draft, returned, withdrawn];
/** States in which a record waits for a decision, or for its author. */
export const undecided: readonly number[] = [...withAuthor, ongoing, finishAsked];
/** True if it is with its author: saved, returned or taken back. */
export const isWithAuthor = ({ act_state }: Pick<ApprovalRow, 'act_state'>) => withAuthor.includes(act_state);
/** True if it was never sent: once somebody may have decided on it, it stays for them to read. */
export const isErasable = ({ act_state, ticket_id }: Pick<ApprovalRow, 'act_state' | 'ticket_id'>) =>
  ticket_id === null || act_state === draft;
export const isBeingApproved = ({ act_state }: Pick<ApprovalRow, 'act_state'>) => isRunningState(act_state);

/** Writing records, each with its ticket in the call's own transaction. */
export function commandsFor<T extends ApprovalTable, V extends RecordViewer>(
  definition: RecordDefinition<T, V>,
  { ticketsOf, requireForUpdate }: ReturnType<typeof visibilityOf<T, V>>,
  { set, happen, stateOf, says }: ReturnType<typeof eventsFor<T, V>>,
) {
  const { table, module, noun } = definition;
  const shared = definition.drafts === 'scope';

  const movedOf = async (tx: Db, row: RowOf<T>, moved?: Moved): Promise<Moved> => ({
    ...(moved ?? {
      sn: row.ticket_id === null ? '' : ((await ticketCard(tx, [row.ticket_id])).get(row.ticket_id)?.sn ?? ''),
      title: definition.log(row).title,
      act_state: row.act_state,
      record: { module, id: row.id },
    }),
    ticket_id: moved?.ticket_id ?? row.ticket_id ?? 0,
    id: row.id,
  });

  /** Saves a record that is with its author, or sends it: to be approved, or in force at once if nobody has to be asked. */
  async function send(
    context: Writing,
    row: RowOf<T>,
    { submit = false, suggestion = '', choose }: Words,
  ): Promise<Moved> {
    const { tx, user, now, audit } = context;
    const words = { submit, suggestion, choose };
    // A closed ticket decided nothing, so what is sent then gets a ticket of its own.
    if (row.ticket_id !== null && row.act_state !== closed) {
      if (!isWithAuthor(row)) throw beingApproved(noun);
      return movedOf(tx, row, await sendTicket(context, row.ticket_id, words));
    }
    if (shared && !submit) return movedOf(tx, row);
    const workflow_id = await definition.flow.of(tx, row);
    if (workflow_id !== null)
      return movedOf(
        tx,
        row,
        await startFor(context, { module, id: row.id }, { workflow_id, ...words, says: await says(tx, row) }),
      );
    if (!shared) throw noFlow(noun);
    return movedOf(tx, await happen(tx, row, ['submitted', 'approved'], {}, { now, by: user.id, turn: null, audit }));
  }

  /** Writes a new record with its ticket, as a draft or sent. */
  async function create(context: Writing, columns: ColumnsOf<T>, words: Words = {}, beside?: Beside<T>) {
    const { tx, user, audit } = context;
    const own = { creator_id: user.id, dept_id: user.depts[0] ?? null, ...columns };
    const search = searchVector(definition.search({ ...own } as RowOf<T>));
    const [made] = await tx
      .insert(table as PgTable)
      .values({ ...own, search })
      .returning();
    const { search: _search, ...row } = made as Record<string, unknown>;
    const said = await beside?.(row as RowOf<T>, null);
    const { title, facts } = definition.log(row as RowOf<T>);
    audit(said ?? { type: noun, id: (row as RowOf<T>).id, title, after: facts });
    return send(context, row as RowOf<T>, words);
  }

  /** Changes a record that was read for update; if it is with its author, its ticket is updated, and sent if asked. */
  async function save(
    context: Writing,
    before: RowOf<T>,
    columns: SetsOf<T>,
    words: Words = {},
    beside?: Beside<T>,
  ): Promise<Moved> {
    const { tx, audit } = context;
    const row = await set(tx, before, columns);
    const said = await beside?.(row, before);
    const { title, facts } = definition.log(row);
    audit(said ?? { type: noun, id: row.id, title, before: definition.log(before).facts, after: facts });
    return row.ticket_id === null
      ? words.submit
        ? send(context, row, words)
        : movedOf(tx, row)
      : again(context, row, words);
  }
  const again = (context: Writing, row: RowOf<T>, words: Words) =>
    isWithAuthor(row) || words.submit ? send(context, row, words) : movedOf(context.tx, row);

  /** Deletes a record that was never sent, with its ticket and its files. */
  async function remove(context: Writing, row: RowOf<T>, fileIds: readonly number[] = []): Promise<{ id: number }> {
    const { tx, audit } = context;
    if (row.ticket_id !== null && isWithAuthor(row)) await removeTicket(context, row.ticket_id);
    if (!table.is_deleted) {
      await detachAll(tx, { fileIds: [...fileIds], module, recordId: row.id });
      await tx.delete(table).where(eq(table.id, row.id));
    }
    const { title, facts } = definition.log(row);
    audit({ type: noun, id: row.id, title, before: facts });
    return { id: row.id };
  }

  /** Returns a record that its author, or the person who has its ticket, may write now; locked, and still the version they read. */
  async function requireToWrite(
    { tx }: Pick<CommandContext, 'tx'>,
    viewer: V,
    id: number,
    {
      code,
      act = '修改',
      version,
      current,
    }: { code?: PermissionCode; act?: string; version?: number | undefined; current?: (row: RowOf<T>) => unknown },
  ): Promise<RowOf<T>> {
    const row = await requireForUpdate(tx, viewer, id, shared ? code : undefined);
    checkVersion(noun, row, version, version === row.version ? null : ((await current?.(row)) ?? row));
    if (shared) await refuseOthers(tx, viewer, row);
    else if (!isWithAuthor(row) || row.creator_id !== viewer.user.id) throw notWithAuthor(noun, stateOf(row), act);
    if (act === '删除' && isWithAuthor(row) && !isErasable(row)) throw sentOnce(noun);
    return row;
  }

  /** A draft that came back is changed only by the person who has its ticket, and nobody changes what is being approved. */
  async function refuseOthers(tx: CommandContext['tx'], viewer: V, row: RowOf<T>): Promise<void> {
    if (row.ticket_id === null) return;
    if (isBeingApproved(row)) throw beingApproved(noun);
    if (!isWithAuthor(row)) return;
    const known = (await approvalsOf(tx, [row.ticket_id], await ticketsOf(tx, viewer))).get(row.ticket_id);
    if (!known?.actions.includes('save')) throw withSender(noun, known?.participant_info.participant_alias ?? '');
  }

  return { create, save, send, remove, requireToWrite };
}
