import { fieldAccess } from '#modules/workflows/engine/codes.ts';
import type { Definition, Field, State } from '#modules/workflows/engine/definition.ts';
import { visibleFields } from './fields.ts';
import { sameValue } from './form/values.ts';
import type { Event, Task, TicketState } from './state.ts';

type Form = TicketState['form'];
/** Task number → the form as it stood once the task's own person had decided it. */
export type FormsDecided = ReadonlyMap<number, Form>;

/** A field that is not as it was. */
export interface Different {
  field: Field;
  was: unknown;
  is: unknown;
}

const decided: readonly string[] = ['agree', 'refuse', 'other', 'returned'];

/**
 * The form of each decision, from the rows of a ticket's log in their order. What somebody decided in another's stead, or the system did,
 * is nobody's own; what was taken back was not decided.
 */
export function formsWhenDecided(rows: Iterable<{ actor: number | null; events: readonly Event[] }>): FormsDecided {
  const forms = new Map<number, Form>();
  const people = new Map<number, number>();
  let form: Form = {};
  for (const { actor, events } of rows) {
    for (const event of events) {
      if (event.type === 'field_changed') form = { ...form, [event.key]: event.to };
      else if (event.type === 'task_opened') people.set(event.task.no, event.task.assignee);
      else if (event.type !== 'task_changed') continue;
      else if (!decided.includes(event.status)) forms.delete(event.no);
      else if (people.get(event.no) === actor && !forms.has(event.no)) forms.set(event.no, form);
    }
  }
  return forms;
}

/** Keys of the fields a person sees of a ticket now; with `asked_in`, of what they would see where that state asked them. */
export function keysSeenBy(
  definition: Definition,
  ticket: TicketState,
  person: number,
  asked_in?: State,
): ReadonlySet<string> {
  const asked = asked_in && { ...blank, assignee: person, state_id: asked_in.id };
  const looked = asked ? { ...ticket, tasks: [...ticket.tasks, asked] } : ticket;
  const seen = visibleFields(definition, looked, person);
  return new Set([...seen].flatMap(([key, right]) => (right === fieldAccess.hidden ? [] : key)));
}

const blank: Task = {
  no: 0,
  token: 0,
  visit: 0,
  state_id: 0,
  round: 0,
  assignee: 0,
  origin: 'assign',
  origin_no: null,
  on_behalf_of: null,
  group_seq: 0,
  group_no: 0,
  mode: null,
  answers: false,
  status: 'todo',
  pooled: false,
  transition_id: null,
  reason: '',
};

/** What of some fields is not as it was in a form; of all others nothing is told. */
export function differing({ fields }: Definition, keys: ReadonlySet<string>, was: Form, is: Form): Different[] {
  return fields.flatMap((field) =>
    keys.has(field.key) && !sameValue(was[field.key], is[field.key])
      ? [{ field, was: was[field.key], is: is[field.key] }]
      : [],
  );
}

/** The last decision of a person in a ticket, if they have one; with `state`, there. What was kept of an earlier one is no other. */
export function lastDecision({ tasks }: Pick<TicketState, 'tasks'>, person: number, state?: State): Task | undefined {
  return tasks.findLast(
    (task) =>
      task.assignee === person &&
      task.origin !== 'keep' &&
      decided.includes(task.status) &&
      (state === undefined || (task.state_id === state.id && task.group_no === 0 && !task.answers)),
  );
}
