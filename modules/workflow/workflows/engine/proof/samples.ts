import { fieldAccess, fieldType, isNumberType, isWholeType } from '../codes.ts';
import { isEmpty, leavesOf, superiorKey, type ConditionContext, type Scalar } from '../condition.ts';
import { stateOf, type Definition, type Field, type Transition } from '../definition.ts';

/** The most situations in which one transition is tried; beyond it nothing is claimed about it. */
const most = 5000;
const single: readonly number[] = [fieldType.radio, fieldType.select];
const several: readonly number[] = [
  fieldType.checkbox,
  fieldType.multiSelect,
  fieldType.users,
  fieldType.depts,
  fieldType.region,
  fieldType.cascade,
];
/** No department has this id. */
const nowhere = 0;

/** Properties of the applicant: the operator that asks for each, and its key in a situation. */
const applicant = {
  dept_in: 'dept_path',
  role_of: 'roles',
  post_of: 'posts',
  group_of: 'groups',
  superior_of: 'superiors',
} as const;
export type Applicant = keyof typeof applicant;

/** Something that conditions ask about, with values that cover every distinction they make. */
export interface Axis {
  /** Null for a property of the applicant, which never changes: then `op` says which. */
  field: Field | null;
  op: Applicant | null;
  /** True if there are so many values that `values` does not hold all of their combinations. */
  partial: boolean;
  /** Parts of a situation. */
  values: readonly Partial<Situation>[];
}
export interface Situation extends ConditionContext {
  form: Record<string, unknown>;
}
type Leaf = ReturnType<typeof leavesOf>[number];

/** The values that the conditions of these transitions distinguish: each boundary, both sides of it, every choice, and no value. */
export function axesOf(definition: Definition, transitions: readonly Transition[]): Axis[] {
  const leaves = transitions.flatMap((one) => one.conditions.flatMap((branch) => leavesOf(branch.expression)));
  const asked = new Set(leaves.flatMap((leaf) => ('field' in leaf ? leaf.field : [])));
  const axes: Axis[] = definition.fields
    .filter((field) => asked.has(field.key))
    .map((field) => ({
      field,
      op: null,
      partial: isPartial(field, leaves),
      values: valuesOf(field, leaves).map((value) => ({ form: { [field.key]: value } })),
    }));
  for (const op of Object.keys(applicant) as Applicant[]) {
    const asked = named(leaves, op);
    if (asked.length === 0) continue;
    const values = subsets(asked).map((held) => ({ [applicant[op]]: held }));
    axes.push({ field: null, op, partial: asked.length > mostAlone, values });
  }
  return axes;
}

/** All combinations of the axes' values, in the order of counting with the last axis fastest. */
export function combined(axes: readonly Axis[]): Situation[] {
  return axes
    .reduce<Partial<Situation>[][]>(
      (found, axis) => found.flatMap((parts) => axis.values.map((part) => [...parts, part])),
      [[]],
    )
    .map(situationOf);
}

export function situationOf(parts: readonly Partial<Situation>[]): Situation {
  return parts.reduce<Situation>((one, part) => ({ ...one, ...part, form: { ...one.form, ...part.form } }), {
    form: {},
    dept_path: [],
    roles: [],
  });
}

export function sizeOf(axes: readonly Axis[]): number {
  return axes.reduce((count, axis) => count * axis.values.length, 1);
}

/** True if a field's value or requirement depends on others. */
export const hangsOnOthers = ({ formula, shown_when, required_when }: Field): boolean =>
  Boolean(formula ?? shown_when ?? required_when);

/** Situations in which a ticket may take a transition. Null if these are too many to try. */
export function situations(definition: Definition, transition: Transition): Situation[] | null {
  const { access } = stateOf(definition, transition.source);
  const axes = axesOf(definition, [transition]).map(({ field, values, ...axis }) => {
    const full =
      field !== null &&
      !hangsOnOthers(field) &&
      transition.timer === 0 &&
      transition.field_require_check &&
      access[field.key] === fieldAccess.required;
    return { ...axis, field, values: values.filter((part) => !full || !isEmpty(part.form?.[field.key])) };
  });
  return sizeOf(axes) > most ? null : combined(axes);
}

function valuesOf(field: Field, leaves: readonly Leaf[]): unknown[] {
  const own = leaves.flatMap((leaf) => ('field' in leaf && leaf.field === field.key ? said(leaf) : []));
  const mentioned = [...new Set(own)];
  if (field.type === fieldType.dept) return [...mentioned, nowhere, undefined];
  if (several.includes(field.type)) return subsets(field.type === fieldType.depts ? mentioned : mentioned.map(String));
  if (isNumberType(field.type)) return [...numbersOf(field, mentioned), undefined];
  if (field.type === fieldType.bool) return [true, false, undefined];
  if (single.includes(field.type)) return [...field.choices.map((choice) => choice.value), undefined];
  const texts = mentioned.map(String);
  // Text is ordered character by character: one more character sorts directly after it, the first character before everything.
  const around = [...texts, ...texts.map((text) => `${text}\u{10ffff}`), '\u0001', texts.join(' ')];
  return [...new Set(around.filter((text) => text !== '')), undefined];
}

function numbersOf(field: Field, mentioned: readonly Scalar[]): number[] {
  const step = isWholeType(field.type) ? 1 : 10 ** -field.decimals;
  const rounded = (value: number) => Number(value.toFixed(field.decimals));
  const bounds = [field.min, field.max].filter((bound) => bound !== undefined);
  const points = [...mentioned.filter((value) => typeof value === 'number'), ...bounds];
  const around = points.length > 0 ? points.flatMap((point) => [point - step, point, point + step].map(rounded)) : [0];
  return [...new Set(around)].filter(
    (value) =>
      (field.min === undefined || value >= field.min) &&
      (field.max === undefined || value <= field.max) &&
      (!isWholeType(field.type) || Number.isInteger(value)),
  );
}

function said(leaf: Leaf): Scalar[] {
  if (leaf.op === 'superior_of') return leaf.value.map((role) => superiorKey(leaf.level, role));
  return 'value' in leaf ? [leaf.value as Scalar | Scalar[]].flat() : [];
}

function named(leaves: readonly Leaf[], op: Applicant): Scalar[] {
  return [...new Set(leaves.flatMap((leaf) => (leaf.op === op ? said(leaf) : [])))];
}

const mostAlone = 5;

function isPartial({ key, type }: Field, leaves: readonly Leaf[]): boolean {
  const own = leaves.filter((leaf) => 'field' in leaf && leaf.field === key);
  const mentioned = new Set(own.flatMap(said));
  if (several.includes(type)) return mentioned.size > mostAlone;
  const parts = own.filter((leaf) => leaf.op === 'contains');
  return parts.length > 2 || (parts.length > 0 && own.length > parts.length);
}

/** All subsets of a few; of many only none, each alone, and all. */
function subsets<T>(values: readonly T[]): T[][] {
  if (values.length > mostAlone) return [[], ...values.map((value) => [value]), [...values]];
  return values.reduce<T[][]>((sets, value) => [...sets, ...sets.map((set) => [...set, value])], [[]]);
}
