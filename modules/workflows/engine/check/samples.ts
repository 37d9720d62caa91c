import { fieldAccess, fieldType } from '../codes.ts';
import { leavesOf, type ConditionContext, type Scalar } from '../condition.ts';
import { stateOf, type Definition, type Field, type Transition } from '../definition.ts';

/** Most situations one transition is tried in; beyond it nothing is claimed about it. */
const most = 5000;
const ordered: readonly number[] = [fieldType.int, fieldType.float];
const single: readonly number[] = [fieldType.radio, fieldType.select];
const several: readonly number[] = [fieldType.checkbox, fieldType.multiSelect];

/**
 * Situations that between them meet every distinction the conditions of a transition make: each boundary, both sides of it, every
 * choice, no value where there may be none. Null where these are too many to try.
 */
export function situations(definition: Definition, transition: Transition): ConditionContext[] | null {
  const leaves = transition.conditions.flatMap((branch) => leavesOf(branch.expression));
  const axes: ((context: Draft) => Draft)[][] = [];
  for (const key of new Set(leaves.flatMap((leaf) => ('field' in leaf ? leaf.field : [])))) {
    const field = definition.fields.find((candidate) => candidate.key === key);
    if (!field) return null;
    const values = valuesOf(field, leaves, mayBeEmpty(definition, transition, key));
    axes.push(values.map((value) => (context) => ({ ...context, form: { ...context.form, [key]: value } })));
  }
  const depts = named(leaves, 'dept_in') as number[];
  const roles = named(leaves, 'role_of') as string[];
  if (depts.length > 0) axes.push(subsets(depts).map((dept_path) => (context) => ({ ...context, dept_path })));
  if (roles.length > 0) axes.push(subsets(roles).map((held) => (context) => ({ ...context, roles: held })));
  if (axes.reduce((count, axis) => count * axis.length, 1) > most) return null;
  return axes.reduce<Draft[]>(
    (found, axis) => found.flatMap((context) => axis.map((add) => add(context))),
    [{ form: {}, dept_path: [], roles: [] }],
  );
}

interface Draft extends ConditionContext {
  form: Record<string, unknown>;
}
type Leaf = ReturnType<typeof leavesOf>[number];

function mayBeEmpty(definition: Definition, transition: Transition, key: string): boolean {
  const access = stateOf(definition, transition.source).access[key];
  return !(access === fieldAccess.required && transition.field_require_check);
}

function valuesOf(field: Field, leaves: readonly Leaf[], mayBeEmpty: boolean): unknown[] {
  const empty = mayBeEmpty ? [undefined] : [];
  const mentioned = [
    ...new Set(leaves.flatMap((leaf) => ('field' in leaf && leaf.field === field.key ? said(leaf) : []))),
  ];
  if (ordered.includes(field.type)) return [...numbersOf(field, mentioned), ...empty];
  if (field.type === fieldType.bool) return [true, false, ...empty];
  if (single.includes(field.type)) return [...field.choices.map((choice) => choice.value), ...empty];
  if (several.includes(field.type) || field.type === fieldType.users) {
    const sets = subsets(mentioned.map(String));
    return mayBeEmpty ? sets : sets.filter((set) => set.length > 0);
  }
  const texts = mentioned.map(String).toSorted();
  // Text is ordered character by character: one more character stands right behind, the empty mark before everything.
  return [...texts, ...texts.map((text) => `${text}\u{10ffff}`), '\u0001', texts.join(' '), ...empty].filter(
    (text) => text !== '',
  );
}

function numbersOf(field: Field, mentioned: readonly Scalar[]): number[] {
  const step = field.type === fieldType.int ? 1 : 10 ** -field.decimals;
  const bounds = [field.min, field.max].filter((bound) => bound !== undefined);
  const points = [...mentioned.filter((value) => typeof value === 'number'), ...bounds, 0];
  const around = points.flatMap((point) => [point - step, point, point + step]);
  return [...new Set(around)].filter(
    (value) =>
      (field.min === undefined || value >= field.min) &&
      (field.max === undefined || value <= field.max) &&
      (field.type !== fieldType.int || Number.isInteger(value)),
  );
}

function said(leaf: Leaf): Scalar[] {
  return 'value' in leaf ? [leaf.value as Scalar | Scalar[]].flat() : [];
}

function named(leaves: readonly Leaf[], op: 'dept_in' | 'role_of'): Scalar[] {
  return [...new Set(leaves.flatMap((leaf) => (leaf.op === op ? said(leaf) : [])))];
}

/** All subsets of a few; of many only none, each alone, and all. */
function subsets<T>(values: readonly T[]): T[][] {
  if (values.length > 5) return [[], ...values.map((value) => [value]), [...values]];
  return values.reduce<T[][]>((sets, value) => [...sets, ...sets.map((set) => [...set, value])], [[]]);
}
