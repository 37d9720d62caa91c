import { fieldType, isNumberType } from '../codes.ts';
import { leavesOf } from '../condition.ts';
import type { Column, Definition, Field } from '../definition.ts';
import { readBy, sourcesOf, type Formula } from './formula.ts';
import { leafFault } from '../check/conditions.ts';
import { isDated } from '../check/date-pairs.ts';
import { on, whole, type Problem } from '../check/problem.ts';

type Part = Field | Column;
type Kind = 'number' | 'date' | 'text';
const texts: readonly number[] = [
  fieldType.string,
  fieldType.textarea,
  fieldType.phone,
  fieldType.identity,
  fieldType.place,
  fieldType.radio,
  fieldType.select,
];

/** Meaningless formulas, field conditions and checks of the form: unknown fields, wrong kinds, circles. */
export function formulaProblems({ fields, settings }: Definition): Problem[] {
  const found = fields.flatMap((field) => {
    const say = (msgs: readonly string[]) => msgs.map((msg) => on(field, `字段“${field.name}”${msg}`));
    const columns = field.columns.flatMap((column) => [
      ...partFaults(column, field.columns).map((msg) => `的列“${column.name}”${msg}`),
      ...(column.shown_when || column.required_when ? [`的列“${column.name}”不能按条件显示或必填`] : []),
    ]);
    return say([...partFaults(field, fields), ...conditionFaults(field, fields), ...columns]);
  });
  const checks = (settings.checks ?? []).flatMap(({ left, right, message }) => {
    const fault = faultOf(left, fields) ?? faultOf(right, fields);
    const alike = fault !== null || kindOf(left, fields) === kindOf(right, fields);
    const msg = fault ?? (alike ? null : '的两边不是同一种值');
    return msg === null ? [] : [whole(`表单校验“${message}”${msg}`)];
  });
  return [...found, ...checks];
}

function partFaults(part: Part, beside: readonly Part[]): string[] {
  const { formula, type } = part;
  if (!formula) return hangsOnItself(part, beside) ? ['的天数绕回了它自己，请修改'] : [];
  const wanted: Kind | null = isNumberType(type) ? 'number' : type === fieldType.date ? 'date' : null;
  if (!wanted && type !== fieldType.string && type !== fieldType.textarea)
    return ['不是数字、金额、日期或文字，不能由公式计算'];
  const fault = faultOf(formula, beside);
  if (fault !== null) return [`的公式${fault}`];
  if (wanted && kindOf(formula, beside) !== wanted) return [`的公式算出来的不是${wanted === 'date' ? '日期' : '数字'}`];
  return circles(part, beside) ? ['的公式绕回了它自己，请修改'] : [];
}

/** True for days that depend on a date that depends on them; a field that is no date is reported elsewhere. */
const hangsOnItself = (part: Part, beside: readonly Part[]) =>
  part.days_between !== undefined && !sourcesOf(part).includes(part.key) && circles(part, beside);

function circles(part: Part, beside: readonly Part[]): boolean {
  const seen = new Set<string>();
  const open = sourcesOf(part);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === part.key) return true;
    if (seen.has(key)) continue;
    seen.add(key);
    const source = beside.find((one) => one.key === key);
    if (source) open.push(...sourcesOf(source));
  }
  return false;
}

function conditionFaults(field: Field, fields: readonly Field[]): string[] {
  return [field.shown_when, field.required_when].flatMap((condition) =>
    (condition ? leavesOf(condition) : []).flatMap((leaf) => {
      if (!('field' in leaf)) return ['的显示或必填条件只能判断表单里的字段'];
      if (leaf.field === field.key) return ['的显示或必填条件不能判断它自己'];
      const other = fields.find((one) => one.key === leaf.field);
      const fault = other ? leafFault(leaf, other) : `的条件用了不存在的字段“${leaf.field}”`;
      return fault === null ? [] : [fault];
    }),
  );
}

/** The reason why a formula can never have a value; null if there is none. */
function faultOf(formula: Formula, beside: readonly Part[]): string | null {
  switch (formula.op) {
    case 'value':
      return null;
    case 'field': {
      const field = beside.find((one) => one.key === formula.field);
      if (!field) return `用了不存在的字段“${formula.field}”`;
      return kindOfField(field) === null ? `不能用字段“${field.name}”` : null;
    }
    case 'begin':
    case 'end': {
      const range = beside.find((one) => one.key === formula.field);
      if (!range) return `用了不存在的字段“${formula.field}”`;
      return range.type === fieldType.dateRange ? null : `里“${range.name}”不是日期区间，没有开始日和结束日`;
    }
    case 'count':
    case 'sum': {
      const table = beside.find((one) => one.key === formula.table);
      if (!table || table.type !== fieldType.table || !('columns' in table)) return `里“${formula.table}”不是表格`;
      if (formula.op === 'count') return null;
      const column = table.columns.find((one) => one.key === formula.column);
      return column && isNumberType(column.type) ? null : `只能合计数字列，“${formula.column}”不是`;
    }
    default: {
      const inner = formula.of.map((part) => faultOf(part, beside)).find((fault) => fault !== null);
      if (inner) return inner;
      if (formula.op === 'if') {
        const keys = readBy({ ...formula, of: [] });
        const lost = keys.find((key) => !beside.some((one) => one.key === key));
        if (lost !== undefined) return `用了不存在的字段“${lost}”`;
        return kindOf(formula.of[0]!, beside) === kindOf(formula.of[1]!, beside) ? null : '的两种结果不是同一种值';
      }
      const kinds = formula.of.map((part) => kindOf(part, beside));
      const wanted: readonly Kind[] =
        formula.op === 'days' || formula.op === 'workdays'
          ? ['date', 'date']
          : formula.op === 'after'
            ? ['date', 'number']
            : [];
      const fits =
        formula.op === 'concat' ||
        (wanted.length > 0 ? kinds.every((kind, at) => kind === wanted[at]) : kinds.every((kind) => kind === 'number'));
      return fits ? null : '里有不能这样计算的值，请检查数字、日期和文字';
    }
  }
}

function kindOfField({ type }: Part): Kind | null {
  if (isNumberType(type)) return 'number';
  return isDated(type) ? 'date' : texts.includes(type) ? 'text' : null;
}

function kindOf(formula: Formula, beside: readonly Part[]): Kind | null {
  switch (formula.op) {
    case 'value':
      return typeof formula.value === 'number' ? 'number' : 'text';
    case 'field': {
      const field = beside.find((one) => one.key === formula.field);
      return field ? kindOfField(field) : null;
    }
    case 'after':
    case 'begin':
    case 'end':
      return 'date';
    case 'concat':
    case 'capitals':
      return 'text';
    case 'if':
      return kindOf(formula.of[0]!, beside);
    default:
      return 'number';
  }
}
