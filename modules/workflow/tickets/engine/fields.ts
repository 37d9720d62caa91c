import { moneyText } from '#kernel/contract/money/money.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import {
  fieldAccess,
  fieldType,
  isDeptType,
  isFileType,
  isPeopleType,
  isShownOnly,
  type FieldAccess,
} from '#modules/workflow/workflows/engine/codes.ts';
import { pathWords } from '#modules/workflow/workflows/engine/fields/choice-tree.ts';
import { regionName } from '#modules/workflow/workflows/engine/fields/regions.ts';
import { deptKey, regionKey } from '#modules/workflow/workflows/engine/fields/value-words.ts';
import { isEmpty } from '#modules/workflow/workflows/engine/condition.ts';
import { pairFault } from '#modules/workflow/workflows/engine/check/date-pairs.ts';
import { startOf, type Definition, type Field, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { isComputed } from '#modules/workflow/workflows/engine/formula/formula.ts';
import type { Works } from '#modules/workflow/workflows/engine/formula/evaluate.ts';
import { checkFaults, settleChanges, uncountedDays } from './form/settling.ts';
import {
  accessIn,
  columnHiddenIn,
  isWritable,
  lackingCell,
  rightIn,
  type Right,
} from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { readValue, sameValue, type Change } from './form/values.ts';
import { hasCome, type TicketState } from './state.ts';

/** The ways to submit a form: kept as a draft; sent as it is; sent with all required fields. */
export type HandedIn = 'draft' | 'sent' | 'complete';

/**
 * Checks the values that a request writes in a state. Missing and hidden fields are refused alike, so nothing can be found out by trying; a read-only
 * field is refused if its value differs. With `complete`, required fields must have a value afterwards.
 */
export function readWrites(
  definition: Definition,
  state: State,
  form: TicketState['form'],
  fields: Readonly<Record<string, unknown>>,
  handedIn: HandedIn,
  works?: Works,
): { changes: Change[]; errors: FieldError[] } {
  const complete = handedIn === 'complete';
  const changes: Change[] = [];
  const errors: FieldError[] = [];
  for (const [key, raw] of Object.entries(fields)) {
    const field = definition.fields.find((candidate) => candidate.key === key);
    const access = field ? accessIn(state, key) : fieldAccess.hidden;
    if (!field || access === fieldAccess.hidden) {
      const label = key.slice(0, 50);
      errors.push({ field: label, label, msg: '当前环节没有这个字段' });
      continue;
    }
    // Computed fields are calculated below, whatever was sent for them.
    if (field.formula) continue;
    const before = form[key] ?? null;
    const read = readValue(field, raw, { columns: rightIn(state, field).columns, before: rowsIn(before) });
    if (access === fieldAccess.read) {
      if ('msg' in read || !sameValue(read.value, before))
        errors.push({ field: key, label: field.name, msg: '在当前环节不能修改' });
    } else if ('msg' in read) errors.push({ field: key, label: field.name, msg: read.msg });
    else if (!sameValue(read.value, before)) changes.push({ key, from: before, to: read.value });
  }
  const valueOf = (key: string) => {
    const change = changes.find((candidate) => candidate.key === key);
    return change ? change.to : form[key];
  };
  errors.push(...pairFaults(definition, state, valueOf, changes));
  const settled = settleChanges(definition, state, form, changes, errors, handedIn !== 'draft', works);
  const { hidden, required } = settled;
  if (complete) {
    const must = ({ key }: Field) => {
      const access = accessIn(state, key);
      return access === fieldAccess.required || (access === fieldAccess.optional && required.has(key));
    };
    errors.push(
      ...checkFaults(definition, { ...form, ...Object.fromEntries(changes.map(({ key, to }) => [key, to])) }, works),
    );
    for (const field of definition.fields) {
      // Nobody fills in a computed field, so an unknown value is accepted.
      const asked = must(field) && !isComputed(field) && !hidden.has(field.key) && !isShownOnly(field.type);
      if (!asked || errors.some((error) => error.field === field.key)) continue;
      if (isEmpty(valueOf(field.key))) errors.push({ field: field.key, label: field.name, msg: unfilled });
    }
    errors.push(...uncountedDays(definition, must, settled, errors));
    for (const field of definition.fields) {
      if (hidden.has(field.key) || errors.some((error) => error.field === field.key)) continue;
      const lacking = lackingCell(field, rightIn(state, field), rowsIn(valueOf(field.key)));
      const msg = lacking && `${unfilled}第 ${lacking.line} 行“${lacking.name}”`;
      if (msg) errors.push({ field: field.key, label: field.name, msg });
    }
  }
  return { changes, errors };
}

/** Dates in the wrong order, and more days than there are: reported at the field that was written, or at the later of the two. */
function pairFaults(
  definition: Definition,
  state: State,
  valueOf: (key: string) => unknown,
  changes: readonly Change[],
): FieldError[] {
  const nameOf = (key: string) => definition.fields.find((one) => one.key === key)?.name ?? key;
  const written = (key: string | undefined) => changes.some((change) => change.key === key);
  return definition.fields.flatMap((field) => {
    const { key, name, not_before } = field;
    // Days that were stored before follow the dates; days sent now cannot exceed them.
    if (field.days_between ? !written(key) : ![key, not_before].some(written)) return [];
    const msg = pairFault(field, valueOf, nameOf);
    if (msg === null) return [];
    const isBlameless = !isWritable(accessIn(state, key)) && not_before !== undefined && written(not_before);
    return isBlameless
      ? [{ field: not_before, label: nameOf(not_before), msg: `与“${name}”不符：${msg}` }]
      : [{ field: key, label: name, msg }];
  });
}

/** Rights to the fields of a form by key, as somebody sees it. */
export type Sight = ReadonlyMap<string, Right>;

/**
 * The fields a person sees: in full rights where a task waits for them; read-only what they saw in the states they were asked in, what the creator
 * filled in, and what every viewer is shown. Unnamed fields stay hidden; in tables, mere viewers see the columns that no state hides.
 */
export function visibleFields(definition: Definition, ticket: TicketState, person: number): Sight {
  const stateById = new Map(definition.states.map((state) => [state.id, state]));
  const mine = ticket.tasks.filter((task) => task.assignee === person && hasCome(ticket, task));
  const before = mine.map((task) => task.state_id);
  if (person === ticket.creator) before.push(startOf(definition).id);
  const seen = new Map<string, Right>();
  for (const field of definition.fields) {
    const { key } = field;
    let access: FieldAccess = definition.settings.display_form.includes(key) ? fieldAccess.read : fieldAccess.hidden;
    const open = field.columns.filter((column) => !columnHiddenIn(definition, key, column.key));
    const columns = new Map<string, FieldAccess>(
      access === fieldAccess.hidden ? [] : open.map((column) => [column.key, fieldAccess.read]),
    );
    for (const id of before) {
      const state = stateById.get(id);
      if (!state || accessIn(state, key) === fieldAccess.hidden) continue;
      access = fieldAccess.read;
      for (const column of rightIn(state, field).columns.keys()) columns.set(column, fieldAccess.read);
    }
    for (const task of mine.filter((candidate) => candidate.status === 'todo')) {
      const state = stateById.get(task.state_id);
      // A state does not change the access of fields it does not name.
      if (!state || !Object.hasOwn(state.access, key)) continue;
      const right = rightIn(state, field);
      access = task.pooled && right.access !== fieldAccess.hidden ? fieldAccess.read : right.access;
      columns.clear();
      for (const [column, own] of right.columns) columns.set(column, task.pooled ? fieldAccess.read : own);
    }
    if (access !== fieldAccess.hidden) seen.set(key, { access, columns });
  }
  return seen;
}

/** Names of people by user name, and of departments by `deptKey`. */
export type Names = ReadonlyMap<string, string>;

/** Keys of the people, departments and regions in a field, including those in the rows of a table. */
export function namedIn(field: Field, value: unknown): string[] {
  const cells = (type: number, cell: unknown): string[] =>
    isPeopleType(type)
      ? [cell ?? []].flat().filter((one) => typeof one === 'string')
      : isDeptType(type)
        ? [cell ?? []].flat().map(deptKey)
        : type === fieldType.region
          ? [cell ?? []].flat().map(regionKey)
          : [];
  if (field.type !== fieldType.table || !Array.isArray(value)) return cells(field.type, value);
  return value.flatMap((row: Record<string, unknown>) =>
    field.columns.flatMap((column) => cells(column.type, row[column.key])),
  );
}

/** A value as text for titles and notices: labels of choices, names of people and departments. */
export function shownValue(field: Field, value: unknown, names: Names): string {
  if (isEmpty(value)) return '';
  if (isPeopleType(field.type) || isDeptType(field.type))
    return namedIn(field, value)
      .map((key) => names.get(key) ?? key)
      .join('、');
  if (field.type === fieldType.region) return pathWords([value].flat().map((code) => regionName(String(code))));
  const label = (item: unknown) => field.choices.find((choice) => choice.value === item)?.label ?? String(item);
  if (Array.isArray(value) && field.type === fieldType.cascade) return pathWords(value.map(label));
  if (Array.isArray(value) && field.type === fieldType.dateRange) return value.join(' 至 ');
  if (Array.isArray(value))
    return field.type === fieldType.table || field.type === fieldType.records || isFileType(field.type)
      ? ''
      : value.map(label).join('、');
  if (field.type === fieldType.money && typeof value === 'number') return moneyText(value);
  if (typeof value === 'boolean') return value ? field.boolean_display.yes : field.boolean_display.no;
  return label(value);
}
