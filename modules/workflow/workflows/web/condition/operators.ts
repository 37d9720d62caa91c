import { fieldType, isNumberType } from '../../engine/codes.ts';
import type { Condition, Scalar } from '../../engine/condition.ts';
import type { Field } from '../../engine/definition.ts';

export type Leaf = Exclude<Condition, { of: unknown }>;
export type Group = { op: 'and' | 'or'; of: readonly Condition[] };
export type LeafOp = Leaf['op'];

/** The subject of a row: a field's key, or the applicant's department, role, post, user group or superiors. */
export const deptSubject = '#dept';
export const roleSubject = '#role';
export const postSubject = '#post';
export const groupSubject = '#group';
export const superiorSubject = '#superior';
const asked = {
  [deptSubject]: 'dept_in',
  [roleSubject]: 'role_of',
  [postSubject]: 'post_of',
  [groupSubject]: 'group_of',
  [superiorSubject]: 'superior_of',
} as const;
/** The subject of an applicant's row. */
export const subjectOf = (op: LeafOp): string =>
  Object.entries(asked).find(([, one]) => one === op)?.[0] ?? deptSubject;

const order = ['gt', 'gte', 'lt', 'lte'] as const;
const presence = ['empty', 'not_empty'] as const;
const byType: Partial<Record<number, readonly LeafOp[]>> = {
  [fieldType.note]: presence,
  [fieldType.serial]: presence,
  [fieldType.records]: presence,
  [fieldType.opinions]: presence,
  [fieldType.phone]: ['eq', 'ne', 'contains', ...presence],
  [fieldType.identity]: ['eq', 'ne', 'contains', ...presence],
  [fieldType.place]: ['eq', 'ne', 'contains', ...presence],
  [fieldType.rating]: [...order, 'eq', 'ne', ...presence],
  [fieldType.money]: [...order, 'eq', 'ne', ...presence],
  [fieldType.string]: ['eq', 'ne', 'contains', ...presence],
  [fieldType.textarea]: ['contains', ...presence],
  [fieldType.richtext]: ['contains', ...presence],
  [fieldType.int]: [...order, 'eq', 'ne', ...presence],
  [fieldType.float]: [...order, 'eq', 'ne', ...presence],
  [fieldType.bool]: ['eq'],
  [fieldType.date]: [...order, 'eq', 'ne', ...presence],
  [fieldType.dateRange]: presence,
  [fieldType.region]: ['contains', ...presence],
  [fieldType.cascade]: ['contains', ...presence],
  [fieldType.datetime]: [...order, ...presence],
  [fieldType.radio]: ['eq', 'ne', 'in', 'not_in', ...presence],
  [fieldType.select]: ['eq', 'ne', 'in', 'not_in', ...presence],
  [fieldType.checkbox]: ['contains', ...presence],
  [fieldType.multiSelect]: ['contains', ...presence],
  [fieldType.user]: ['eq', 'ne', 'in', 'not_in', ...presence],
  [fieldType.users]: ['contains', ...presence],
  [fieldType.dept]: ['eq', 'ne', 'in', 'not_in', ...presence],
  [fieldType.depts]: ['contains', ...presence],
  [fieldType.file]: presence,
  [fieldType.image]: presence,
  [fieldType.table]: presence,
};

/** The operators of a subject; for a deleted field only its present one. */
export function opsOf(field: Field | undefined): readonly LeafOp[] {
  return (field && byType[field.type]) ?? presence;
}

export const opNames: Record<LeafOp, string> = {
  eq: '等于',
  ne: '不等于',
  gt: '大于',
  gte: '大于等于',
  lt: '小于',
  lte: '小于等于',
  in: '是其中之一',
  not_in: '不是其中任何一个',
  contains: '包含',
  empty: '为空',
  not_empty: '不为空',
  dept_in: '属于',
  role_of: '包括',
  post_of: '是',
  group_of: '在',
  superior_of: '的角色包括',
};

/** The number of values an operator compares with. */
export function arity(op: LeafOp): 'none' | 'one' | 'many' {
  if (op === 'empty' || op === 'not_empty') return 'none';
  return op === 'in' || op === 'not_in' || (Object.values(asked) as string[]).includes(op) ? 'many' : 'one';
}

/** A row about another subject, with the first suitable operator and an initial value. */
export function leafFor(subject: string, fields: readonly Field[]): Leaf {
  const op = Object.hasOwn(asked, subject) ? asked[subject as keyof typeof asked] : undefined;
  if (op) return { op, value: [], ...(op === 'superior_of' ? { level: 1 } : {}) } as Leaf;
  const field = fields.find((one) => one.key === subject);
  return withOp({ op: 'empty', field: subject }, opsOf(field)[0] ?? 'empty', field);
}

/** The same row with another operator; its value stays if it still fits. */
export function withOp(leaf: Leaf, op: LeafOp, field: Field | undefined): Leaf {
  if (!('field' in leaf)) return leaf;
  const before = 'value' in leaf ? leaf.value : undefined;
  const base = { field: leaf.field };
  switch (arity(op)) {
    case 'none':
      return { ...base, op } as Leaf;
    case 'many': {
      const value = Array.isArray(before) ? before : before === undefined || before === '' ? [] : [before];
      return { ...base, op, value } as Leaf;
    }
    case 'one':
      return { ...base, op, value: (Array.isArray(before) ? before[0] : before) ?? firstValue(field) } as Leaf;
  }
}

function firstValue(field: Field | undefined): Scalar {
  if (!field) return '';
  if (isNumberType(field.type)) return 0;
  if (field.type === fieldType.bool) return true;
  return field.choices[0]?.value ?? '';
}
