import { and, not, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { newsLevel } from '#modules/platform/messages/contract.ts';
import { actState, attributeType, fieldAccess, isOverState } from '#modules/workflow/workflows/engine/codes.ts';
import { startOf, stateOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import type { BoundModule } from '#modules/workflow/workflows/service.ts';
import type { Offer } from '../engine/ways/offers.ts';
import type { LogEntry, RecordContent, TicketState } from '../engine/state.ts';
import { signed, type Delegate } from '../visibility/delegation.ts';

/** A business record that a ticket decides. */
export interface RecordRef {
  module: string;
  id: number;
}

/** An event of a record's ticket. */
export interface Turn {
  ticketId: number;
  definition: Definition;
  state: TicketState;
  log: readonly LogEntry[];
  /** The person who really acted, on whosever behalf; null for the system. */
  by: number | null;
  now: Date;
}

/** Why somebody may not use an offer of the ticket in the record's present state; null if they may. */
export type Guarded = (offer: Offer, person: number) => Refusal | null;

/** The wording of messages about a record. */
export interface Announcement {
  /** The neutral name used if its title and words must not leave the organisation; null for any other record. */
  unnamed: string | null;
  /** Its urgency, one of `newsLevel`. */
  level: number;
  /** The name of its state if its ticket is over but the matter is not. */
  unsettled?: string | null;
}

export interface RecordModule extends BoundModule {
  /** Actions that the record's ticket must not offer, to anybody, because `onTicketEvent` would undo them. */
  guard?(tx: Db, id: number, definition: Definition): Promise<Guarded>;
  /** Called in the transaction of every action; an error thrown here undoes the action. */
  onTicketEvent(tx: Db, id: number, turn: Turn): Promise<void>;
  /** The record's present values for its workflow, by the keys of `fills`. */
  says(tx: Db, id: number): Promise<Record<string, unknown>>;
  content?(tx: Db, id: number): Promise<RecordContent | undefined>;
  /** A select of the ids of the records that somebody sees. */
  seen(tx: Db, user: Viewer): Promise<SQL>;
  /** The figures by which lists show some of its records, by id: an amount, a time. */
  figures?(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The page that shows a record. */
  page(id: number): string;
  /** Set if a record, once its ticket is over, is for others than those who took part: then tickets no longer link to it. */
  apart?: true;
  /** The wording of messages about a record; by default all is named, and it is not urgent. */
  announcementOf?(tx: Db, id: number): Promise<Announcement>;
  /** Records whose tickets are over but whose matter is not: names of their state, and the same as a condition on the id of a ticket. */
  unsettled?: {
    names(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
    where(tx: Db, ticket: AnyColumn): SQL;
  };
  /** A condition on the id of a ticket that may be exported; by default all may. */
  leaves?(tx: Db, ticket: AnyColumn): SQL;
}

function moduleOf(tx: Db, { module }: RecordRef): RecordModule {
  const { records } = tx.services.product;
  const found = Object.hasOwn(records, module) ? records[module] : undefined;
  if (!found) throw new Error(`nobody follows the tickets of ${module}`);
  return found;
}

/** Notifies the module of a ticket's record. */
export async function onTicketEvent(
  tx: Db,
  ticket: { id: number; version: { definition: Definition }; record: RecordRef | null },
  { state, log, delegate, now }: Pick<Turn, 'state' | 'log' | 'now'> & { delegate: Delegate | null },
): Promise<void> {
  const { id, version, record } = ticket;
  if (!record) return;
  const { definition } = version;
  const by = signed({ log, delegate })[0]?.actor ?? null;
  await moduleOf(tx, record).onTicketEvent(tx, record.id, { ticketId: id, definition, state, log, by, now });
}

/** The actions that the module of a ticket's record withholds. */
export const guardOf = async (tx: Db, record: RecordRef | null, definition: Definition): Promise<Guarded> =>
  (await (record && moduleOf(tx, record).guard?.(tx, record.id, definition))) ?? (() => null);

/** The content of a ticket's record for those who decide; undefined if it has none, or its module does not provide it. */
export const contentOf = async (tx: Db, record: RecordRef | null): Promise<RecordContent | undefined> =>
  record ? moduleOf(tx, record).content?.(tx, record.id) : undefined;

/** Keys of the fields that are filled by the record, not by those who handle the ticket. */
export const saidByRecord = (tx: Db, record: RecordRef | null): readonly string[] =>
  record ? moduleOf(tx, record).fills : [];

/** The record's values that the start of a workflow asks for. */
export function askedFor(definition: Definition, said: Record<string, unknown>): Record<string, unknown> {
  const { access } = startOf(definition);
  const writable: unknown[] = [fieldAccess.required, fieldAccess.optional];
  return Object.fromEntries(Object.entries(said).filter(([key]) => writable.includes(access[key])));
}

/** The values of a decision: at the start the record's own present values, whatever was typed. */
export async function asRecordSays(
  tx: Db,
  { record, version: { definition } }: { record: RecordRef | null; version: { definition: Definition } },
  offer: Pick<Offer, 'transition'> | undefined,
  typed: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!record || !offer?.transition || offer.transition.source !== startOf(definition).id) return typed;
  const { fills, says } = moduleOf(tx, record);
  const own = Object.entries(typed).filter(([key]) => !fills.includes(key));
  return { ...Object.fromEntries(own), ...askedFor(definition, await says(tx, record.id)) };
}

/** The record named in a ticket's row. */
export const recordOf = ({
  biz_module,
  biz_id,
}: {
  biz_module: string | null;
  biz_id: number | null;
}): RecordRef | null => (biz_module !== null && biz_id !== null ? { module: biz_module, id: biz_id } : null);

/** A select of the ids of a module's records that somebody sees. */
export const seenRecords = (tx: Db, module: string, user: Viewer): Promise<SQL> =>
  moduleOf(tx, { module, id: 0 }).seen(tx, user);

/** The figures by which lists show some records, by `module id`; a statement for each module that has figures. */
export async function figuresOf(tx: Db, records: readonly RecordRef[]): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const [module, of] of Map.groupBy(records, (record) => record.module)) {
    const ids = of.map((record) => record.id);
    const found = await moduleOf(tx, { module, id: 0 }).figures?.(tx, ids);
    for (const [id, figure] of found ?? []) known.set(`${module} ${id}`, figure);
  }
  return known;
}

/** The page of a ticket's record; null for a plain ticket. */
export const pageOf = (tx: Db, record: RecordRef | null): string | null =>
  record && moduleOf(tx, record).page(record.id);

/** The page on which a visible ticket's record is read and decided; null if there is only the ticket. */
export function openedAt(tx: Db, record: RecordRef | null, act_state: number): string | null {
  return record && !(isOverState(act_state) && moduleOf(tx, record).apart) ? pageOf(tx, record) : null;
}

/** Names of the state of tickets that are over but whose matter is not, by ticket. A statement for each module that has such. */
export async function unsettledAmong(
  tx: Db,
  cards: readonly { id: number; record: RecordRef | null; state: Pick<TicketState, 'act_state'> }[],
): Promise<ReadonlyMap<number, string>> {
  const over = cards.flatMap(({ id, record, state }) => (record && isPastEnd(state.act_state) ? [{ id, record }] : []));
  const named = new Map<number, string>();
  for (const module of new Set(over.map((one) => one.record.module))) {
    const theirs = over.filter((one) => one.record.module === module);
    const found = await moduleOf(tx, theirs[0]!.record).unsettled?.names(
      tx,
      theirs.map((one) => one.record.id),
    );
    for (const { id, record } of theirs) if (found?.has(record.id)) named.set(id, found.get(record.id)!);
  }
  return named;
}
const isPastEnd = (act_state: number) => isOverState(act_state) || act_state === actState.finishAsked;

/** The wording of messages about a ticket's record. */
export async function announcementOf(tx: Db, record: RecordRef | null): Promise<Announcement> {
  return (
    (await (record && moduleOf(tx, record).announcementOf?.(tx, record.id))) ?? {
      unnamed: null,
      level: newsLevel.usual,
    }
  );
}

/** The tickets whose records may be exported, and those without a record. */
export const leaving = (tx: Db, ticket: AnyColumn): SQL | undefined =>
  and(...Object.values(tx.services.product.records).map((module) => module.leaves?.(tx, ticket)));

/** Returns whether a ticket decides something secret. */
export type SecretTickets = (tx: Db, ticket: number) => Promise<boolean>;

/** True if a ticket decides something secret, in whatever module. */
export async function decidesSecret(tx: Db, ticket: number): Promise<boolean> {
  for (const isSecret of tx.services.product.secretTickets) if (await isSecret(tx, ticket)) return true;
  return false;
}

/** Those finished tickets whose records are finished as well. */
export const settled = (tx: Db, ticket: AnyColumn): SQL | undefined =>
  and(
    ...Object.values(tx.services.product.records).flatMap(({ unsettled }) =>
      unsettled ? [not(unsettled.where(tx, ticket))] : [],
    ),
  );

/** True if this turn submitted the record, for the first time or again. */
export const isSubmitted = ({ log }: Turn): boolean => log.some((entry) => entry.action === 'submit');

/**
 * The states this turn left by an agreement, in order, with the owner of the vote: if signers added beside or after agreed last, still the one the
 * state itself had asked.
 */
export function passed({ definition, log, state }: Turn): (State & { holder: number | null })[] {
  return log.flatMap((entry) => {
    const way = definition.transitions.find((transition) => transition.id === entry.transition_id);
    const on = entry.action === 'handle' && way?.attribute === attributeType.agree;
    return on && entry.to_state_id !== entry.from_state_id
      ? [{ ...stateOf(definition, entry.from_state_id), holder: holderOf(state, entry) }]
      : [];
  });
}

function holderOf({ tasks }: TicketState, { actor, task_nos }: LogEntry): number | null {
  const decided = tasks.find((task) => task.no === task_nos[0]);
  if (!decided || decided.group_no === 0) return actor;
  const own = tasks.filter(
    ({ token, visit, group_no, status }) =>
      token === decided.token && visit === decided.visit && group_no === 0 && status === 'agree',
  );
  return own.at(-1)?.assignee ?? actor;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    records: Readonly<Record<string, RecordModule>>;
    secretTickets: readonly SecretTickets[];
  }
  interface ModuleDefinition {
    /** Records decided by tickets; they are called for each turn. */
    records?: Readonly<Record<string, RecordModule>>;
    /** Returns whether a record decided by a ticket is secret. */
    secretTickets?: readonly SecretTickets[];
  }
}
