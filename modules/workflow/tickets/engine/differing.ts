import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Field, State } from '#modules/workflow/workflows/engine/definition.ts';
import { Field as asField } from '#modules/workflow/workflows/engine/form.ts';
import { valueWithin, within } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { visibleFields, type Sight } from './fields.ts';
import { sameValue } from './form/values.ts';
import type { Event, LogEntry, RecordContent, Task, TaskStatus, TicketState } from './state.ts';

type Form = TicketState['form'];
/** Task number → the form as it stood once the task's own person had decided it. */
export type FormsDecided = ReadonlyMap<number, Form>;

/** A field that has changed. */
export interface Different {
  field: Field;
  was: unknown;
  is: unknown;
}

const decided: readonly TaskStatus[] = ['agree', 'refuse', 'other', 'returned'];
export const isDecided = (status: TaskStatus): boolean => decided.includes(status);

/** A record's content is stored beside the form of its ticket, under keys that no field may have. */
const ofRecord = 'record:';
/** A form together with the content of the ticket's record. */
export const withRecord = (form: Form, holds: RecordContent | undefined): Form => ({
  ...form,
  ...Object.fromEntries(Object.entries(holds ?? {}).map(([name, value]) => [`${ofRecord}${name}`, value])),
});
export const isOfRecord = (key: string): boolean => key.startsWith(ofRecord);
export const isWithRecord = (form: Form): boolean => Object.keys(form).some(isOfRecord);
/** A record's present and previous content as fields, in the present order. */
function recordFields(before: Form, now: Form): Field[] {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(isOfRecord);
  return keys.map((key) => {
    const [name, type] = [key.slice(ofRecord.length), typeFor(now[key] ?? before[key])];
    return { ...asField.parse({ id: 1, key: 'record', name, type }), key };
  });
}
const typeFor = (value: unknown) =>
  Array.isArray(value) ? fieldType.users : typeof value === 'boolean' ? fieldType.bool : fieldType.string;

/**
 * The form at each decision, with the record's content, from a ticket's log rows in order. Decisions by delegates or the system do not count as the
 * person's own; neither do those that were taken back, nor those of a version that showed less than the one the ticket continues with.
 */
export function formsWhenDecided(rows: Iterable<{ actor: number | null; events: readonly Event[] }>): FormsDecided {
  const forms = new Map<number, Form>();
  const people = new Map<number, number>();
  let form: Form = {};
  let record: RecordContent | undefined;
  for (const { actor, events } of rows) {
    for (const event of events) {
      if (event.type === 'record_seen') record = event.holds;
      else if (event.type === 'shown_more') for (const no of event.tasks) forms.delete(no);
      else if (event.type === 'field_changed') form = { ...form, [event.key]: event.to };
      else if (event.type === 'task_opened') people.set(event.task.no, event.task.assignee);
      else if (event.type !== 'task_changed') continue;
      else if (!isDecided(event.status)) forms.delete(event.no);
      else if (people.get(event.no) === actor && !forms.has(event.no)) forms.set(event.no, withRecord(form, record));
    }
  }
  return forms;
}

/** True if some rows contain a decision. */
export const decidesIn = (log: readonly LogEntry[]): boolean =>
  log.some(({ events }) => events.some((event) => event.type === 'task_changed' && isDecided(event.status)));

/** Rows that contain decisions, with the record's content at that time. */
export const seeing = ([first, ...rest]: readonly LogEntry[], holds: RecordContent): LogEntry[] => [
  { ...first!, events: [{ type: 'record_seen', holds }, ...first!.events] },
  ...rest,
];

/** The part of a ticket's form that a person sees now; with `asked_in`, what they would see if that state asked them. */
export function seenBy(definition: Definition, ticket: TicketState, person: number, asked_in?: State): Sight {
  const asked = asked_in && { ...blank, assignee: person, state_id: asked_in.id };
  const looked = asked ? { ...ticket, tasks: [...ticket.tasks, asked] } : ticket;
  return visibleFields(definition, looked, person);
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

/**
 * The fields and columns visible to somebody that differ between two forms, and the differences of the record, which its page shows to those who
 * decide. Others are not reported.
 */
export function differing({ fields }: Definition, seen: Sight, before: Form, now: Form): Different[] {
  const record = recordFields(before, now).flatMap((field) => {
    const [was, is] = [before[field.key], now[field.key]];
    return sameValue(was, is) ? [] : [{ field, was, is }];
  });
  const form = fields.flatMap((field) => {
    const right = seen.get(field.key);
    if (!right) return [];
    const [was, is] = [before, now].map((form) => valueWithin(field, right.columns, form[field.key]));
    return sameValue(was, is) ? [] : [{ field: within(field, right.columns), was, is }];
  });
  return [...form, ...record];
}

/** A person's last decision in a ticket, or in its `state`, if any. A kept decision does not count as another. */
export function lastDecision({ tasks }: Pick<TicketState, 'tasks'>, person: number, state?: State): Task | undefined {
  return tasks.findLast(
    (task) =>
      task.assignee === person &&
      task.origin !== 'keep' &&
      isDecided(task.status) &&
      (state === undefined || (task.state_id === state.id && task.group_no === 0 && !task.answers)),
  );
}
