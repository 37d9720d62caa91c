import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { versionToStart } from '#modules/workflow/workflows/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { enoughOf, withResults } from '#modules/workflow/workflows/engine/fields/children.ts';
import { stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { draftChildren, refuseTooDeep, resultsBelow, staying, type Stay } from '../automation/children.ts';
import { begunBelow, submitting } from '../automation/beginning.ts';
import { decided, type Action } from './deciding.ts';
import { decide, isTalk, proceed, type Decision } from '../engine/decide.ts';
import { decidesIn, seeing } from '../engine/differing.ts';
import type { SystemEvent } from '../engine/moves/system-event.ts';
import { noRights, type Rights } from '../engine/ways/offers.ts';
import { isOver, newTicket, type TicketState } from '../engine/state.ts';
import type { Facts } from '../engine/work.ts';
import { formsDecided } from '../fields/forms.ts';
import { comesBack, refuseDoubles } from '../fields/doubles.ts';
import { refuseUnseenRecords } from '../fields/records.ts';
import { settleFiles } from '../fields/attachments.ts';
import { newLog, type LogEnd } from '../store/chain.ts';
import { creatorFacts, worksFor } from './facts.ts';
import type { Outcome } from '../store/outcome-parts.ts';
import { isNoLonger } from '../contract/refusals.ts';
import type { Proxy } from './proxy.ts';
import { contentOf, onTicketEvent } from '../records/records.ts';
import { insert, load, update, type NewTicket, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';
import { notifyOfTicket } from '../notify/notify.ts';

type When = Pick<Proxy, 'origin' | 'now'>;

/** Details for the notifications. */
interface Heard {
  /** Null for the system. */
  actor: { id: number; alias: string } | null;
  suggestion: string;
  mentioned?: readonly number[];
  /** For a reminder before a deadline: the people whose deadline it is. */
  early?: readonly number[];
  /** Set for an action after which the version that others have read stays valid. */
  talk: boolean;
}

/** A ticket that is not written yet: its initial state, and where its log will begin. */
export interface Fresh extends Omit<NewTicket, 'day'> {
  state: TicketState;
  creator: Facts['creator'];
  end: LogEnd;
}

export interface Turn extends When, Pick<Outcome, 'delegate' | 'signature' | 'files' | 'seen_hash' | 'via'> {
  /** Calls the core, with all facts known. */
  decide(known: Facts): Decision;
  facts: Pick<Facts, 'rights' | 'started' | 'by_itself'>;
  heard: Heard;
  /** The owner of the files used in the form; nobody if the system acts. */
  user?: Viewer;
  /** They were asked about another ticket with the same content, and mean it. */
  force?: boolean | undefined;
}

export type Ran = Pick<Stored, 'id' | 'sn' | 'record'> & Pick<Outcome, 'state' | 'log'>;

/**
 * The one way a ticket is begun or moved: it is decided with the organisation's answers and written, people are notified, and its record and the
 * tickets above and below are updated. The caller holds the row's lock. A failure leaves no trace.
 */
export async function run(tx: Db, subject: Stored | Fresh, turn: Turn): Promise<Ran> {
  const { decide: _decide, facts: _facts, heard, user, force = false, ...by } = turn;
  const { version, state: before } = subject;
  const { creator, state, log } = await decideTurn(tx, subject, turn);
  const submits = log.some(({ action }) => action === 'submit');
  if (submits || comesBack(before, state)) {
    const counted = { id: 'end' in subject ? null : subject.id, version, state };
    const reader = heard.actor === null ? undefined : user;
    // Only the page that submits a ticket has the question; the pages of records have none.
    const asked = reader !== undefined && submits && subject.record === null && !force;
    await refuseDoubles(tx, counted, { user: reader, asked });
  }
  const outcome = { before, state, log, creatorName: creator.alias, ...by };
  if ('end' in subject || log.length > 0) {
    const ticket = await write(tx, subject, outcome, heard.talk);
    const forms = { before: before.form, after: state.form };
    if (user) {
      await refuseUnseenRecords(tx, version.definition, forms, user);
      await settleFiles(tx, version.definition, forms, { recordId: ticket.id, user });
    }
    const fresh = 'end' in subject;
    await notifyOfTicket(tx, { ticket, before, state, log, creatorName: creator.alias, fresh, ...heard });
    await onTicketEvent(tx, ticket, outcome);
    await moveOthers(tx, ticket, outcome);
    return { id: ticket.id, sn: ticket.sn, record: ticket.record, state, log };
  }
  return { ...subject, state, log };
}

/** Decides without writing anything. Throws the core's refusal. */
export async function decideTurn(tx: Db, subject: Stored | Fresh, { decide: decideBy, facts, delegate }: Turn) {
  const { version, parent_ticket_id, state: before } = subject;
  const creator = subject.creator ?? (await creatorFacts(tx, before.creator, before.creator_dept));
  const fresh = 'end' in subject;
  const forms = async () => (fresh ? new Map() : formsDecided(tx, subject.id));
  const about = {
    workflow_id: version.workflow_id,
    parent_ticket_id,
    forms,
    record: () => contentOf(tx, subject.record),
  };
  const in_stead = delegate !== null;
  const of_record = subject.record !== null;
  const known = { creator, works: await worksFor(tx, version.definition), in_stead, of_record, ...facts };
  const { state, log } = await decided(tx, about, known, decideBy);
  const { states } = version.definition;
  // The creator wrote the form; for all others the version they saw is kept, if a state needs it.
  const kept = !fresh && states.some((one) => one.keep_unchanged || one.dedupe === 'round') && decidesIn(log);
  const holds = kept ? await about.record() : undefined;
  return { creator, state, log: holds ? seeing(log, holds) : log };
}

type Written = Pick<Stored, 'id' | 'sn' | 'version' | 'record' | 'created'> & Omit<Child, 'before' | 'state'>;

async function write(tx: Db, subject: Stored | Fresh, outcome: Outcome, talk: boolean): Promise<Written> {
  if ('end' in subject) {
    const fresh = { ...subject, day: dayOf(outcome.now) };
    return { ...subject, ...(await insert(tx, subject.end, fresh, outcome)), created: momentText(outcome.now) };
  }
  await update(tx, subject, outcome, talk);
  return subject;
}

/** Applies the effects of a decision on the tickets below and above. */
async function moveOthers(tx: Db, ticket: Written, outcome: Outcome): Promise<void> {
  const { before, state, log } = outcome;
  const turnsTo = (to: number) => before.act_state !== to && state.act_state === to;
  if (turnsTo(actState.closed)) await closeChildren(tx, ticket, '已关闭', outcome);
  if (turnsTo(actState.withdrawn)) await closeChildren(tx, ticket, '已撤回', outcome);
  // A deleted ticket has no tickets below it.
  if (!before.deleted && state.deleted)
    await closeThose(tx, { stored: ticket, why: '已删除', left: undefined }, outcome);
  if (log.some((entry) => entry.action === 'retreat')) await closeLeft(tx, ticket, outcome);
  await beginBelow(tx, ticket, outcome);
  await advanceParent(tx, { ...ticket, before, state }, outcome);
  if (before.suspended && !state.suspended) await goOnAfterRest(tx, ticket.id, outcome);
}

/** Decides an action as if its owner did it, by the same rules; the log names who really did. Returns the ticket afterwards. */
export async function actFor(
  tx: Db,
  stored: Stored,
  owner: number,
  action: Action,
  { proxy, rights, definition = stored.version.definition }: { proxy: Proxy; rights: Rights; definition?: Definition },
): Promise<Stored> {
  const { by, name, intervene, origin, now } = proxy;
  const command = { ...action, actor: owner };
  await run(tx, stored, {
    decide: (known) => decide(definition, stored.state, command, known),
    facts: { rights: { ...rights, below: stored.below, delegates: stored.delegates }, by_itself: by === null },
    delegate: { id: by, owner, ...(intervene === undefined ? {} : { intervene }) },
    heard: {
      actor: by === null ? null : { id: by, alias: name },
      suggestion: 'suggestion' in action ? action.suggestion : '',
      talk: isTalk(action.type),
    },
    origin,
    now,
  });
  const after = await load(tx, stored.id, undefined, true);
  if (!after) throw absent('工单');
  return after;
}

/**
 * Begins the tickets below the states a ticket entered, in its creator's name; all of a stay, or none: then its administrators read why, and setting
 * the state anew tries again.
 */
async function beginBelow(tx: Db, ticket: Written, { state, log, origin, now }: Outcome): Promise<void> {
  for (const { token, visit, place, items } of begunBelow(ticket.version.definition, state, log)) {
    const when = { origin, now };
    const begun = savepoint(tx, async () => {
      await refuseTooDeep(tx, ticket.id);
      const about = {
        parent_ticket_id: ticket.id,
        parent_ticket_state_id: place.id,
        parent_token_no: token,
        parent_visit: visit,
      };
      for (const { item, fields } of items)
        await beginOne(tx, place.children!.workflow, { ...about, parent_item: item }, fields, state, when);
    });
    await begun.catch(async (stop: unknown) => {
      if (!(stop instanceof Refusal)) throw stop;
      const stored = await load(tx, ticket.id, undefined, true);
      const why = `环节“${place.name}”没有发起下级工单：${stop.message}`;
      if (stored) await happen(tx, stored, { type: 'stall', token, visit, why }, when);
    });
  }
}

type Below = Pick<
  NewTicket,
  'parent_ticket_id' | 'parent_ticket_state_id' | 'parent_token_no' | 'parent_visit' | 'parent_item'
>;

async function beginOne(
  tx: Db,
  workflow: number,
  below: Below,
  fields: Readonly<Record<string, unknown>>,
  above: TicketState,
  when: When,
): Promise<void> {
  const version = await versionToStart(tx, workflow, null);
  if (!version) throw absent('下级流程');
  const { definition } = version;
  const way = submitting(definition);
  if (!way) throw absent('下级流程的提交');
  const { creator: actor, creator_dept, authors } = above;
  const state = newTicket(actor, creator_dept, authors);
  const [creator, end] = [await creatorFacts(tx, actor, creator_dept), await newLog(tx)];
  const command = { type: 'create' as const, actor, transition_id: way.id, suggestion: '', fields, choose: {} };
  const fresh = { version, prefix: '', ...below, record: null, state, creator, end };
  await run(tx, fresh, {
    decide: (known) => decide(definition, state, command, known),
    facts: { rights: noRights, by_itself: true, started: { in_period: 0, open: 0 } },
    delegate: { id: null, owner: actor },
    heard: { actor: null, suggestion: '', talk: false },
    ...when,
  });
}

/** Closes the running tickets below one that was closed or withdrawn, unless its workflow keeps them; drafts and finished ones stay as they are. */
async function closeChildren(tx: Db, stored: Written, why: string, { origin, now }: Outcome): Promise<void> {
  if (stored.version.definition.settings.children_on_close === 'keep') return;
  await closeThose(tx, { stored, why, left: undefined }, { origin, now });
}

/** Closes the running tickets below stays that were taken back, if the workflow says so; otherwise they no longer count there. */
async function closeLeft(tx: Db, stored: Written, { state, origin, now }: Outcome): Promise<void> {
  if (stored.version.definition.settings.children_on_retreat !== 'close') return;
  const stays = state.tokens.filter((one) => one.status === 'active').map(({ no, visit }) => ({ no, visit }));
  const left = sql`${ticketTable.parent_token_no} is not null and not exists (
    select from jsonb_to_recordset(${JSON.stringify(stays)}::jsonb) as stay(no int, visit int)
    where stay.no = ${ticketTable.parent_token_no} and stay.visit = ${ticketTable.parent_visit})`;
  await closeThose(tx, { stored, why: '已撤回', left }, { origin, now });
}

interface Closing {
  stored: Written;
  /** The event in the parent. */
  why: string;
  left: SQL | undefined;
}

async function closeThose(tx: Db, { stored, why, left }: Closing, { origin, now }: When): Promise<void> {
  const running = [actState.ongoing, actState.returned, actState.withdrawn];
  const below = await tx
    .select({ id: ticketTable.id })
    .from(ticketTable)
    .where(
      and(
        eq(ticketTable.parent_ticket_id, stored.id),
        inArray(ticketTable.act_state, running),
        eq(ticketTable.is_deleted, false),
        left,
      ),
    )
    .orderBy(ticketTable.id);
  for (const { id } of below) {
    const child = await load(tx, id, inArray(ticketTable.act_state, running), true);
    if (!child) continue;
    const action = { type: 'close' as const, suggestion: `上级工单 ${stored.sn} ${why}` };
    const given = { proxy: { by: null, name: '系统', origin, now }, rights: { intervene: true, urge_wait: 0 } };
    await actFor(tx, child, child.state.creator, action, given);
  }
}

/** Applies a system event to a ticket. The caller holds the row's lock. */
export async function happen(tx: Db, stored: Stored, event: SystemEvent, { origin, now }: When): Promise<void> {
  await run(tx, stored, {
    ...byItself(stored, event.type === 'answer' ? event.msg : ''),
    decide: (known) => proceed(stored.version.definition, stored.state, event, known),
    origin,
    now,
  });
}

/** Arguments for a turn that nobody takes. */
export const byItself = ({ delegates }: Stored, suggestion = '') => ({
  facts: { rights: { ...noRights, delegates } },
  delegate: null,
  heard: { actor: null, suggestion, talk: false },
});

/**
 * Like `happen`, for when nobody is there to read a refusal: it becomes a task of the workflow's administrators, with the reason. An event that comes
 * twice or late does nothing.
 */
export async function happenOrStall(tx: Db, stored: Stored, event: SystemEvent, when: When): Promise<void> {
  await savepoint(tx, () => happen(tx, stored, event, when)).catch(async (stop: unknown) => {
    if (!(stop instanceof Refusal)) throw stop;
    const { token, visit } = event;
    if (!isNoLonger(stop)) await happen(tx, stored, { type: 'stall', token, visit, why: stop.message }, when);
  });
}

interface Child {
  parent_ticket_id: number | null;
  parent_token_no: number | null;
  parent_visit: number | null;
  before: TicketState;
  state: TicketState;
}

/**
 * When the last ticket below a stay is over, with no drafts left, the parent goes on. If that is refused, its people still have their button and its
 * administrators are notified. A deleted ticket moves nothing: the parent's people go on, and if none of them can, the administrators are called.
 */
async function advanceParent(tx: Db, child: Child, when: When): Promise<void> {
  const { parent_ticket_id: id, parent_token_no: token, parent_visit: visit, before, state } = child;
  const wasOver = isOver(before) || before.act_state === actState.finishAsked;
  if (id === null || token === null || wasOver || !isOver(state)) return;
  const parent = await load(tx, id, undefined, true);
  if (parent) await goOnFrom(tx, parent, { token, visit, deleted: state.deleted }, when);
}

/**
 * Tickets that ended while their parent was suspended are noticed when it is resumed; its people are asked anew then, so a deleted one leaves nobody
 * behind.
 */
async function goOnAfterRest(tx: Db, id: number, when: When): Promise<void> {
  const { rows } = await tx.execute<{ token: number; visit: number }>(sql`
    select distinct parent_token_no as token, parent_visit as visit from ticket where parent_ticket_id = ${id}
      and parent_token_no is not null and not is_deleted and act_state in (${inSql(actState.finished, actState.closed)})`);
  for (const stay of rows) {
    const stored = await load(tx, id, undefined, true);
    if (stored) await goOnFrom(tx, stored, { ...stay, deleted: false }, when);
  }
}

type Left = Stay & { deleted: boolean };

async function goOnFrom(tx: Db, parent: Stored, { deleted, ...stay }: Left, when: When): Promise<void> {
  const token = staying(parent, stay);
  if (!token || parent.state.suspended || isOver(parent.state)) return;
  const place = stateOf(parent.version.definition, token.state_id);
  const at = { token: token.no, visit: token.visit };
  const enough = deleted ? null : enoughOf(place, parent.state.form);
  const results = place.children ? await resultsBelow(tx, parent.id, at) : [];
  if (enough === null || results.length < enough) {
    if (parent.below.includes(token.state_id)) return;
    const drafts = await draftChildren(tx, parent.id);
    if (drafts.some((draft) => draft.token === token.no && draft.visit === token.visit)) return;
  }
  if (deleted) return happenOrStall(tx, parent, { type: 'childless', ...at }, when);
  const agreed = results.flatMap(({ act_state, ...one }) => (act_state === actState.finished ? [one] : []));
  const fields = withResults(parent.version.definition, place, parent.state.form, agreed);
  await happenOrStall(tx, parent, { type: 'children', ...at, ...(fields ? { fields } : {}) }, when);
}
