import { charactersIn } from '#kernel/contract/words/cut.ts';
import { fieldAccess, fieldType, isDeptType, isNumberType, isPeopleType, isWholeType } from '../codes.ts';
import { evaluate, isEmpty, type Condition } from '../condition.ts';
import { startOf, type Definition, type Field } from '../definition.ts';
import { isComputed, readBy, sourcesOf, type Formula } from '../formula/formula.ts';
import { on, whole, type Problem } from './problem.ts';

/** Things that can never come true: a check that no form passes, and fields shown only by each other. */
export function neverProblems(definition: Definition): Problem[] {
  const checks = (definition.settings.checks ?? []).filter(
    (check) => neverHolds(check, definition.fields) && isAlwaysAsked(definition, check),
  );
  return [
    ...checks.map(({ message }) => whole(`表单校验“${message}”怎么填都不成立，谁也提交不了，请修改`)),
    ...unshown(definition.fields),
  ];
}

/** True if every form that is sent meets a check: one with an empty value passes it unchecked. */
function isAlwaysAsked(definition: Definition, { left, right }: Check): boolean {
  const { access } = startOf(definition);
  const isGiven = (key: string, seen: readonly string[] = []): boolean => {
    const field = definition.fields.find((one) => one.key === key);
    if (!field || field.shown_when || seen.includes(key)) return false;
    // A table without rows has a number too.
    if (field.type === fieldType.table) return true;
    if (isComputed(field)) return sourcesOf(field).every((source) => isGiven(source, [...seen, key]));
    return access[key] === fieldAccess.required;
  };
  return [...readBy(left), ...readBy(right)].every((key) => isGiven(key));
}

type Check = NonNullable<Definition['settings']['checks']>[number];
type Range = readonly [least: number, most: number];
const anything: Range = [-Infinity, Infinity];

function neverHolds({ left, op, right }: Check, fields: readonly Field[]): boolean {
  if (JSON.stringify(left) === JSON.stringify(right)) return ['ne', 'gt', 'lt'].includes(op);
  const [[least, most], [low, high]] = [rangeOf(left, fields), rangeOf(right, fields)];
  switch (op) {
    case 'gt':
      return most <= low;
    case 'gte':
      return most < low;
    case 'lt':
      return least >= high;
    case 'lte':
      return least > high;
    case 'eq':
      return most < low || least > high;
    case 'ne':
      return least === most && low === high && least === low;
  }
}

/** The range of a formula's results, as far as its parts show. */
function rangeOf(formula: Formula, fields: readonly Field[]): Range {
  const parts = () => ('of' in formula ? formula.of.map((part) => rangeOf(part, fields)) : []);
  switch (formula.op) {
    case 'value':
      return typeof formula.value === 'number' ? [formula.value, formula.value] : anything;
    case 'count':
      return [0, Infinity];
    case 'field': {
      const field = fields.find((one) => one.key === formula.field);
      return field && isNumberType(field.type) ? [field.min ?? usualLeast(field), field.max ?? Infinity] : anything;
    }
    case 'add':
      return parts().reduce<Range>(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    case 'sub': {
      const [[a, b], [c, d]] = parts() as [Range, Range];
      return [a - d, b - c];
    }
    default:
      return anything;
  }
}

const usualLeast = ({ type }: Field) => (type === fieldType.money ? 0 : -Infinity);

/** Fields that wait for each other to be filled in, none of which is shown before. */
function unshown(fields: readonly Field[]): Problem[] {
  const waits = new Map(
    fields.map((field) => [field.key, field.shown_when ? neededBy(field.shown_when) : new Set<string>()]),
  );
  const nameOf = (key: string) => fields.find((one) => one.key === key)?.name ?? key;
  return fields.flatMap((field) => {
    const seen = new Set(waits.get(field.key));
    // A field that depends on itself is reported with its condition.
    if (seen.has(field.key)) return [];
    for (const key of seen) for (const more of waits.get(key) ?? []) seen.add(more);
    if (!seen.has(field.key)) return [];
    const others = [...waits.get(field.key)!].map((key) => `“${nameOf(key)}”`).join('、');
    return [on(field, `字段“${field.name}”要等${others}填写后才显示，而它又要等这个字段，两个都不会显示，请修改`)];
  });
}

/** Keys of the fields without which a condition does not hold, whatever else the form says. */
function neededBy(condition: Condition): Set<string> {
  if (condition.op === 'and') return new Set(condition.of.flatMap((one) => [...neededBy(one)]));
  if (condition.op === 'or') {
    const [first, ...rest] = condition.of.map(neededBy);
    return new Set([...(first ?? [])].filter((key) => rest.every((other) => other.has(key))));
  }
  if (condition.op === 'not' || !('field' in condition)) return new Set();
  const holds = evaluate(condition, { form: {}, dept_path: [], roles: [] }).result;
  return holds ? new Set() : new Set([condition.field]);
}

const single: readonly number[] = [fieldType.radio, fieldType.select];
const several: readonly number[] = [fieldType.checkbox, fieldType.multiSelect];

/** Why a field's default value is not valid; null if it is. */
export function whyUnfitDefault(field: Field): string | null {
  const { type, default_value: value, choices, min, max, decimals, max_length } = field;
  if (isEmpty(value)) return null;
  if (isPeopleType(type) || isDeptType(type)) return '不能有默认值，请去掉，由填写的人选择';
  const known = new Set(choices.map((choice) => choice.value));
  const of = single.includes(type) ? [value] : several.includes(type) ? [value].flat() : [];
  const lost = of.find((one) => !known.has(String(one)));
  if (lost !== undefined) return `的默认值“${String(lost)}”不是它的选项，请重新选择`;
  if (isNumberType(type)) {
    const number = Number(value);
    if (!Number.isFinite(number)) return `的默认值“${String(value)}”不是数字，请修改`;
    if (min !== undefined && number < min) return `的默认值 ${number} 小于最小值 ${min}，请修改`;
    if (max !== undefined && number > max) return `的默认值 ${number} 大于最大值 ${max}，请修改`;
    if (Number(number.toFixed(isWholeType(type) ? 0 : decimals)) !== number)
      return `的默认值 ${number} 的小数位数太多，请修改`;
  }
  if (typeof value === 'string' && max_length !== undefined && charactersIn(value) > max_length)
    return `的默认值超过了 ${max_length} 个字，请缩短`;
  return null;
}
