import { z } from 'zod';
import { idOf, wordOf } from './naming/schema.ts';

/** Deepest nesting and most nodes of one expression. */
export const maxConditionDepth = 8;
export const maxConditionNodes = 200;

const scalar = z.union([z.string().max(200), z.number(), z.boolean()]);
const field = z.string().min(1).max(50);
const compareOps = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const listOps = ['in', 'not_in'] as const;
const wordsOf = (names: 'role' | 'post') =>
  z
    .array(wordOf(names, z.string().min(1).max(50)))
    .min(1)
    .max(50);
const emptyOps = ['empty', 'not_empty'] as const;

export type Scalar = string | number | boolean;
type Comparison = { [O in (typeof compareOps)[number]]: { op: O; field: string; value: Scalar } };
export type Condition =
  | { op: 'and'; of: readonly Condition[] }
  | { op: 'or'; of: readonly Condition[] }
  | { op: 'not'; of: Condition }
  | Comparison[keyof Comparison]
  | { op: 'in'; field: string; value: readonly Scalar[] }
  | { op: 'not_in'; field: string; value: readonly Scalar[] }
  | { op: 'contains'; field: string; value: Scalar }
  | { op: 'empty'; field: string }
  | { op: 'not_empty'; field: string }
  | { op: 'dept_in'; value: readonly number[] }
  | { op: 'role_of'; value: readonly string[] }
  | { op: 'post_of'; value: readonly string[] }
  | { op: 'group_of'; value: readonly number[] }
  | { op: 'superior_of'; level: number; value: readonly string[] };
type Group = Extract<Condition, { of: unknown }>;

const tree: z.ZodType<Condition> = z.lazy(() =>
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.enum(['and', 'or']), of: z.array(tree).min(1).max(50) }),
    z.strictObject({ op: z.literal('not'), of: tree }),
    z.strictObject({ op: z.enum(compareOps), field, value: scalar }),
    z.strictObject({ op: z.enum(listOps), field, value: z.array(scalar).min(1).max(200) }),
    z.strictObject({ op: z.literal('contains'), field, value: scalar }),
    z.strictObject({ op: z.enum(emptyOps), field }),
    z.strictObject({ op: z.literal('dept_in'), value: z.array(idOf('dept')).min(1).max(200) }),
    z.strictObject({ op: z.literal('role_of'), value: wordsOf('role') }),
    z.strictObject({ op: z.literal('post_of'), value: wordsOf('post') }),
    z.strictObject({ op: z.literal('group_of'), value: z.array(idOf('group')).min(1).max(50) }),
    z.strictObject({ op: z.literal('superior_of'), level: z.number().int().min(1).max(10), value: wordsOf('role') }),
  ]),
);

/** A condition as stored: a tree of comparisons. Text expressions and anything deeper or larger than the limits are refused. */
export const Condition = z
  .unknown()
  .superRefine((value, context) => {
    if (!withinLimits(value)) context.addIssue({ code: 'custom', message: '条件过于复杂' });
  })
  .pipe(tree);

function withinLimits(root: unknown): boolean {
  const open: { node: unknown; depth: number }[] = [{ node: root, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++nodes > maxConditionNodes || next.depth > maxConditionDepth) return false;
    const of = typeof next.node === 'object' && next.node !== null && 'of' in next.node ? next.node.of : undefined;
    for (const child of Array.isArray(of) ? of : of === undefined ? [] : [of]) {
      open.push({ node: child, depth: next.depth + 1 });
    }
  }
  return true;
}

export interface ConditionContext {
  form: Readonly<Record<string, unknown>>;
  /** The creator's department and all above it. */
  dept_path: readonly number[];
  /** Codes of the creator's roles. */
  roles: readonly string[];
  /** Those posts and user groups named in a condition that the creator belongs to. */
  posts?: readonly string[];
  groups?: readonly number[];
  /** For the superiors' roles named in a condition, by `superiorKey`: those that somebody of the level holds. */
  superiors?: readonly string[];
}
export const superiorKey = (level: number, role: string): string => `${level}:${role}`;
export interface Evaluation {
  result: boolean;
  /** Fields the result depended on that had no comparable value. */
  missing: string[];
}

/**
 * Evaluates a condition. Total: never throws. A comparison with a field that is empty or of another kind is unknown, `not` of unknown stays unknown,
 * and an expression that ends unknown does not hold.
 */
export function evaluate(condition: Condition, context: ConditionContext): Evaluation {
  const missing = new Set<string>();
  const result = holds(condition, context, missing) === true;
  return { result, missing: [...missing] };
}

type Truth = boolean | null;

function holds(condition: Condition, context: ConditionContext, missing: Set<string>): Truth {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const decisive = condition.op === 'or';
      const parts = condition.of.map((part) => holds(part, context, missing));
      return parts.includes(decisive) ? decisive : parts.includes(null) ? null : !decisive;
    }
    case 'not': {
      const inner = holds(condition.of, context, missing);
      return inner === null ? null : !inner;
    }
    case 'dept_in':
      return condition.value.some((dept) => context.dept_path.includes(dept));
    case 'role_of':
      return condition.value.some((role) => context.roles.includes(role));
    case 'post_of':
      return condition.value.some((post) => context.posts?.includes(post));
    case 'group_of':
      return condition.value.some((group) => context.groups?.includes(group));
    case 'superior_of':
      return condition.value.some((role) => context.superiors?.includes(superiorKey(condition.level, role)));
    default: {
      const value = Object.hasOwn(context.form, condition.field) ? context.form[condition.field] : undefined;
      const truth = compare(condition, value);
      if (truth === null) missing.add(condition.field);
      return truth;
    }
  }
}

type Leaf = Extract<Condition, { field: string }>;

function compare(leaf: Leaf, value: unknown): Truth {
  const empty = isEmpty(value);
  if (leaf.op === 'empty') return empty;
  if (leaf.op === 'not_empty') return !empty;
  if (empty) return null;
  switch (leaf.op) {
    case 'eq':
    case 'ne':
      return isScalar(value) ? (value === leaf.value) === (leaf.op === 'eq') : null;
    case 'in':
    case 'not_in':
      return isScalar(value) ? leaf.value.includes(value) === (leaf.op === 'in') : null;
    case 'contains':
      if (Array.isArray(value)) return value.includes(leaf.value);
      return typeof value === 'string' && typeof leaf.value === 'string' ? value.includes(leaf.value) : null;
    default:
      return order(leaf.op, value, leaf.value);
  }
}

// Dates are ISO text, so the order of the text is the order in time.
function order(op: 'gt' | 'gte' | 'lt' | 'lte', left: unknown, right: Scalar): Truth {
  const comparable =
    (typeof left === 'number' && typeof right === 'number' && Number.isFinite(left)) ||
    (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return null;
  const [a, b] = [left as number, right as number];
  return op === 'gt' ? a > b : op === 'gte' ? a >= b : op === 'lt' ? a < b : a <= b;
}

/** No value: absent, null, blank text or an empty list. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Fields an expression mentions, each once. */
export function fieldsOf(condition: Condition): string[] {
  const inner =
    condition.op === 'and' || condition.op === 'or'
      ? condition.of.flatMap(fieldsOf)
      : condition.op === 'not'
        ? fieldsOf(condition.of)
        : 'field' in condition
          ? [condition.field]
          : [];
  return [...new Set(inner)];
}

/** The same expression with other field keys. */
export function renamedIn(condition: Condition, rename: (key: string) => string): Condition {
  if (condition.op === 'and' || condition.op === 'or')
    return { ...condition, of: condition.of.map((part) => renamedIn(part, rename)) };
  if (condition.op === 'not') return { ...condition, of: renamedIn(condition.of, rename) };
  return 'field' in condition ? { ...condition, field: rename(condition.field) } : condition;
}

/** Every comparison of an expression, in reading order. */
export function leavesOf(condition: Condition): Exclude<Condition, Group>[] {
  if (condition.op === 'and' || condition.op === 'or') return condition.of.flatMap(leavesOf);
  return condition.op === 'not' ? leavesOf(condition.of) : [condition];
}

export interface Wording {
  field(key: string): string;
  /** Text of a field's value, e.g. the label of a choice. */
  value?(key: string, value: Scalar): string;
  dept?(id: number): string;
  role?(code: string): string;
  group?(id: number): string;
}

const words = {
  eq: '等于',
  ne: '不等于',
  gt: '大于',
  gte: '大于等于',
  lt: '小于',
  lte: '小于等于',
  in: '属于',
  not_in: '不属于',
  contains: '包含',
} as const;

/** The expression as people read it: `金额 大于 5000 且 类别 属于 水、电`. */
export function describe(condition: Condition, wording: Wording): string {
  const shown = (key: string, value: Scalar) =>
    wording.value?.(key, value) ?? (typeof value === 'boolean' ? (value ? '是' : '否') : String(value));
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.of
        .map((part) =>
          part.op === 'and' || part.op === 'or' ? `（${describe(part, wording)}）` : describe(part, wording),
        )
        .join(condition.op === 'and' ? ' 且 ' : ' 或 ');
    case 'not':
      return `并非（${describe(condition.of, wording)}）`;
    case 'empty':
    case 'not_empty':
      return `${wording.field(condition.field)} ${condition.op === 'empty' ? '为空' : '不为空'}`;
    case 'dept_in':
      return `发起人部门 属于 ${condition.value.map((dept) => wording.dept?.(dept) ?? `部门 ${dept}`).join('、')}（含下级）`;
    case 'role_of':
      return `发起人角色 包括 ${condition.value.map((role) => wording.role?.(role) ?? role).join('、')}`;
    case 'post_of':
      return `发起人职务 是 ${condition.value.join('、')}`;
    case 'group_of':
      return `发起人 在用户组 ${condition.value.map((group) => wording.group?.(group) ?? `用户组 ${group}`).join('、')}`;
    case 'superior_of':
      return `发起人的第 ${condition.level} 级上级 的角色包括 ${condition.value.map((role) => wording.role?.(role) ?? role).join('、')}`;
    case 'in':
    case 'not_in':
      return `${wording.field(condition.field)} ${words[condition.op]} ${condition.value.map((v) => shown(condition.field, v)).join('、')}`;
    default:
      return `${wording.field(condition.field)} ${words[condition.op]} ${shown(condition.field, condition.value)}`;
  }
}
