import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { absent, invalid, stale } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import type { Origin } from '#kernel/server/implement.ts';
import type { Viewer } from '#kernel/server/viewer.ts';
import type { Signer } from '#modules/files/service.ts';
import { peopleByName } from '#modules/people/service.ts';
import { mayReach, versionToStart } from '#modules/workflows/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { isFor } from '#modules/workflows/engine/start-rule.ts';
import { filesIn, settleFiles } from './attachments.ts';
import { refuseLeftBehind } from './below.ts';
import { carry, goOnAbove } from './carrying.ts';
import { notOffered } from './contract/refusals.ts';
import { detailOf } from './detail.ts';
import { refuseOutOfScope } from './drafts.ts';
import { decided, type Deed } from './deciding.ts';
import { decide, isTalk, taken, type Command } from './engine/decide.ts';
import { creatorFacts, ownFacts, rightsOf } from './facts.ts';
import { whatEnded } from './log.ts';
import { whyNotOne } from './engine/four-eyes.ts';
import { codesOf, noRights, type Rights } from './engine/offers.ts';
import { follow, withheldBy, type RecordRef, type Withheld } from './records.ts';
import { startedForOneMore } from './started.ts';
import { spread } from './telling.ts';
import { takeSignature } from './signatures.ts';
import { dutiesOf, newTicket } from './engine/state.ts';
import { refuseUnseen, seenHash } from './seen.ts';
import { lentTo, offersOfFlow, offersTo, type OwnedOffer, type Reader } from './standing.ts';
import { insert, load, type Stored } from './store.ts';
import { lookerOf, readerOf } from './looker.ts';
import { opensTo } from './visibility.ts';

/** Who asks, with what the transaction of the call gives. */
export interface Desk {
  tx: Db;
  user: Viewer;
  now: Date;
  origin: Origin;
  signer: Signer;
}
export interface Moved {
  id: number;
  sn: string;
  title: string;
  ticket_id: number;
  act_state: number;
  /** What it decides. */
  record: RecordRef | null;
}

/** A ticket somebody may see, with what they are to it. */
export interface Seen extends Stored {
  rights: Rights;
  reader: Reader;
  withheld: Withheld;
}

/** Reads a ticket for one who may see it. Anything else is absent, whether it exists or not. */
export async function seenBy(tx: Db, user: Viewer, id: number, lock: boolean): Promise<Seen> {
  const looker = await lookerOf(tx, user);
  const stored = await load(tx, id, opensTo(looker), lock, user.id);
  if (!stored) throw absent('工单');
  const { state, version, record } = stored;
  const { below, agents } = stored;
  const rights = { ...(await rightsOf(tx, looker, { id, workflow_id: version.workflow_id, state, below })), agents };
  const withheld = await withheldBy(tx, record, version.definition);
  return { ...stored, rights, reader: readerOf(looker), withheld };
}

export interface Start {
  workflow_id: number;
  transition_id: number;
  suggestion: string;
  choose?: Record<string, string[]> | undefined;
  parent_ticket_id?: number | undefined;
  parent_ticket_state_id?: number | undefined;
  fields: Record<string, unknown>;
  /** The business record it decides; only for a workflow bound to its module. */
  record?: RecordRef;
}

/** Starts a ticket: as a draft or submitted, as the transition says. */
export async function start({ tx, user, now, origin }: Desk, asked: Start): Promise<Moved> {
  const record = asked.record ?? null;
  const version = await versionToStart(tx, asked.workflow_id, record?.module ?? null);
  if (!version || !mayReach(user, version.workflow_id)) throw absent('流程');
  const { definition } = version;
  const dept = user.depts[0] ?? null;
  const creator = await ownFacts(tx, user, dept);
  const { limit } = definition.settings;
  if (!isFor(limit, { id: user.id, dept_path: creator.dept_path, roles: [...user.roleCodes] })) throw absent('流程');
  const facts = { creator, rights: noRights, ...(await startedForOneMore(tx, user.id, version)) };
  const above = await aboveOf(tx, user, asked);
  const before = newTicket(user.id, dept);
  const command: Command = {
    type: 'create',
    actor: user.id,
    transition_id: asked.transition_id,
    suggestion: asked.suggestion,
    fields: asked.fields,
    choose: asked.choose ?? {},
  };
  const about = { workflow_id: version.workflow_id, ...above, fresh: true };
  const { state, log } = await decided(tx, about, facts, (known) => decide(definition, before, command, known));
  const fresh = {
    version,
    prefix: user.application?.numberPrefix ?? '',
    day: dayOf(now),
    ...above,
    record,
  };
  const { id, sn } = await insert(tx, fresh, {
    before,
    state,
    log,
    origin,
    creatorName: creator.alias,
    agent: null,
    now,
  });
  await settleFiles(tx, definition, { before: before.form, after: state.form }, { recordId: id, user });
  const ticket = { id, sn, version, record, created: momentText(now) };
  const creatorName = creator.alias;
  await spread(tx, { ticket, before, state, log, creatorName, actor: user, suggestion: asked.suggestion });
  await follow(tx, ticket, { state, log, agent: null, now });
  await goOnAbove(tx, { ...above, before, state }, { origin, now });
  return { id, sn, title: state.title, ticket_id: id, act_state: state.act_state, record };
}

/** The ticket a new one hangs below: one its creator may see, and in a state that waits for others only by whoever has its task. */
async function aboveOf(tx: Db, user: Viewer, asked: Start) {
  const [id, at] = [asked.parent_ticket_id ?? null, asked.parent_ticket_state_id ?? null];
  if (id === null) return { parent_ticket_id: null, parent_ticket_state_id: null };
  const { state } = await seenBy(tx, user, id, at !== null);
  const mine = dutiesOf(state, user.id).some((task) => task.state_id === at && !task.pooled);
  if (at !== null && (!mine || state.suspended))
    throw invalid([
      { field: 'parent_ticket_state_id', label: '上级工单', msg: '现在不在这个环节，或不由您处理，请刷新查看' },
    ]);
  return { parent_ticket_id: id, parent_ticket_state_id: at };
}

/** What comes with a command from the page. */
export interface Sent {
  version?: number | undefined;
  /** Of the form as it was read. */
  seen_hash?: string | undefined;
  /** File of what was signed by hand. */
  signature?: number | undefined;
}

/**
 * Does one thing to a ticket under its row lock, so that of several who try at once one succeeds and the others hear of it. `locked`: as
 * it was just read under that lock.
 */
export async function act(desk: Desk, id: number, deed: Deed, sent: Sent = {}, locked?: Seen): Promise<Moved> {
  const { tx, user, origin, signer, now } = desk;
  const seen = locked ?? (await seenBy(tx, user, id, true));
  const { state: before } = seen;
  const { definition, workflow_id } = seen.version;
  const offer = takenUp(seen, { ...deed, actor: user.id });
  const owner = offer?.owner ?? null;
  const withheld = offer && seen.withheld(offer, owner ?? user.id);
  if (withheld) throw withheld;
  const task_no = offer?.task_no ?? undefined;
  const command = { ...deed, actor: owner ?? user.id, ...(task_no === undefined ? {} : { task_no }) } as Command;
  await refuseLate(tx, user, seen, command);
  if (offer?.code === 'submit' && before.act_state === actState.draft) {
    await refuseOutOfScope(tx, user, seen);
    await refuseLeftBehind(tx, seen);
  }
  const { version, seen_hash } = sent;
  const current = () => detailOf(tx, seen, seen.reader, signer);
  if (seen_hash !== undefined) await refuseUnseen(tx, seen, seen.reader, seen_hash, current);
  if (version !== undefined && version !== seen.rev) throw stale('工单', await current());
  const held = definition.fields.flatMap((field) => filesIn(field, before.form[field.key]));
  const signature = await takeSignature(tx, { ticket: id, held, definition, offer, user, signer }, sent.signature);
  const creator = await creatorFacts(tx, before.creator, before.creator_dept);
  const draft = before.act_state === actState.draft;
  const started = draft ? await startedForOneMore(tx, before.creator, seen.version) : {};
  const rights = owner === null ? seen.rights : { ...seen.rights, by: user.id };
  const facts = { creator, rights, ...started };
  const about = { workflow_id, parent_ticket_id: seen.parent_ticket_id };
  const { state, log } = await decided(tx, about, facts, (known) => decide(definition, before, command, known));
  const agent = owner === null ? null : { id: user.id, owner, standIn: true };
  const named = deed.type === 'comment' ? [...(await peopleByName(tx, deed.people)).values()] : [];
  const suggestion = 'suggestion' in deed ? deed.suggestion : '';
  const mentioned = named.map((person) => person.id);
  const outcome = {
    before,
    state,
    log,
    origin,
    creatorName: creator.alias,
    agent,
    now,
    seen_hash: seenHash(seen, seen.reader),
    signature,
  };
  await carry(tx, seen, outcome, { actor: user, suggestion, mentioned, talk: isTalk(deed.type) });
  await settleFiles(tx, definition, { before: before.form, after: state.form }, { recordId: id, user });
  const { sn, record } = seen;
  return { id, sn, title: state.title, ticket_id: id, act_state: state.act_state, record };
}

/** The offer of the flow a command takes up, of those the person has by themselves and as a stand-in. */
function takenUp(seen: Seen, command: Command): OwnedOffer | undefined {
  return taken(seen.state, offersOfFlow(seen, seen.reader), command, seen.rights);
}

/** Tells somebody whose task another has ended who that was, when and how. */
async function refuseLate(tx: Db, user: Viewer, seen: Seen, command: Command): Promise<void> {
  const { state, agents } = seen;
  const over = state.tasks.filter(
    (one) => one.status !== 'todo' && (one.assignee === user.id || agents.get(one.no) === user.id),
  );
  if (takenUp(seen, command)) return;
  if (command.type === 'handle') {
    const { state: lent } = lentTo(state, seen.version.workflow_id, seen.reader);
    const elsewhere = whyNotOne(seen.version.definition, lent, command, seen.rights);
    if (elsewhere) throw notOffered(elsewhere, state.act_state, codesOf(offersTo(seen, seen.reader)));
  }
  if (over.length === 0 || command.type === 'close' || command.type === 'state') return;
  if (isTalk(command.type)) return;
  // Who would take a decision back is kept from it by whatever came after it.
  const ended = command.type === 'retreat' ? state.tasks : over;
  const nos = ended.map((one) => one.no);
  const deed = await whatEnded(tx, seen, nos, user.id);
  if (deed) throw notOffered(deed, state.act_state, codesOf(offersTo(seen, seen.reader)));
}
