import { absent, invalid, stale } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { applicantFor, mayReach, versionToStart } from '#modules/workflow/workflows/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { isSave, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { isFor } from '#modules/workflow/workflows/engine/start-rule.ts';
import { filesIn } from '../fields/attachments.ts';
import { refuseLeftBehind } from '../automation/children.ts';
import { run, type Ran } from './run.ts';
import { newLog } from '../store/chain.ts';
import { notDrafted, notOffered } from '../contract/refusals.ts';
import { detailOf } from '../read/detail.ts';
import { refuseOutOfScope } from './drafts.ts';
import type { Action } from './deciding.ts';
import { decide, isTalk, taken, type Command } from '../engine/decide.ts';
import { ownFacts, rightsOf } from './facts.ts';
import { whatEnded } from '../store/log.ts';
import { isHeldBelow } from '../engine/moves/own-vote.ts';
import { whyNotOne } from '../engine/four-eyes.ts';
import { codesOf, noRights, type Rights } from '../engine/ways/offers.ts';
import { asRecordSays, guardOf, type RecordRef, type Guarded } from '../records/records.ts';
import { startedForOneMore } from '../store/started.ts';
import { takeOpinionFiles, takeSignature } from '../store/signatures.ts';
import { dutiesOf, mainStateId, newTicket, type TicketState } from '../engine/state.ts';
import { refuseUnseen, seenHash } from '../visibility/seen.ts';
import { lentTo, offersOfFlow, offersTo, withTask, type OwnedOffer, type Reader } from '../visibility/delegation.ts';
import { load, lockRow, type Stored } from '../store/store.ts';
import { readerOfOne } from '../records/closed.ts';
import { ticketViewerOf } from '../visibility/viewer.ts';
import { opensTo } from '../visibility/visibility.ts';

/** The user, and the services of the call's transaction. */
export interface CommandContext {
  tx: Db;
  user: Viewer;
  now: Date;
  origin: Origin;
}
export interface Moved {
  id: number;
  sn: string;
  title: string;
  ticket_id: number;
  act_state: number;
  /** The record that the ticket decides. */
  record: RecordRef | null;
}

/** The result of an action. */
export interface Done extends Moved {
  /** True if the action was recorded and the ticket still waits for others in its state. */
  stays: boolean;
  /** The ticket's present state; empty if it has none. */
  state_name: string;
}

/** A ticket visible to somebody, with their rights in it. */
export interface Seen extends Stored {
  rights: Rights;
  reader: Reader;
  guarded: Guarded;
}

/** Reads a ticket for somebody who may see it. Any other is reported as absent, whether it exists or not. */
export async function seenBy(tx: Db, user: Viewer, id: number, lock: boolean): Promise<Seen> {
  // The row is locked in the same round trip, before it is known whether they may see it: a refusal rolls everything back.
  const [viewer] = await Promise.all([ticketViewerOf(tx, user), lock ? lockRow(tx, id) : null]);
  const stored = await load(tx, id, opensTo(viewer), lock && 'held', user.id);
  if (!stored) throw absent('工单');
  const { state, version, record } = stored;
  const { below, delegates } = stored;
  const { workflow_id, definition } = version;
  const rights = {
    ...(await rightsOf(tx, viewer, { id, workflow_id, definition, state, below })),
    delegates,
  };
  const guarded = await guardOf(tx, record, version.definition);
  return { ...stored, rights, reader: await readerOfOne(tx, viewer, stored), guarded };
}

export interface Start {
  workflow_id: number;
  transition_id: number;
  suggestion: string;
  choose?: Record<string, string[]> | undefined;
  parent_ticket_id?: number | undefined;
  parent_ticket_state_id?: number | undefined;
  fields: Record<string, unknown>;
  /** User name of the person in whose name it is started. */
  begin_for?: string | undefined;
  /** They mean it although another ticket holds the same. */
  force?: boolean | undefined;
  /** The record it decides; only for a workflow bound to the record's module. */
  record?: RecordRef;
}

/** The version of a workflow that somebody may start now, for themselves or for another, with the facts about the applicant that the flow needs. */
export async function openTo(tx: Db, user: Viewer, workflowId: number, module: string | null, begin_for?: string) {
  if (begin_for !== undefined && begin_for !== user.username) return openForOther(tx, user, workflowId, begin_for);
  const dept = user.depts[0] ?? null;
  const [version, creator] = await Promise.all([versionToStart(tx, workflowId, module), ownFacts(tx, user, dept)]);
  if (!version || !mayReach(user, version.workflow_id)) throw absent('流程');
  const person = { id: user.id, dept_path: creator.dept_path, roles: [...user.roleCodes] };
  if (!isFor(version.definition.settings.limit, person)) throw absent('流程');
  return { version, dept, creator, applicant: user };
}

async function openForOther(tx: Db, user: Viewer, workflowId: number, username: string) {
  const version = await versionToStart(tx, workflowId, null);
  if (!version || !mayReach(user, version.workflow_id)) throw absent('流程');
  const applicant = await applicantFor(tx, user, version.definition, username);
  const dept = applicant.depts[0] ?? null;
  return { version, dept, creator: await ownFacts(tx, applicant, dept), applicant };
}

/** Starts a ticket as a draft or submitted, depending on the transition. */
export async function start({ tx, user, now, origin }: CommandContext, asked: Start): Promise<Moved> {
  const record = asked.record ?? null;
  const [{ version, dept, creator, applicant }, end] = await Promise.all([
    openTo(tx, user, asked.workflow_id, record?.module ?? null, asked.begin_for),
    newLog(tx),
  ]);
  const { definition } = version;
  const forOther = applicant !== user;
  if (forOther && asked.parent_ticket_id !== undefined) {
    const msg = '下级工单由办理上级工单的人发起，不能代他人发起，请去掉申请人';
    throw invalid([{ field: 'begin_for', label: '申请人', msg }]);
  }
  const pressed = definition.transitions.find(({ id }) => id === asked.transition_id);
  // A draft belongs to its creator alone, so the person who writes it would lose it.
  if (forOther && pressed && isSave(definition, pressed)) throw notDrafted();
  const started = await startedForOneMore(tx, applicant.id, version);
  const above = await parentOf(tx, user, asked);
  const { transition_id, suggestion, fields, choose = {} } = asked;
  const state = forOther ? newTicket(applicant.id, dept, [user.id], user.id) : newTicket(user.id, dept);
  const command: Command = { type: 'create', actor: applicant.id, transition_id, suggestion, fields, choose };
  const prefix = user.application?.numberPrefix ?? '';
  const fresh = { version, prefix, ...above, record, state, creator, end };
  const ran = await run(tx, fresh, {
    decide: (known) => decide(definition, state, command, known),
    facts: { rights: noRights, ...started },
    delegate: forOther ? { id: user.id, owner: applicant.id, isDelegate: true } : null,
    heard: { actor: user, suggestion, talk: false },
    user,
    force: asked.force,
    origin,
    now,
    via: viaOf(user),
  });
  return movedOf(ran);
}

/** Names the application through which somebody acts outside our pages. */
const viaOf = ({ application }: Viewer) => (application ? `应用“${application.name}”` : '');

const movedOf = ({ id, sn, record, state: { title, act_state } }: Ran): Moved => ({
  id,
  sn,
  title,
  ticket_id: id,
  act_state,
  record,
});

/** The parent of a new ticket: one its creator may see; in a state that waits for others, only those with its task may add one. */
async function parentOf(tx: Db, user: Viewer, asked: Start) {
  const [id, at] = [asked.parent_ticket_id ?? null, asked.parent_ticket_state_id ?? null];
  if (id === null && at !== null)
    throw invalid([{ field: 'parent_ticket_id', label: '上级工单', msg: '填了上级环节的，请填写上级工单' }]);
  if (id === null) return { ...ofNoStay, parent_ticket_id: null };
  const { state } = await seenBy(tx, user, id, at !== null);
  if (at === null) return { ...ofNoStay, parent_ticket_id: id };
  const mine = dutiesOf(state, user.id).find((task) => task.state_id === at && !task.pooled);
  if (!mine || state.suspended)
    throw invalid([
      { field: 'parent_ticket_state_id', label: '上级工单', msg: '现在不在这个环节，或不由您处理，请刷新查看' },
    ]);
  const { token, visit } = mine;
  return { parent_ticket_id: id, parent_ticket_state_id: at, parent_token_no: token, parent_visit: visit };
}

const ofNoStay = { parent_ticket_state_id: null, parent_token_no: null, parent_visit: null };

/** Fields that the page sends with a command. */
export interface Sent {
  version?: number | undefined;
  /** Hash of the form as it was read. */
  seen_hash?: string | undefined;
  /** File of the handwritten signature. */
  signature?: number | undefined;
  /** Files of the opinion. */
  files?: readonly number[] | undefined;
  /** They mean it although another ticket holds the same. */
  force?: boolean | undefined;
}

/**
 * Applies one action to a ticket under its row lock, so that of several simultaneous ones one succeeds and the others are refused. `locked`: the
 * ticket as just read under that lock.
 */
export async function act(
  context: CommandContext,
  id: number,
  action: Action,
  sent: Sent = {},
  locked?: Seen,
): Promise<Done> {
  const { tx, user, origin, now } = context;
  const seen = locked ?? (await seenBy(tx, user, id, true));
  const { state: before } = seen;
  const { definition } = seen.version;
  const offer = takenUp(seen, { ...action, actor: user.id });
  const owner = offer?.owner ?? null;
  const meant = offer && asMeant(before, offer, action);
  const guarded = meant && seen.guarded(meant, owner ?? user.id);
  if (guarded) throw guarded;
  const task_no = offer?.task_no ?? undefined;
  const said = action.type === 'handle' ? { fields: await asRecordSays(tx, seen, offer, action.fields) } : {};
  const ofTask = task_no === undefined ? {} : { task_no };
  const command = { ...action, ...said, actor: owner ?? user.id, ...ofTask } as Command;
  await refuseLate(tx, user, seen, command);
  if (offer?.code === 'submit' && before.act_state === actState.draft) {
    await refuseOutOfScope(tx, user, seen);
    await refuseLeftBehind(tx, seen);
  }
  const { version, seen_hash } = sent;
  const current = () => detailOf(tx, seen, seen.reader, user);
  if (seen_hash !== undefined) await refuseUnseen(tx, seen, seen.reader, seen_hash, current);
  if (version !== undefined && version !== seen.rev) throw stale('工单', await current());
  const held = definition.fields.flatMap((field) => filesIn(field, before.form[field.key]));
  const signature = await takeSignature(tx, { ticket: id, held, definition, offer, user }, sent.signature);
  const { files = [] } = sent;
  const field = action.type === 'handle' ? 'suggestion_files' : 'files';
  // A draft is seen by its creator alone, and what is saved is no opinion yet.
  if (offer?.code === 'save' && files.length > 0)
    throw invalid([{ field, label: '附件', msg: '保存时还没有意见，请在提交或办理时再添加意见的附件' }]);
  await takeOpinionFiles(tx, { ticket: id, held, user, field }, files);
  const draft = before.act_state === actState.draft;
  const started = draft ? await startedForOneMore(tx, before.creator, seen.version) : {};
  const mentions = action.type === 'comment' ? action.people : 'mentions' in action ? (action.mentions ?? []) : [];
  const named = [...(await peopleByName(tx, mentions)).values()];
  const ran = await run(tx, seen, {
    decide: (known) => decide(definition, before, command, known),
    facts: { rights: owner === null ? seen.rights : { ...seen.rights, by: user.id }, ...started },
    delegate: owner === null ? null : { id: user.id, owner, isDelegate: true },
    heard: {
      actor: user,
      suggestion: 'suggestion' in action ? action.suggestion : '',
      mentioned: named.map((person) => person.id),
      talk: isTalk(action.type),
    },
    user,
    force: sent.force,
    origin,
    now,
    seen_hash: seenHash(seen, seen.reader),
    signature,
    files,
    via: viaOf(user),
  });
  const stays = ran.log.some(
    ({ action, from_state_id, to_state_id }) => action === 'handle' && from_state_id === to_state_id,
  );
  const at = mainStateId(ran.state);
  return { ...movedOf(ran), stays, state_name: at === null ? '' : stateOf(definition, at).name };
}

/** True if a command is about a task that waits for the person now, even if they decided earlier: then it is not too late. */
function isTheirTurn({ version, state, reader }: Seen, user: Viewer, command: Command): boolean {
  const { state: lent } = lentTo(state, version.workflow_id, reader);
  const duties = dutiesOf(lent, user.id);
  if (command.type === 'retreat') return false;
  if ('task_no' in command && command.task_no !== undefined) return duties.some(({ no }) => no === command.task_no);
  if (command.type !== 'handle') return duties.length > 0;
  const pressed = version.definition.transitions.find(({ id }) => id === command.transition_id);
  return duties.some((task) => !pressed || task.state_id === pressed.source);
}

/** The offer that a command uses, out of those the person has themselves and as a delegate. */
function takenUp(seen: Seen, command: Command): OwnedOffer | undefined {
  return taken(seen.state, offersOfFlow(seen, seen.reader), command, seen.rights);
}

/** The offer for the chosen task of somebody else, if it handles one. */
function asMeant(state: TicketState, offer: OwnedOffer, action: Action): OwnedOffer {
  if (!offer.from_admin) return offer;
  const no =
    ('task_no' in action ? action.task_no : undefined) ?? (offer.choices.length === 1 ? offer.choices[0] : undefined);
  return no === undefined ? offer : withTask(state, offer, no);
}

/** Tells somebody whose task was ended by another person who did it, when and how. */
async function refuseLate(tx: Db, user: Viewer, seen: Seen, command: Command): Promise<void> {
  const { state, delegates } = seen;
  const over = state.tasks.filter(
    (one) => one.status !== 'todo' && (one.assignee === user.id || delegates.get(one.no) === user.id),
  );
  if (takenUp(seen, command)) return;
  if (command.type === 'handle') {
    const { state: lent } = lentTo(state, seen.version.workflow_id, seen.reader);
    const elsewhere = whyNotOne(seen.version.definition, lent, command, seen.rights);
    if (elsewhere) throw notOffered(elsewhere, state.act_state, codesOf(offersTo(seen, seen.reader)));
  }
  if (over.length === 0 || ['close', 'state', 'delete', 'end_leave'].includes(command.type)) return;
  if (isTalk(command.type) || ('from_admin' in command && command.from_admin === true)) return;
  if (isTheirTurn(seen, user, command)) return;
  if (command.type === 'retreat' && isHeldBelow(seen.version.definition, state, command.actor, seen.below)) return;
  // Taking back is prevented by any later action.
  const ended = command.type === 'retreat' ? state.tasks : over;
  const nos = ended.map((one) => one.no);
  const action = await whatEnded(tx, seen, nos, user.id);
  if (action) throw notOffered(action, state.act_state, codesOf(offersTo(seen, seen.reader)));
}
