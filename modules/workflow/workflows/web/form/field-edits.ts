import { fieldAccess, fieldType, isNumberType, type FieldAccess, type FieldType } from '../../engine/codes.ts';
import { renamedIn } from '../../engine/condition.ts';
import { renamedFormula } from '../../engine/formula/formula.ts';
import { renamedTemplate } from '../../engine/fields/print-template.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { freeName, type Draft } from '../designer/state/draft.ts';
import { fieldTypeNames } from '../words.ts';

const choosing: readonly number[] = [
  fieldType.radio,
  fieldType.checkbox,
  fieldType.select,
  fieldType.multiSelect,
  fieldType.cascade,
];
export const hasChoices = (type: number) => choosing.includes(type);

type Paired = Pick<Field, 'not_before' | 'days_between'>;

function partOf(key: string, name: string, type: FieldType) {
  return {
    key,
    name,
    type,
    description: '',
    placeholder: '',
    template: '',
    default_value: null,
    choices: hasChoices(type)
      ? [
          { value: 'a', label: '选项 1' },
          { value: 'b', label: '选项 2' },
        ]
      : [],
    boolean_display: { yes: '是', no: '否' },
    decimals: 2,
    label: {},
  };
}

export function newColumn(field: Field, type: FieldType): Column {
  const keys = new Set(field.columns.map((column) => column.key));
  let n = field.columns.length + 1;
  while (keys.has(`column_${n}`)) n += 1;
  return { ...partOf(`column_${n}`, freeName(field.columns, fieldTypeNames[type]), type), required: false };
}

/** A new field at the end of the form: filled in at the start, read-only afterwards. */
export function addField(draft: Draft, id: number, type: FieldType): Draft {
  const field: Field = {
    id,
    ...partOf(`field_${id}`, freeName(draft.fields, fieldTypeNames[type]), type),
    columns: [],
    max_rows: 50,
  };
  const withColumn = type === fieldType.table ? { ...field, columns: [newColumn(field, fieldType.string)] } : field;
  return {
    ...draft,
    fields: [...draft.fields, withColumn],
    states: draft.states.map((state) =>
      state.kind === 'end' ? state : { ...state, access: { ...state.access, [field.key]: accessAtFirst(state.kind) } },
    ),
  };
}

const accessAtFirst = (kind: string): FieldAccess => (kind === 'start' ? fieldAccess.required : fieldAccess.read);

export function changeField(draft: Draft, id: number, part: Partial<Field>): Draft {
  const before = draft.fields.find((field) => field.id === id);
  if (!before) return draft;
  const fields = draft.fields.map((field) => (field.id === id ? { ...field, ...part } : field));
  const changed = withColumns({ ...draft, fields }, before.key, before.columns, part.columns);
  const { key } = part;
  return key === undefined || key === before.key ? changed : renamed(changed, before.key, key);
}

/** The states' settings for the columns of a table after editing: a changed key is followed, deleted columns are dropped. */
function withColumns(
  draft: Draft,
  table: string,
  before: readonly Column[],
  after: readonly Column[] | undefined,
): Draft {
  if (!after) return draft;
  const put = before.length === after.length ? before.findIndex((column, at) => column.key !== after[at]?.key) : -1;
  const keys = new Set(after.map((column) => column.key));
  const [was, is] = [before[put]?.key ?? '', after[put]?.key ?? ''];
  const renamed = put >= 0 && !keys.has(was) && !before.some((column) => column.key === is);
  const nameOf = (key: string) => (renamed && key === was ? is : key);
  return {
    ...draft,
    states: draft.states.map((state) => {
      const said = state.columns?.[table];
      if (!said) return state;
      const kept = Object.entries(said).flatMap(([key, access]) => {
        const now = nameOf(key);
        return keys.has(now) ? [[now, access] as const] : [];
      });
      return { ...state, columns: { ...state.columns, [table]: Object.fromEntries(kept) } };
    }),
  };
}

/** Removes a field and its settings in states; conditions that use it stay and are reported as problems. */
export function removeField(draft: Draft, id: number): Draft {
  const field = draft.fields.find((one) => one.id === id);
  if (!field) return draft;
  const { settings } = draft;
  return {
    ...draft,
    fields: draft.fields
      .filter((one) => one.id !== id)
      .map((one) => ({ ...apartFrom(one, field.key), ...(one.not_before === field.key && { away: undefined }) })),
    states: draft.states.map((state) => {
      const { [field.key]: _gone, ...access } = state.access;
      const { [field.key]: _with, ...columns } = state.columns ?? {};
      return { ...state, access, ...(state.columns && { columns }) };
    }),
    settings: {
      ...settings,
      display_form: settings.display_form.filter((key) => key !== field.key),
      key_fields: settings.key_fields.filter((key) => key !== field.key),
      ...(settings.doubles && {
        doubles: { ...settings.doubles, fields: settings.doubles.fields.filter((key) => key !== field.key) },
      }),
    },
  };
}

/** A column of a table after an edit: dependent columns follow its key. */
export function changeColumn(columns: readonly Column[], index: number, part: Partial<Column>): Column[] {
  const before = columns[index]?.key;
  const changed = columns.map((column, at) => (at === index ? { ...column, ...part } : column));
  const { key } = part;
  if (key === undefined || before === undefined) return changed;
  return changed.map((column) => following(column, (one) => (one === before ? key : one)));
}

export const removeColumn = (columns: readonly Column[], index: number): Column[] =>
  columns.filter((_column, at) => at !== index).map((column) => apartFrom(column, columns[index]?.key ?? ''));

function following<P extends Field | Column>(part: P, rename: (key: string) => string): P {
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

const renamedDays = (days: NonNullable<Paired['days_between']>, rename: (key: string) => string) => ({
  ...days,
  from: rename(days.from),
  to: rename(days.to),
  ...(days.from_half && { from_half: rename(days.from_half) }),
  ...(days.to_half && { to_half: rename(days.to_half) }),
});

/** Removes a reference to a deleted part; a half-day field goes alone, a date takes the counting with it. */
function apartFrom<P extends Field | Column>(part: P, key: string): Omit<P, 'not_before' | 'days_between'> & Paired {
  const { not_before, days_between, ...rest } = part;
  return {
    ...rest,
    ...(not_before && not_before !== key && { not_before }),
    ...(days_between &&
      ![days_between.from, days_between.to].includes(key) && {
        days_between: {
          ...days_between,
          ...(days_between.from_half === key && { from_half: undefined }),
          ...(days_between.to_half === key && { to_half: undefined }),
        },
      }),
  };
}

/** Moves the field at one position of the form to another. */
export function moveField(draft: Draft, from: number, to: number): Draft {
  const fields = [...draft.fields];
  const [field] = fields.splice(from, 1);
  if (!field || to < 0 || to > fields.length || from === to) return draft;
  fields.splice(to, 0, field);
  return { ...draft, fields };
}

/** The access to a field in one state; missing means hidden. */
export function setAccess(draft: Draft, stateId: number, key: string, access: FieldAccess): Draft {
  return {
    ...draft,
    states: draft.states.map((state) =>
      state.id === stateId ? { ...state, access: { ...state.access, [key]: access } } : state,
    ),
  };
}

function renamed(draft: Draft, from: string, to: string): Draft {
  const rename = (key: string) => (key === from ? to : key);
  const inText = (text: string) => text.replaceAll(`{${from}}`, `{${to}}`);
  const { settings } = draft;
  return {
    ...draft,
    fields: draft.fields.map((field) => following(field, rename)),
    states: draft.states.map((state) => ({
      ...state,
      access: Object.fromEntries(Object.entries(state.access).map(([key, value]) => [rename(key), value])),
      ...(state.columns && {
        columns: Object.fromEntries(Object.entries(state.columns).map(([key, columns]) => [rename(key), columns])),
      }),
      participants: state.participants.map((one) => ('field' in one ? { ...one, field: rename(one.field) } : one)),
    })),
    transitions: draft.transitions.map((one) => ({
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
      ...(settings.checks && {
        checks: settings.checks.map((check) => ({
          ...check,
          left: renamedFormula(check.left, rename),
          right: renamedFormula(check.right, rename),
        })),
      }),
    },
  };
}

/** Types that can be computed. */
export const computable = (type: FieldType): boolean =>
  isNumberType(type) || type === fieldType.date || type === fieldType.string || type === fieldType.textarea;
