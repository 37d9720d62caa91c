import { fieldAccess, fieldType, isNumberType, type FieldAccess, type FieldType } from '../../engine/codes.ts';
import { renamedIn } from '../../engine/condition.ts';
import { renamedFormula } from '../../engine/formula/formula.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { freeName, type Draft } from '../designer/state/draft.ts';
import { fieldTypeNames } from '../words.ts';

const choosing: readonly number[] = [fieldType.radio, fieldType.checkbox, fieldType.select, fieldType.multiSelect];
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

/** A new field at the end of the form: filled in at the start, read by everybody after. */
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
  const changed = { ...draft, fields: draft.fields.map((field) => (field.id === id ? { ...field, ...part } : field)) };
  const { key } = part;
  return key === undefined || key === before.key ? changed : renamed(changed, before.key, key);
}

/** Removes a field and what states and settings say of it; conditions that use it stay and are told as problems. */
export function removeField(draft: Draft, id: number): Draft {
  const field = draft.fields.find((one) => one.id === id);
  if (!field) return draft;
  const { settings } = draft;
  return {
    ...draft,
    fields: draft.fields.filter((one) => one.id !== id).map((one) => apartFrom(one, field.key)),
    states: draft.states.map((state) => {
      const { [field.key]: _gone, ...access } = state.access;
      return { ...state, access };
    }),
    settings: {
      ...settings,
      display_form: settings.display_form.filter((key) => key !== field.key),
      key_fields: settings.key_fields.filter((key) => key !== field.key),
    },
  };
}

/** A column of a table after an edit: those that hang on it follow its key. */
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
    ...(days_between && { days_between: { from: rename(days_between.from), to: rename(days_between.to) } }),
  };
}

function apartFrom<P extends Field | Column>(part: P, key: string): Omit<P, 'not_before' | 'days_between'> & Paired {
  const { not_before, days_between, ...rest } = part;
  return {
    ...rest,
    ...(not_before && not_before !== key && { not_before }),
    ...(days_between && ![days_between.from, days_between.to].includes(key) && { days_between }),
  };
}

/** Puts the field at one place of the form to another. */
export function moveField(draft: Draft, from: number, to: number): Draft {
  const fields = [...draft.fields];
  const [field] = fields.splice(from, 1);
  if (!field || to < 0 || to > fields.length || from === to) return draft;
  fields.splice(to, 0, field);
  return { ...draft, fields };
}

/** What a field is in one state; absent means not shown. */
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
      display_form: settings.display_form.map(rename),
      key_fields: settings.key_fields.map(rename),
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

/** Types that a formula may fill in. */
export const computable = (type: FieldType): boolean =>
  isNumberType(type) || type === fieldType.date || type === fieldType.string || type === fieldType.textarea;
