import { invalid, Refusal, tooMany, unfilled } from '#kernel/contract/refusal.ts';
import { actState, awayKinds } from '#modules/workflow/workflows/engine/codes.ts';
import { awayKindOf, type Definition, type Transition } from '#modules/workflow/workflows/engine/definition.ts';
import { halfDayText, type Half } from '../contract/leave.ts';
import { notOffered, severalTasks } from '../contract/refusals.ts';
import { addSigners, answer, delegate, deliver, takeAway } from './moves/adding.ts';
import { wordsNeeded } from './ways/buttons.ts';
import { endLeave } from './moves/coming-back.ts';
import { applyFinish } from './moves/completing.ts';
import { giveBack, mayTakeBack, takeBack, withdraw } from './moves/going-back.ts';
import { accept, create, handle, release, remove } from './moves/handling.ts';
import { close, move, revoke, suspend } from './moves/intervening.ts';
import { isHeldBelow, ownVote, takeVoteBack } from './moves/own-vote.ts';
import { migrate, type Migration } from './moves/migrating.ts';
import { applySystemEvent, type SystemEvent } from './moves/system-event.ts';
import { isOwn, movesOwn, seatsOf, whyNotOne, whyOwn } from './four-eyes.ts';
import { passOnFrom, passOnReopened } from './leaving.ts';
import { codesOf, offered, type Offer, type Rights } from './ways/offers.ts';
import { waitsForTurn } from './ways/turns.ts';
import { Unanswered, type PeopleQuery } from './people/people.ts';
import { dutiesOf, isOver, isRefused, type GroupMode, type LogEntry, type Task, type TicketState } from './state.ts';
import { askCandidatesAgain } from './people/candidates.ts';
import { helpThoseKeptApart } from './stalling.ts';
import { comment, copy, urge } from './moves/talking.ts';
import { emit, type Facts, type Work } from './work.ts';
import type { Words } from './moves/writing.ts';

interface Said {
  actor: number;
  suggestion: string;
}
/** User names. */
interface People {
  people: readonly string[];
}
/** Names people in an opinion. */
interface Mentioning {
  mentions?: readonly string[] | undefined;
}
/** Needed only if the person has several tasks. */
interface OfTask {
  task_no?: number | undefined;
}
/** Acts on somebody else's task as an administrator of the workflow. */
interface ByAdmin {
  from_admin?: boolean | undefined;
}
/** `actor`: the id of the person who asks. */
export type Command =
  | ({ type: 'create'; actor: number; transition_id: number } & Words)
  | ({ type: 'handle'; actor: number; transition_id: number } & OfTask & Words)
  | ({ type: 'accept'; actor: number } & OfTask)
  | ({ type: 'release' | 'suspend' | 'resume' } & Said & OfTask)
  | { type: 'delete'; actor: number }
  | ({ type: 'deliver' } & Said & People & OfTask & ByAdmin)
  | ({ type: 'delegate' } & Said & People & OfTask)
  | ({ type: 'add_node'; how: 'before' | 'parallel' | 'after'; mode: GroupMode } & Said & People & OfTask & ByAdmin)
  | ({ type: 'add_node_end' } & Said & OfTask & Mentioning)
  /** `added`: number of the task to remove. */
  | ({ type: 'remove_node'; added: number } & Said)
  | ({
      type: 'return';
      state_id?: number | undefined;
      state_ids?: readonly number[] | undefined;
      resubmit_mode?: 1 | 2 | undefined;
    } & Said &
      OfTask &
      Mentioning)
  | ({ type: 'retreat' | 'close' | 'revoke' | 'urge' | 'apply_finish' } & Said)
  | ({ type: 'end_leave'; day: string; half: Half } & Said)
  | ({ type: 'state'; state_id: number; beside?: 'keep' | 'end' | undefined } & Said & People)
  | ({ type: 'comment' | 'cc' } & Said & People);

export type Decision =
  | { kind: 'decided'; log: LogEntry[]; state: TicketState }
  | { kind: 'refused'; refusal: Refusal }
  /**
   * Answer these, add them to `facts.people`; if `forms` is set, also set `facts.forms` to `formsWhenDecided` and add the record's content; then
   * decide again.
   */
  | { kind: 'asks'; queries: PeopleQuery[]; forms: boolean };

/**
 * Applies a command to a ticket. Pure: knows no clock, database or organisation; the same arguments give the same result. For a create, `state` is
 * `newTicket(creator, dept)`.
 */
export function decide(definition: Definition, state: TicketState, command: Command, facts: Facts): Decision {
  return concluded({ definition, facts, state, log: [] }, isTalk(command.type), (work) =>
    perform(work, command, permit(work, command)),
  );
}

/** Applies a system event to a ticket by the same rules. */
export function proceed(definition: Definition, state: TicketState, event: SystemEvent, facts: Facts): Decision {
  const talk = event.type === 'remind';
  return concluded({ definition, facts, state, log: [] }, talk, (work) => applySystemEvent(work, event));
}

/** Moves a ticket to another version of its workflow, `definition`. */
export function migrated(definition: Definition, state: TicketState, how: Migration, facts: Facts): Decision {
  return concluded({ definition, facts, state, log: [] }, false, (work) => migrate(work, how));
}

/** Updates a ticket after somebody joined or left departments, roles or the organisation; the log is empty if nothing changes. */
export function reassignCandidates(definition: Definition, state: TicketState, person: number, facts: Facts): Decision {
  return concluded({ definition, facts, state, log: [] }, true, (work) => {
    passOnFrom(work, person);
    askCandidatesAgain(work);
  });
}

function concluded(work: Work, talk: boolean, act: (work: Work) => void): Decision {
  const { state } = work;
  try {
    act(work);
    if (!talk) passOnReopened(work, state);
    if (!talk) helpThoseKeptApart(work);
    // Something has happened, so the previous decision can no longer be taken back.
    const { undo } = work.state;
    if (undo && ((!talk && undo === state.undo) || isOver(work.state))) emit(work, { type: 'undo_set', undo: null });
    return { kind: 'decided', log: work.log, state: work.state };
  } catch (stop) {
    if (stop instanceof Refusal) return { kind: 'refused', refusal: stop };
    if (stop instanceof Unanswered) return { kind: 'asks', queries: stop.queries, forms: stop.forms };
    throw stop;
  }
}

/** True for commands that leave the flow as it is. */
export function isTalk(type: Command['type']): boolean {
  return type === 'comment' || type === 'urge' || type === 'cc';
}

function perform(work: Work, command: Command, offer: Offer): void {
  switch (command.type) {
    case 'create':
      return create(work, command, transitionOf(offer));
    case 'handle':
      return handle(work, command, taskOf(work, offer), transitionOf(offer));
    case 'accept':
      return accept(work, command.actor, taskOf(work, offer));
    case 'release':
      return release(work, command, taskOf(work, offer));
    case 'suspend':
    case 'resume':
      return suspend(work, command.type === 'suspend', command.actor, command.suggestion);
    case 'revoke':
      return revoke(work, command.actor, command.suggestion);
    case 'apply_finish':
      return applyFinish(work, command.actor, command.suggestion);
    case 'delete':
      return remove(work, command.actor);
    case 'deliver':
      return deliver(work, chosenTask(work, offer, command.task_no), command);
    case 'delegate':
      return delegate(work, taskOf(work, offer), command);
    case 'add_node':
      return addSigners(work, chosenTask(work, offer, command.task_no), command);
    case 'add_node_end':
      return answer(work, taskOf(work, offer), command);
    case 'remove_node':
      return takeAway(work, command.added, command);
    case 'return':
      return giveBack(work, taskOf(work, offer), command);
    case 'retreat':
      return retreat(work, command.actor, command.suggestion);
    case 'close':
      return close(work, command.actor, command.suggestion);
    case 'end_leave':
      return endLeave(work, command);
    case 'state':
      return move(work, command);
    case 'comment':
      return comment(work, command);
    case 'urge':
      return urge(work, command);
    case 'cc':
      return copy(work, command);
  }
}

/**
 * The offer that a command uses, out of a list; undefined if it is not there. Refuses if the command does not say which of several tasks it means:
 * those waiting for the caller, or already decided by them here, because a repeated press would otherwise decide the next one.
 */
export function taken<O extends Offer>(
  state: TicketState,
  offers: readonly O[],
  command: Command,
  eyes: Rights,
): O | undefined {
  const wanted = 'transition_id' in command ? command.transition_id : null;
  const task = 'task_no' in command ? command.task_no : undefined;
  const several = 'state_ids' in command ? command.state_ids : undefined;
  const named = 'state_id' in command ? command.state_id : 'added' in command ? command.added : undefined;
  const choice = several ? null : (named ?? null);
  const byAdmin = 'from_admin' in command && command.from_admin === true;
  const fits = offers.filter(
    (offer) =>
      offer.action === command.type &&
      offer.from_admin === byAdmin &&
      (offer.transition?.id ?? null) === wanted &&
      (task === undefined || (byAdmin ? offer.choices.includes(task) : offer.task_no === task)) &&
      (choice === null || offer.choices.includes(choice) || isOneOfEach([choice], offer.beside ?? [])) &&
      (!several || isOneOfEach(several, offer.beside ?? [])),
  );
  const [first] = fits;
  if (task !== undefined || !first) return first;
  const meant = state.tasks.find((one) => one.no === first.task_no);
  const again = meant !== undefined && seatsOf(state, meant, eyes.by ?? command.actor, eyes).length > 0;
  if (again || new Set(fits.map((offer) => offer.task_no)).size > 1) throw severalTasks();
  return first;
}

/** True if each of some states lies in a different branch. */
const isOneOfEach = (ids: readonly number[], branches: readonly (readonly number[])[]): boolean =>
  ids.length > 0 &&
  ids.length === new Set(ids.map((id) => branches.findIndex((branch) => branch.includes(id)))).size &&
  ids.every((id) => branches.some((branch) => branch.includes(id)));

/** The offer that a command uses, from the same list the person was shown. */
function permit(work: Work, command: Command): Offer {
  const { definition, state, facts } = work;
  const offers = offered(definition, state, command.actor, facts.rights);
  const offer = taken(state, offers, command, facts.rights);
  if (!offer) {
    if (command.type === 'urge' && facts.rights.urge_wait > 0) throw tooMany('催办', facts.rights.urge_wait);
    const held = command.type === 'retreat' && isHeldBelow(definition, state, command.actor, facts.rights.below);
    const why = held ? '下级工单还在办，现在不能撤回，请先办完或关闭下级工单' : whyNot(work, command, offers);
    throw notOffered(why, state.act_state, codesOf(offers));
  }
  const words = 'suggestion' in command && command.suggestion.trim() !== '';
  if (!offer.transition && wordsNeeded(state, command.actor, offer) && !words)
    throw invalid([{ field: 'suggestion', label: '意见', msg: unfilled }]);
  return offer;
}

/** Actions by those who may intervene, whoever has the ticket. */
const forcedNames: Partial<Record<Command['type'], string>> = { state: '调整环节', close: '关闭工单' };

const notDeletable = '提交过的工单不能删除，经办的人还要查阅；不再需要的，退回或撤回后请关闭';

function whyNot({ definition, state, facts }: Work, command: Command, offers: readonly Offer[]): string {
  if (state.deleted) return '工单已删除';
  if (command.type === 'end_leave') return whyNotBack(definition, state, command.actor);
  if (command.type === 'delete' && command.actor === state.creator) return notDeletable;
  const revocable = facts.rights.intervene && definition.settings.revoke !== 'nobody';
  if (command.type === 'close' && revocable && state.act_state === actState.finished)
    return '工单已通过，不能关闭；通过的结果不再有效的，请由有权的人作废';
  if (isOver(state))
    return `工单${isRefused(definition, state) ? '未通过' : state.act_state === actState.closed ? '已关闭' : '已通过'}，不能再处理`;
  if (state.suspended) return '工单已挂起，恢复后才能办理';
  const unknown = 'transition_id' in command && !definition.transitions.some((one) => one.id === command.transition_id);
  if (unknown)
    return `流程“${definition.name}”里没有这个按钮（编号 ${command.transition_id}），请刷新页面，从现有的按钮中选择`;
  const wanted =
    'state_ids' in command && command.state_ids ? command.state_ids : 'state_id' in command ? [command.state_id] : [];
  const lost = wanted.find((id) => id !== undefined && !definition.states.some((one) => one.id === id));
  if (lost !== undefined) return `流程“${definition.name}”里没有编号为 ${lost} 的环节，请刷新页面，重新选择环节`;
  if (command.type === 'create') return '这个按钮不是发起用的，请刷新页面，从现有的按钮中选择';
  const elsewhere = command.type === 'handle' ? whyNotOne(definition, state, command, facts.rights) : null;
  if (elsewhere) return elsewhere;
  const whose = whyOwn(state, command.actor);
  const moves = command.type === 'state' && facts.rights.intervene;
  if (moves && movesOwn(definition, state, command.actor))
    return `${whose}，不能由本人调整到这个环节，请找其他流程管理员调整`;
  if ('from_admin' in command && command.from_admin === true && isOwn(state, command.actor))
    return `${whose}，不能由本人改派或加签，请找其他流程管理员办理`;
  const forced = forcedNames[command.type];
  if (forced && !facts.rights.intervene)
    return `${forced}由有干预权限的人操作，您没有这条流程的干预权限，请联系流程管理员`;
  const waits = dutiesOf(state, command.actor).some((task) => waitsForTurn(definition, state, task));
  if (waits && ['handle', 'accept', 'return'].includes(command.type)) return '另一个分支正在办理，办完后才轮到这里';
  if (offers.some((offer) => offer.action === 'accept')) return '这张工单需要先接单';
  const same = offers.some((offer) => offer.action === command.type);
  if (same && command.type === 'return') return whyNotBackTo(definition, wanted, offers);
  if (same && command.type === 'remove_node') return '这位加签人已经处理过，或不是您加签的，请刷新查看';
  return offers.some((offer) => offer.task_no !== null)
    ? '工单现在不能做这个操作，请刷新后再试'
    : '这张工单现在不由您处理，可能他人已经处理，请刷新查看';
}

function whyNotBack(definition: Definition, state: TicketState, actor: number): string {
  const kind = awayKindOf(definition) ?? 'leave';
  const name = awayKinds[kind];
  if (actor !== state.creator) return `销假由${name}的本人办理，请联系本人`;
  if (kind === 'outing') return '外出到返回时间自动结束，不用销假';
  return state.back_at === null
    ? `只有已经通过、已经开始的${name}才能销假；还没有开始而不再${name}的，请联系流程管理员作废`
    : `已经销假，${halfDayText(state.back_at)}返岗；填错的，请联系流程管理员`;
}

/** Why a ticket is not given back to some states, with those it may be given back to. */
function whyNotBackTo(
  { states }: Definition,
  wanted: readonly (number | undefined)[],
  offers: readonly Offer[],
): string {
  const namesOf = (ids: readonly (number | undefined)[]) =>
    states
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => `“${name}”`)
      .join('、');
  const back = offers.filter(({ action }) => action === 'return');
  const branches = back.flatMap(({ beside }) => beside ?? []);
  if (wanted.length > 1 && branches.length > 0 && wanted.every((id) => branches.some((ids) => ids.includes(id!))))
    return `不能同时退回到${namesOf(wanted)}，每个分支只能选一个环节，请在同一分支里只留一个`;
  const open = [...back.flatMap(({ choices }) => choices), ...branches.flat()];
  const shut = wanted.filter((id) => !open.includes(id!));
  return `不能退回到${namesOf(shut.length > 0 ? shut : wanted) || '这个环节'}，现在可以退回到的环节有${namesOf(open)}，请从中选择`;
}

/** Takes back somebody's last action: their decision, their vote among others, or their whole application. */
function retreat(work: Work, actor: number, suggestion: string): void {
  const { definition, state, facts } = work;
  const held = isHeldBelow(definition, state, actor, facts.rights.below);
  const vote = held ? null : ownVote(definition, state, actor);
  if (!held && mayTakeBack(state, actor)) takeBack(work, actor, suggestion);
  else if (vote) takeVoteBack(work, actor, suggestion, vote);
  else withdraw(work, actor, suggestion);
}

function taskOf(work: Work, offer: Offer): Task {
  const task = work.state.tasks.find((candidate) => candidate.no === offer.task_no);
  if (!task) throw new Error(`task ${offer.task_no} is not there`);
  return task;
}

/** The chosen task of somebody else, or one's own. */
function chosenTask(work: Work, offer: Offer, no: number | undefined): Task {
  if (!offer.from_admin) return taskOf(work, offer);
  const [only, ...more] = offer.choices;
  if (no === undefined && more.length > 0)
    throw invalid([{ field: 'task_no', label: '待办', msg: '有多位办理人，请选择是谁的待办' }]);
  return taskOf(work, { ...offer, task_no: no ?? only ?? null });
}

function transitionOf(offer: Offer): Transition {
  if (!offer.transition) throw new Error('this offer is no transition');
  return offer.transition;
}
