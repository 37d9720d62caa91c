import type { Definition, State } from '#modules/workflow/workflows/engine/definition.ts';
import type { Sight } from '../fields.ts';
import { differing, seenBy, withRecord } from '../differing.ts';
import type { Task, TicketState } from '../state.ts';
import type { Work } from '../work.ts';
import { Unanswered } from './people.ts';

/**
 * Those of some decisions that were made by the person themselves, in a state that showed everything this one would show, and about a form that would
 * still look the same to them.
 */
export function stillAsSeen(work: Work, state: State, made: readonly Task[]): Task[] {
  const { definition, state: ticket, facts } = work;
  const { forms, record } = facts;
  const decisions = made.filter((task) => showedAll(work, task, state));
  const earlier = decisions.filter(({ no }) => !isBeingTaken(work, no));
  if (earlier.length === 0) return decisions.filter((task) => isOwnNow(work, task));
  if (!forms) throw new Unanswered([], true);
  return decisions.filter((task) => {
    const { no, assignee } = task;
    if (isBeingTaken(work, no)) return isOwnNow(work, task);
    const form = forms.get(no);
    if (!form) return false;
    const seen = seenBy(definition, ticket, assignee, state);
    return differing(definition, seen, form, withRecord(ticket.form, record)).length === 0;
  });
}

/** True if the state in which somebody decided showed them every field, and every table column, that another state shows them. */
function showedAll({ definition, state: ticket }: Work, { state_id, assignee }: Task, state: State): boolean {
  const then = shownIn(definition, ticket, assignee, state_id);
  return then !== null && covers(then, shownIn(definition, ticket, assignee, state.id)!);
}

/** The fields that a state of a workflow shows somebody by itself; null if there is no such state. */
function shownIn(definition: Definition, ticket: TicketState, person: number, state_id: number): Sight | null {
  const state = definition.states.find(({ id }) => id === state_id);
  return state ? seenBy(definition, { ...ticket, tasks: [] }, person, state) : null;
}
const covers = (wide: Sight, narrow: Sight): boolean =>
  [...narrow].every(([key, { columns }]) => {
    const there = wide.get(key);
    return there !== undefined && [...columns.keys()].every((column) => there.columns.has(column));
  });

/**
 * The agreements of a ticket whose state shows their people more in another version of the workflow than it did when they agreed: they have
 * not seen what the other version would take them to have seen.
 */
export const shownMoreIn = (to: Definition, from: Definition, ticket: TicketState): number[] =>
  ticket.tasks.flatMap(({ no, status, state_id, assignee }) => {
    const now = status === 'agree' ? shownIn(to, ticket, assignee, state_id) : null;
    const then = now && shownIn(from, ticket, assignee, state_id);
    return now && !(then && covers(then, now)) ? [no] : [];
  });

/** True if the decision is being made in this turn: the log does not have it yet. */
const isBeingTaken = ({ log }: Work, no: number): boolean =>
  log.some(({ events }) => events.some((event) => event.type === 'task_changed' && event.no === no));
const isOwnNow = ({ log, facts }: Work, { no, assignee }: Task): boolean =>
  !facts.in_stead && !facts.by_itself && log.some(({ actor, task_nos }) => actor === assignee && task_nos.includes(no));
