import { attributeType, onSelf, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  asksEverybody,
  asksPeople,
  stateOf,
  type Definition,
  type State,
} from '#modules/workflow/workflows/engine/definition.ts';
import { hasDone, whoIsAsked, type Answers } from './people/people.ts';
import { dutiesOf, hasVoted, type Task, type TicketState } from './state.ts';

/** The people who really decided, if they are not the tasks' owners. */
export interface Eyes {
  /** The person who acts on somebody's behalf. */
  by?: number | undefined;
  /** Task number → the person who decided it on the owner's behalf. */
  delegates?: ReadonlyMap<number, number> | undefined;
}

/** True if a ticket is a person's own: they began it, or wrote it in the name of its creator. */
export const isOwn = ({ creator, authors }: Pick<TicketState, 'creator' | 'authors'>, person: number): boolean =>
  person === creator || authors.includes(person);

/** True if others wrote a ticket in its creator's name, here or in the ticket that began it: the creator has not agreed to it yet. */
export const isWrittenByOthers = ({ creator, authors }: Pick<TicketState, 'creator' | 'authors'>): boolean =>
  authors.some((person) => person !== creator);

/** True if a state lets people decide their own tickets like anybody else, or asks nobody. */
export function mayDecideOwn(state: Pick<State, 'kind' | 'on_self'>): boolean {
  return !asksPeople(state) || state.on_self === onSelf.asUsual;
}

/**
 * The name, in a sentence, of the people who wrote a ticket in its creator's name. Where nobody started it for them, a schedule or a ticket above did,
 * and its authors wrote that.
 */
export const whoWrote = ({ begun_by }: Pick<TicketState, 'begun_by'>): string =>
  begun_by === null ? '代为填报的人' : '代为发起的人';

/** Says to one of the people who wrote a ticket that it is their own. */
const whyWritten = ({ begun_by }: Pick<TicketState, 'begun_by'>): string =>
  begun_by === null ? '这张工单的内容由本人代为填报' : '这张工单由本人代他人发起';

/** Says to somebody that a ticket is their own. */
export const whyOwn = (ticket: Pick<TicketState, 'creator' | 'begun_by'>, person: number): string =>
  person === ticket.creator ? '这是本人发起的工单' : whyWritten(ticket);

/** Why none of some people may be chosen for a state with four eyes, as a sentence; null if the ticket is none of theirs. */
export function ownAmong(ticket: TicketState, state: State, people: readonly number[]): string | null {
  if (mayDecideOwn(state)) return null;
  if (people.includes(ticket.creator)) return '发起人不能审批自己的工单，请选择他人';
  return people.some((person) => isOwn(ticket, person))
    ? `${whoWrote(ticket)}不能审批由此产生的工单，请选择他人`
    : null;
}

/** True if a person may not decide in a state: the ticket is their own, or they decided a state that this one is kept apart from. */
export function isBarred(definition: Definition, ticket: TicketState, state: State, person: number): boolean {
  if (isOwn(ticket, person) && !mayDecideOwn(state)) return true;
  return asksPeople(state) && hasDone(definition, ticket, state.not_done_by ?? [], person);
}

/** True if somebody who moves a ticket by force would move their own request past those who decide it, which amounts to deciding it. */
export function movesOwn(definition: Definition, ticket: TicketState, person: number): boolean {
  return isOwn(ticket, person) && !definition.states.every(mayDecideOwn);
}

/** True if a state asks a ticket's creator only because somebody named them: skipping it then bypasses nobody's approval. */
export function wasNamed(definition: Definition, state: State, ticket: TicketState, answers: Answers): boolean {
  const rules = state.participants.filter(
    (who) =>
      who.type !== participantType.field &&
      !(who.type === participantType.variable && who.variable.endsWith('_select')),
  );
  return !whoIsAsked(definition, { ...state, participants: rules }, ticket, answers).includes(ticket.creator);
}

/**
 * True if a person has already voted, for themselves or on somebody's behalf, in the visit of a task. Two seats of a joint decision need two people,
 * unless the state says otherwise; if the first to act decides, there are no seats.
 */
export function hasSeat(definition: Definition, ticket: TicketState, task: Task, person: number, eyes: Eyes): boolean {
  const state = stateOf(definition, task.state_id);
  return seatsOf(ticket, task, person, eyes).some(
    (other) => asksEverybody(state) || task.group_no > 0 || other.group_no > 0,
  );
}

/** The other tasks of a visit that one person really decided. */
export function seatsOf(ticket: TicketState, task: Task, person: number, { delegates }: Eyes): Task[] {
  return ticket.tasks.filter(
    (other) =>
      other.token === task.token &&
      other.visit === task.visit &&
      other.no !== task.no &&
      hasVoted(other) &&
      (delegates?.get(other.no) ?? other.assignee) === person,
  );
}

export type Elsewhere = 'own' | 'written' | 'seated' | 'done';

/** Why a task's vote may not be given by its person; null if it may. An opinion on somebody else's task is no vote. */
export function whoElseDecides(
  definition: Definition,
  ticket: TicketState,
  task: Task,
  person: number,
  eyes: Eyes,
): Elsewhere | null {
  const state = stateOf(definition, task.state_id);
  if (task.answers || !asksPeople(state)) return null;
  const real = eyes.by ?? person;
  if (!mayDecideOwn(state)) {
    if ([person, real].includes(ticket.creator)) return 'own';
    if ([person, real].some((one) => isOwn(ticket, one))) return 'written';
  }
  const apart = state.not_done_by ?? [];
  if ([person, real].some((one) => hasDone(definition, ticket, apart, one))) return 'done';
  return !state.several_seats && hasSeat(definition, ticket, task, real, eyes) ? 'seated' : null;
}

/** True if a person barred from voting may still do this: refusing one's own request is allowed. */
export function mayStill(why: Elsewhere, attribute: number): boolean {
  return (why === 'own' || why === 'written') && attribute === attributeType.refuse;
}

const whyElse = {
  own: '这是本人发起的，不能由本人同意，请转交他人办理',
  seated: '本人已在这个环节表过态，一人只占一席，请把这一项转交他人办理',
  done: '本人办过前面的环节，按流程规定这一步由没有办过的人办理，请转交他人',
} as const;

/** Why the vote of the chosen task may not be given by the actor, as a sentence; null if it may, or they have no such task. */
export function whyNotOne(
  definition: Definition,
  ticket: TicketState,
  { actor, task_no }: { actor: number; task_no?: number | undefined },
  eyes: Eyes,
): string | null {
  const mine = dutiesOf(ticket, actor).filter((task) => task_no === undefined || task.no === task_no);
  const [why] = mine.flatMap((task) => whoElseDecides(definition, ticket, task, actor, eyes) ?? []);
  if (why === 'written') return `${whyWritten(ticket)}，不能由本人同意，请转交他人办理`;
  return why ? whyElse[why] : null;
}
