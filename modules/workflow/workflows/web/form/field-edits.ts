import { fieldAccess, fieldType, isNumberType, type FieldAccess, type FieldType } from '../../engine/codes.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { withoutField } from '../../engine/naming/removal.ts';
import { following, renamedColumn, renamedField } from '../../engine/naming/renaming.ts';
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
  return key === undefined || key === before.key ? changed : renamedField(changed, before.key, key);
}

/** The draft after the columns of a table were edited: a changed key is followed, the states' settings for deleted columns are dropped. */
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
  const followed = renamed ? renamedColumn(draft, table, was, is) : draft;
  return {
    ...followed,
    states: followed.states.map((state) => {
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

/** Removes a field; conditions that use it stay and are reported as problems. */
export function removeField(draft: Draft, id: number): Draft {
  const field = draft.fields.find((one) => one.id === id);
  return field ? withoutField(draft, field) : draft;
}

/** A column of a table after an edit: dependent columns follow its key. */
export function changeColumn(columns: readonly Column[], index: number, part: Partial<Column>): Column[] {
  const before = columns[index]?.key;
  const changed = columns.map((column, at) => (at === index ? { ...column, ...part } : column));
  const { key } = part;
  if (key === undefined || before === undefined) return changed;
  return changed.map((column) => following(column, (one) => (one === before ? key : one)));
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

/** Types that can be computed. */
export const computable = (type: FieldType): boolean =>
  isNumberType(type) || type === fieldType.date || type === fieldType.string || type === fieldType.textarea;
