import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  asksPeople,
  completionOf,
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type StateAction,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { ActionCode, Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Leave } from '../../contract/leave.ts';
import { removable } from '../moves/adding.ts';
import { mayApplyFinish } from '../moves/completing.ts';
import { mayRelease } from '../moves/handling.ts';
import { besideReturnable, mayWithdraw, returnable } from '../moves/going-back.ts';
import { isHeldBelow, mayUndo } from '../moves/own-vote.ts';
import { helps, isStall } from '../stalling.ts';
import { isOwn, mayDecideOwn, mayStill, movesOwn, whoElseDecides, type Eyes } from '../four-eyes.ts';
import { dutiesOf, isOver, type Task, type TicketState } from '../state.ts';
import { waitsForTurn } from './turns.ts';

/** An action a person may take on a ticket now. */
export interface Offer {
  action: 'create' | 'handle' | ActionCode;
  code: Offered['code'];
  /** The task it decides; null if it decides none. */
  task_no: number | null;
  state_id: number | null;
  transition: Transition | null;
  /** States to go to, added tasks to remove, or others' tasks to handle: one must be named. */
  choices: readonly number[];
  /** States to return to in parallel: for each branch those passed, of which one may be named. */
  beside?: readonly (readonly number[])[];
  /** True if it handles somebody else's task, as the workflow's administrators may. */
  from_admin: boolean;
  /** True if its task belongs to an added signer, not to the state itself. */
  added?: boolean;
  /** The leave that it ends. */
  leave?: Leave;
}

/** A person's rights in a ticket beyond their tasks. */
export interface Rights extends Eyes {
  /** May intervene in the tickets of this workflow. */
  intervene: boolean;
  /** Administers this workflow: may hand on others' tasks, and add or remove signers. */
  administers?: boolean;
  /** Seconds until they may remind the handlers again. */
  urge_wait: number;
  /** States below which other tickets of this ticket still run: they are left when those are over. */
  below?: readonly number[];
  /** Set for a person who leaves for good: tasks that wait for their turn or an opinion are handed on too. */
  hands_over?: boolean;
  /** Their own approved leave, which has begun and from which they are not back. */
  leave?: Leave;
}
export const noRights: Rights = { intervene: false, urge_wait: 0 };

/**
 * All that a person who may view the ticket may do now. `decide` accepts a command only if it is in this list, so `transitions` and the server cannot
 * differ. For a ticket not created yet: the buttons of the start state, for its creator.
 */
export function offered(definition: Definition, ticket: TicketState, person: number, rights: Rights): Offer[] {
  if (ticket.deleted) return [];
  if (ticket.seq === 0) return offeredByTasks(definition, ticket, person, rights);
  const moving = helps(ticket, person) ? { ...rights, intervene: true } : rights;
  return [
    ...offeredByTasks(definition, ticket, person, rights).filter(
      (offer) => offer.action !== 'handle' || !rights.below?.includes(offer.state_id ?? 0),
    ),
    ...(isOver(ticket) || ticket.suspended
      ? []
      : [
          ...dutiesOf(ticket, person).flatMap((task) => back(definition, ticket, task)),
          ...ofTheTicket(definition, ticket, person, rights),
          ...(rights.administers ? withTasksOfOthers(definition, ticket, person) : []),
          ...(rights.hands_over ? waitingOf(ticket, person).map((task) => plain('deliver', task)) : []),
        ]),
    ...pause(definition, ticket, person, moving),
    ...(mayApplyFinish(definition, ticket, person) ? [plain('apply_finish')] : []),
    ...(rights.leave && person === ticket.creator ? [{ ...plain('end_leave'), leave: rights.leave }] : []),
    ...talk(definition, ticket, person),
    ...intervention(definition, ticket, person, moving),
  ];
}

function waitingOf({ tasks }: TicketState, person: number): Task[] {
  return tasks.filter((task) => task.assignee === person && task.status === 'waiting');
}

/** The offers that follow from open tasks alone: those shown in a list row. */
export function offeredByTasks(
  definition: Definition,
  ticket: TicketState,
  person: number,
  eyes: Eyes = noRights,
): Offer[] {
  if (isOver(ticket) || ticket.suspended) return [];
  if (ticket.seq === 0)
    return person === ticket.creator ? buttons(definition, 'create', startOf(definition).id, null) : [];
  const offers = dutiesOf(ticket, person).flatMap((task) => ofTask(definition, ticket, task, eyes));
  // A submitted ticket stays readable for all who took part: it is closed, not deleted.
  if (person === ticket.creator && ticket.act_state === actState.draft) offers.push(plain('delete'));
  if (person === ticket.creator && withCreator(ticket)) offers.push(plain('close'));
  // The person who has it since its creator left may end it, too.
  else if (offers.some((offer) => offer.code === 'submit')) offers.push(plain('close'));
  return offers;
}

function withCreator(ticket: TicketState): boolean {
  const states: readonly number[] = [actState.draft, actState.returned, actState.withdrawn];
  return states.includes(ticket.act_state);
}

function plain(action: ActionCode, task?: Task, choices: readonly number[] = []): Offer {
  return {
    action,
    code: action,
    task_no: task?.no ?? null,
    state_id: task?.state_id ?? null,
    transition: null,
    choices,
    from_admin: false,
  };
}

function ofTask(definition: Definition, ticket: TicketState, task: Task, eyes: Eyes): Offer[] {
  const state = stateOf(definition, task.state_id);
  if (isStall(task)) return asksPeople(state) ? [plain('deliver', task)] : [];
  if (waitsForTurn(definition, ticket, task))
    return !task.pooled && asksPeople(state) && state.actions.includes('deliver') ? [plain('deliver', task)] : [];
  const elsewhere = whoElseDecides(definition, ticket, task, task.assignee, eyes);
  if (task.pooled) return elsewhere ? [] : [plain('accept', task)];
  const { actions, kind } = state;
  const decisions = task.answers
    ? [plain('add_node_end', task)]
    : buttons(definition, 'handle', task.state_id, task.no)
        .filter(({ transition }) => isReached(definition, ticket, task, transition))
        .map((one) => ({ ...one, added: task.group_no > 0 }));
  if (kind === 'start') return decisions;
  // Always offered, whatever the state allows: somebody must be able to decide.
  if (elsewhere)
    return [
      ...decisions.filter(({ transition }) => transition && mayStill(elsewhere, transition.attribute)),
      plain('deliver', task),
    ];
  const others: StateAction[] = ['deliver', 'delegate', 'add_node'];
  return [
    ...decisions,
    ...others
      .filter((one) => actions.includes(one))
      .map((one) => plain(one as 'deliver' | 'delegate' | 'add_node', task)),
  ];
}

/** True if the other branch is in the state that a button requires; most buttons require none. */
function isReached(
  definition: Definition,
  { tokens }: TicketState,
  task: Task,
  transition: Transition | null,
): boolean {
  const named = transition?.only_at ?? [];
  return (
    named.length === 0 ||
    tokens.some(
      ({ no, status, state_id }) =>
        no !== task.token && status === 'active' && named.includes(stateOf(definition, state_id).key),
    )
  );
}

function back(definition: Definition, ticket: TicketState, task: Task): Offer[] {
  const { actions, kind } = stateOf(definition, task.state_id);
  const pool = mayRelease(definition, ticket, task) ? [plain('release', task)] : [];
  if (waitsForTurn(definition, ticket, task)) return [];
  if (task.pooled || task.answers || isStall(task) || kind === 'start' || !actions.includes('return')) return pool;
  const ids = returnable(definition, ticket, task).map((state) => state.id);
  const beside = besideReturnable(definition, ticket, task)?.branches ?? [];
  return [...pool, { ...plain('return', task, ids), ...(beside.length > 0 ? { beside } : {}) }];
}

/** A task offered to several candidates is handed on once, for all of them. */
function withTasksOfOthers(definition: Definition, ticket: TicketState, person: number): Offer[] {
  const firstCandidateTask = (task: Task) =>
    ticket.tasks.find(
      (other) => other.token === task.token && other.visit === task.visit && other.pooled && other.status === 'todo',
    );
  const there = ticket.tasks.filter(
    (task) =>
      task.status === 'todo' &&
      !isStall(task) &&
      stateOf(definition, task.state_id).kind !== 'start' &&
      // Somebody whose own ticket it is does not choose who decides it.
      (!isOwn(ticket, person) || mayDecideOwn(stateOf(definition, task.state_id))),
  );
  const held = there.filter((task) => !task.pooled && task.assignee !== person);
  const handed = [...held, ...there.filter((task) => task.pooled && firstCandidateTask(task) === task)];
  const offer = (action: 'deliver' | 'add_node', tasks: readonly Task[]): Offer[] =>
    tasks.length === 0
      ? []
      : [
          {
            ...plain(
              action,
              undefined,
              tasks.map((task) => task.no),
            ),
            from_admin: true,
          },
        ];
  return [...offer('deliver', handed), ...offer('add_node', held)];
}

function ofTheTicket(definition: Definition, ticket: TicketState, person: number, rights: Rights): Offer[] {
  const offers: Offer[] = [];
  const added = removable(ticket, rights.administers ? null : person);
  if (added.length > 0) offers.push(plain('remove_node', undefined, added));
  const takesBack = mayUndo(definition, ticket, person) && !isHeldBelow(definition, ticket, person, rights.below);
  if (takesBack || mayWithdraw(definition, ticket, person)) offers.push(plain('retreat'));
  const asks = person === ticket.creator || rights.intervene || isCopied(ticket, person);
  const others = ticket.tasks.some((task) => task.status === 'todo' && task.assignee !== person);
  if (asks && others && ticket.act_state !== actState.draft && rights.urge_wait === 0) offers.push(plain('urge'));
  return offers;
}

/**
 * Suspending and resuming: by those who may intervene, and by the holder if no other branch would be held up. While it is suspended its creator may
 * still withdraw it.
 */
function pause(definition: Definition, ticket: TicketState, person: number, rights: Rights): Offer[] {
  if (ticket.act_state !== actState.ongoing) return [];
  const alone = ticket.tokens.filter((token) => token.status === 'active').length === 1;
  const held = dutiesOf(ticket, person).find((task) => !task.pooled && !task.answers);
  const mine = held && alone ? plain(ticket.suspended ? 'resume' : 'suspend', held) : null;
  const offer = rights.intervene ? plain(ticket.suspended ? 'resume' : 'suspend') : mine;
  const withdraws = ticket.suspended && mayWithdraw(definition, ticket, person) ? [plain('retreat')] : [];
  return offer ? [offer, ...withdraws] : withdraws;
}

function isCopied(ticket: TicketState, person: number): boolean {
  return Object.values(ticket.copied).some((people) => people.includes(person));
}

function talk(definition: Definition, ticket: TicketState, person: number): Offer[] {
  if (ticket.act_state === actState.draft) return [];
  const here = dutiesOf(ticket, person).flatMap((task) => (task.pooled ? [] : [task.state_id]));
  const places = person === ticket.creator ? [...here, startOf(definition).id] : here;
  const copies = places.some((id) => stateOf(definition, id).actions.includes('cc'));
  return [...(copies ? [plain('cc')] : []), plain('comment')];
}

function intervention(definition: Definition, ticket: TicketState, person: number, rights: Rights): Offer[] {
  const { revoke } = definition.settings;
  const revokes = revoke === 'creator' && person === ticket.creator ? true : revoke !== 'nobody' && rights.intervene;
  const voids = ticket.act_state === actState.finished && revokes ? [plain('revoke')] : [];
  const states: number[] = [actState.draft, actState.closed];
  if (revoke === 'nobody') states.push(actState.finished);
  if (!rights.intervene || states.includes(ticket.act_state)) return voids;
  const targets = targetsOf(definition, ticket, person);
  const moves = targets.length > 0 ? [plain('state', undefined, targets)] : [];
  // An approved ticket is revoked, by a word that says so.
  return [...voids, ...moves, ...(ticket.act_state === actState.finished ? [] : [plain('close')])];
}

/** States a ticket may be moved into by force; while only the confirmation of the end is pending, that state and the end. */
function targetsOf(definition: Definition, ticket: TicketState, person: number): number[] {
  const kinds: readonly string[] = ['start', 'approve', 'handle', 'subticket', 'end'];
  const final = definition.settings.revoke === 'nobody' && ticket.act_state === actState.finishAsked;
  const confirm = final ? completionOf(definition) : undefined;
  const own = movesOwn(definition, ticket, person);
  return definition.states
    .filter(({ kind }) => (own ? kind === 'start' : kinds.includes(kind)))
    .filter((state) => !confirm || state === confirm || state.kind === 'end')
    .map((state) => state.id);
}

function buttons(definition: Definition, action: 'create' | 'handle', stateId: number, task: number | null): Offer[] {
  return exitsOf(definition, stateId).map((transition) => ({
    action,
    code: codeOf(definition, transition),
    task_no: task,
    state_id: stateId,
    transition,
    choices: [],
    from_admin: false,
  }));
}

function codeOf(definition: Definition, transition: Transition): Offered['code'] {
  if (isSave(definition, transition)) return 'save';
  if (transition.source === startOf(definition).id) return 'submit';
  if (transition.attribute === attributeType.agree) return 'approve';
  return transition.attribute === attributeType.refuse ? 'refuse' : 'other';
}

/** The codes of a row's `actions`, each once. */
export function codesOf(offers: readonly Offer[]): Offered['code'][] {
  return [...new Set(offers.map((offer) => offer.code))];
}
