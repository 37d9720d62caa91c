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

/** Who really decided, where that was not whose task it is. */
export interface Eyes {
  /** Who acts in somebody's stead. */
  by?: number | undefined;
  /** Task number → who decided it in its person's stead. */
  delegates?: ReadonlyMap<number, number> | undefined;
}

/** Whether a ticket is a person's own: begun by them, or written by them in the name of who began it. */
export const isOwn = ({ creator, authors }: Pick<TicketState, 'creator' | 'authors'>, person: number): boolean =>
  person === creator || authors.includes(person);

/** Whether whoever a ticket is the own of may decide in a state like anybody else: it says so, or asks nobody. */
export function mayDecideOwn(state: Pick<State, 'kind' | 'on_self'>): boolean {
  return !asksPeople(state) || state.on_self === onSelf.asUsual;
}

/** Why nobody of those may be chosen for a state where four eyes are kept, as a sentence; null where none of them has the ticket as their own. */
export function ownAmong(ticket: TicketState, state: State, people: readonly number[]): string | null {
  if (mayDecideOwn(state)) return null;
  if (people.includes(ticket.creator)) return '发起人不能审批自己的工单，请选择他人';
  return people.some((person) => isOwn(ticket, person)) ? '设定定时发起的人不能审批由此产生的工单，请选择他人' : null;
}

/** Whether a person may decide nothing in a state of a ticket: it is their own, or decided what the state keeps apart from it. */
export function isBarred(definition: Definition, ticket: TicketState, state: State, person: number): boolean {
  if (isOwn(ticket, person) && !mayDecideOwn(state)) return true;
  return asksPeople(state) && hasDone(definition, ticket, state.not_done_by ?? [], person);
}

/** Whether somebody who moves a ticket by force would put their own request past those who decide it, which is to decide it. */
export function movesOwn(definition: Definition, ticket: TicketState, person: number): boolean {
  return isOwn(ticket, person) && !definition.states.every(mayDecideOwn);
}

/** Whether a state asks the creator of a ticket only because somebody named them: nobody's approval is passed by with that. */
export function wasNamed(definition: Definition, state: State, ticket: TicketState, answers: Answers): boolean {
  const rules = state.participants.filter(
    (who) =>
      who.type !== participantType.field &&
      !(who.type === participantType.variable && who.variable.endsWith('_select')),
  );
  return !whoIsAsked(definition, { ...state, participants: rules }, ticket, answers).includes(ticket.creator);
}

/**
 * Whether one person has said already, for themselves or in somebody's stead, how the visit of a task is to be left. Two seats of a joint
 * decision are two people, unless the state says otherwise; where whoever acts first decides, there are no seats to fill.
 */
export function hasSeat(definition: Definition, ticket: TicketState, task: Task, person: number, eyes: Eyes): boolean {
  const state = stateOf(definition, task.state_id);
  return seatsOf(ticket, task, person, eyes).some(
    (other) => asksEverybody(state) || task.group_no > 0 || other.group_no > 0,
  );
}

/** The other tasks of a visit that one person has really decided. */
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

/** Why the vote of a task is not its person's to give; null where it is. An opinion for somebody else's task is no vote. */
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

/** What is left of a vote that is somebody else's: one's own request may be refused. */
export function mayStill(why: Elsewhere, attribute: number): boolean {
  return (why === 'own' || why === 'written') && attribute === attributeType.refuse;
}

const whyElse = {
  own: '这是本人发起的，不能由本人同意，请转交他人办理',
  written: '这张工单由本人设定的定时发起产生，不能由本人同意，请转交他人办理',
  seated: '本人已在这个环节表过态，一人只占一席，请把这一项转交他人办理',
  done: '本人办过前面的环节，按流程规定这一步由没有办过的人办理，请转交他人',
} as const;

/** Why the vote of the task that is meant is somebody else's, as a sentence; null where it is the actor's, or they have no such task. */
export function whyNotOne(
  definition: Definition,
  ticket: TicketState,
  { actor, task_no }: { actor: number; task_no?: number | undefined },
  eyes: Eyes,
): string | null {
  const mine = dutiesOf(ticket, actor).filter((task) => task_no === undefined || task.no === task_no);
  const [why] = mine.flatMap((task) => whoElseDecides(definition, ticket, task, actor, eyes) ?? []);
  return why ? whyElse[why] : null;
}
