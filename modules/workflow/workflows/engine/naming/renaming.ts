import { participantType } from '../codes.ts';
import { renamedIn } from '../condition.ts';
import type { Children, Column, Definition, Field, Participant } from '../definition.ts';
import { renamedTemplate } from '../fields/print-template.ts';
import { renamedFormula } from '../formula/formula.ts';

type Rename = (key: string) => string;
type RenameColumn = (table: string, column: string) => string;

/** The definition after a field of it took another key: everything that names the field names it by the new one. */
export function renamedField(definition: Definition, from: string, to: string): Definition {
  const rename: Rename = (key) => (key === from ? to : key);
  const inText = (text: string) => text.replaceAll(`{${from}}`, `{${to}}`);
  const { settings } = definition;
  return {
    ...definition,
    fields: definition.fields.map((field) => following(field, rename)),
    states: definition.states.map((state) => ({
      ...state,
      access: withKeys(state.access, rename),
      ...(state.columns && { columns: withKeys(state.columns, rename) }),
      participants: state.participants.map((one) => renamedParticipant(one, rename)),
      ...(state.children && { children: renamedChildren(state.children, rename) }),
    })),
    transitions: definition.transitions.map((one) => ({
      ...one,
      conditions: one.conditions.map((branch) => ({ ...branch, expression: renamedIn(branch.expression, rename) })),
    })),
    settings: {
      ...settings,
      title_template: inText(settings.title_template),
      content_template: inText(settings.content_template),
      ...(settings.print_template && { print_template: renamedTemplate(settings.print_template, rename) }),
      display_form: settings.display_form.map(rename),
      key_fields: settings.key_fields.map(rename),
      ...(settings.doubles && { doubles: { ...settings.doubles, fields: settings.doubles.fields.map(rename) } }),
      ...renamedChecks(settings, rename),
    },
  };
}

/** The definition after a column of a table took another key: sums and lower tickets name it by the new one. */
export function renamedColumn(definition: Definition, table: string, from: string, to: string): Definition {
  const same: Rename = (key) => key;
  const rename: RenameColumn = (of, column) => (of === table && column === from ? to : column);
  return {
    ...definition,
    fields: definition.fields.map((field) => ({
      ...field,
      ...(field.formula && { formula: renamedFormula(field.formula, same, rename) }),
    })),
    states: definition.states.map((state) => ({
      ...state,
      ...(state.children && { children: renamedChildren(state.children, same, rename) }),
    })),
    settings: { ...definition.settings, ...renamedChecks(definition.settings, same, rename) },
  };
}

/** A field or a column that names others of its form or row, after one of them took another key. */
export function following<P extends Field | Column>(part: P, rename: Rename): P {
  const { not_before, days_between, formula, shown_when, required_when } = part;
  return {
    ...part,
    ...(formula && { formula: renamedFormula(formula, rename) }),
    ...(shown_when && { shown_when: renamedIn(shown_when, rename) }),
    ...(required_when && { required_when: renamedIn(required_when, rename) }),
    ...(not_before && { not_before: rename(not_before) }),
    ...(days_between && { days_between: renamedDays(days_between, rename) }),
  };
}

const renamedDays = (days: NonNullable<Field['days_between']>, rename: Rename) => ({
  ...days,
  from: rename(days.from),
  to: rename(days.to),
  ...(days.from_half && { from_half: rename(days.from_half) }),
  ...(days.to_half && { to_half: rename(days.to_half) }),
});

const withKeys = <V>(map: Readonly<Record<string, V>>, rename: Rename): Record<string, V> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [rename(key), value]));

/** The field of the upper ticket belongs to another form. */
const renamedParticipant = (one: Participant, rename: Rename): Participant =>
  'field' in one && one.type !== participantType.parentField ? { ...one, field: rename(one.field) } : one;

/** Its `values` are named by fields of the lower ticket, its `back` by columns of the table. */
function renamedChildren(
  { each, values, back, enough, ...rest }: Children,
  rename: Rename,
  renameColumn: RenameColumn = (_table, column) => column,
): Children {
  const source = (text: string) => {
    const [where, key = ''] = text.split('.');
    if (where === 'row') return `row.${renameColumn(each, key)}`;
    return where === 'form' ? `form.${rename(key)}` : text;
  };
  return {
    ...rest,
    each: rename(each),
    values: Object.fromEntries(Object.entries(values).map(([key, text]) => [key, source(text)])),
    ...(back && { back: withKeys(back, (column) => renameColumn(each, column)) }),
    ...(enough !== undefined && { enough: typeof enough === 'string' ? rename(enough) : enough }),
  };
}

const renamedChecks = ({ checks }: Definition['settings'], rename: Rename, renameColumn?: RenameColumn) =>
  checks && {
    checks: checks.map((check) => ({
      ...check,
      left: renamedFormula(check.left, rename, renameColumn),
      right: renamedFormula(check.right, rename, renameColumn),
    })),
  };
