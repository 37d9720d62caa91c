import type { State } from '#modules/workflow/workflows/engine/definition.ts';
import { differing, seenBy, withRecord } from '../differing.ts';
import type { Task } from '../state.ts';
import type { Work } from '../work.ts';
import { Unanswered } from './people.ts';

/** Those of some decisions that were made by the person themselves, about what they would still see unchanged if a state asked them now. */
export function stillAsSeen(work: Work, state: State, decisions: readonly Task[]): Task[] {
  const { definition, state: ticket, facts } = work;
  const { forms, record } = facts;
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

/** True if the decision is being made in this turn: the log does not have it yet. */
const isBeingTaken = ({ log }: Work, no: number): boolean =>
  log.some(({ events }) => events.some((event) => event.type === 'task_changed' && event.no === no));
const isOwnNow = ({ log, facts }: Work, { no, assignee }: Task): boolean =>
  !facts.in_stead && !facts.by_itself && log.some(({ actor, task_nos }) => actor === assignee && task_nos.includes(no));
