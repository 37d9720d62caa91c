import { fieldType, isDeptType, isNumberType, isPathType } from '../codes.ts';
import { describe, leavesOf } from '../condition.ts';
import { isRegion } from '../fields/regions.ts';
import { wordingOf } from '../wording.ts';
import type { Definition, Field, Transition } from '../definition.ts';
import { along, type Problem } from './problem.ts';
import { waysOf } from '../proof/targets.ts';

const isOrdered = (type: number) => isNumberType(type) || type === fieldType.date || type === fieldType.datetime;
const isNumeric = (type: number) => isNumberType(type) || isDeptType(type);
const texts: readonly number[] = [
  fieldType.string,
  fieldType.phone,
  fieldType.identity,
  fieldType.place,
  fieldType.textarea,
  fieldType.richtext,
];
const choices: readonly number[] = [
  fieldType.radio,
  fieldType.select,
  fieldType.checkbox,
  fieldType.multiSelect,
  fieldType.cascade,
];
const lists: readonly number[] = [
  fieldType.checkbox,
  fieldType.multiSelect,
  fieldType.users,
  fieldType.depts,
  fieldType.region,
  fieldType.cascade,
];
const opaque: readonly number[] = [
  fieldType.dateRange,
  fieldType.file,
  fieldType.image,
  fieldType.table,
  fieldType.records,
  fieldType.serial,
  fieldType.opinions,
  fieldType.note,
];
const comparing = ['gt', 'gte', 'lt', 'lte'];

/** Faults in the conditions of transitions: unknown fields, values of another kind, conditions that never decide. */
export function conditionProblems(definition: Definition): Problem[] {
  const names = new Map(definition.states.map((state) => [state.id, state.name]));
  return definition.transitions.flatMap((transition) => {
    const where = `环节“${names.get(transition.source) ?? transition.source}”的流转“${transition.name}”`;
    const found = transition.conditions.flatMap((branch) =>
      leavesOf(branch.expression).flatMap((leaf) => {
        if (!('field' in leaf)) return [];
        const field = definition.fields.find((candidate) => candidate.key === leaf.field);
        const wrong = field ? leafFault(leaf, field) : `的条件用了不存在的字段“${leaf.field}”`;
        return wrong ? [along(transition, where + wrong)] : [];
      }),
    );
    return found.length > 0 ? found : idleProblems(definition, transition, where);
  });
}

type Leaf = Extract<ReturnType<typeof leavesOf>[number], { field: string }>;

export function leafFault(leaf: Leaf, field: Field): string | null {
  const { op } = leaf;
  if (op === 'empty' || op === 'not_empty') return null;
  if (opaque.includes(field.type)) return `的条件只能判断字段“${field.name}”是否为空`;
  if (comparing.includes(op) && !isOrdered(field.type)) return `的条件不能比较字段“${field.name}”的大小`;
  if (lists.includes(field.type) && op !== 'contains')
    return `的条件里，字段“${field.name}”${isPathType(field.type) ? '分级选择' : '可选多项'}，请用“包含”`;
  if (op === 'contains' && !lists.includes(field.type) && !texts.includes(field.type))
    return `的条件里，字段“${field.name}”不能用“包含”`;
  for (const value of [leaf.value].flat()) {
    if (isNumeric(field.type) ? typeof value !== 'number' : typeof value === 'number')
      return `的条件里，字段“${field.name}”不能与“${String(value)}”比较，请${isDeptType(field.type) ? '选择部门' : isNumeric(field.type) ? '填写数字' : '填写文字'}`;
    if ((field.type === fieldType.bool) !== (typeof value === 'boolean'))
      return `的条件里，字段“${field.name}”不能与“${String(value)}”比较`;
    if (choices.includes(field.type) && !field.choices.some((choice) => choice.value === value))
      return `的条件里，“${String(value)}”不是字段“${field.name}”的选项`;
    if (field.type === fieldType.region && !isRegion(value))
      return `的条件里，“${String(value)}”不是字段“${field.name}”的省市区`;
    if (field.type === fieldType.date && !/^\d{4}-\d\d-\d\d$/.test(String(value)))
      return `的条件里，“${String(value)}”不是日期，请写成 2026-11-20 的样子`;
  }
  return null;
}

function idleProblems(definition: Definition, transition: Transition, where: string): Problem[] {
  return waysOf(definition, transition).idle.map(({ index, shadowed }) => {
    const branch = transition.conditions[index];
    const text = branch ? describe(branch.expression, wordingOf(definition)) : '';
    return along(
      transition,
      shadowed
        ? `${where}的第 ${index + 1} 个条件（${text}）永远轮不到，前面的条件已经包含了它`
        : `${where}的第 ${index + 1} 个条件（${text}）永远不会成立，请修改或删除`,
    );
  });
}
