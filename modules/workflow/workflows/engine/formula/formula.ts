import { z } from 'zod';
import { datesOf, type DaysBetween } from '../check/date-pairs.ts';
import { Condition, fieldsOf, maxConditionDepth, renamedIn } from '../condition.ts';

/** The most parts of one formula, including its conditions. */
export const maxFormulaParts = 100;

const key = z.string().min(1).max(50);
/** The number of operands of each. */
const parts = {
  add: [2, 20],
  sub: [2, 2],
  mul: [2, 20],
  div: [2, 2],
  min: [2, 20],
  max: [2, 20],
  round: [2, 2],
  days: [2, 2],
  workdays: [2, 2],
  after: [2, 2],
  concat: [2, 20],
  capitals: [1, 1],
} as const;
export type Operation = keyof typeof parts;
export const operations = Object.keys(parts) as Operation[];

/** A computation from other fields: a tree, never text that is executed. */
export type Formula =
  | { op: 'value'; value: number | string }
  | { op: 'field'; field: string }
  | { op: 'sum'; table: string; column: string }
  | { op: 'count'; table: string }
  /** The first or the last day of a range. */
  | { op: 'begin' | 'end'; field: string }
  | { op: Operation; of: readonly Formula[] }
  | { op: 'if'; when: Condition; of: readonly Formula[] };

const tree: z.ZodType<Formula> = z.lazy(() =>
  z.union([
    z.strictObject({ op: z.literal('value'), value: z.union([z.number(), z.string().max(200)]) }),
    z.strictObject({ op: z.literal('field'), field: key }),
    z.strictObject({ op: z.literal('sum'), table: key, column: key }),
    z.strictObject({ op: z.literal('count'), table: key }),
    z.strictObject({ op: z.enum(['begin', 'end']), field: key }),
    z.strictObject({ op: z.literal('if'), when: Condition, of: z.array(tree).length(2) }),
    z
      .strictObject({ op: z.enum(operations), of: z.array(tree).max(20) })
      .refine(({ op, of }) => of.length >= parts[op][0] && of.length <= parts[op][1], '公式的项数不对'),
  ]),
);

/** A formula as stored; anything deeper or larger than the limits is refused before it is parsed. */
export const Formula = z
  .unknown()
  .superRefine((value, context) => {
    if (!withinLimits(value)) context.addIssue({ code: 'custom', message: '公式过于复杂，请拆成几个字段' });
  })
  .pipe(tree);

function withinLimits(root: unknown): boolean {
  const open: { node: unknown; depth: number }[] = [{ node: root, depth: 1 }];
  let count = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++count > maxFormulaParts || next.depth > maxConditionDepth) return false;
    if (typeof next.node !== 'object' || next.node === null) continue;
    const { of, when } = next.node as { of?: unknown; when?: unknown };
    for (const child of [of, when].flat()) if (child !== undefined) open.push({ node: child, depth: next.depth + 1 });
  }
  return true;
}

/** Keys of the fields a formula reads; for a table, the table's key. */
export function readBy(formula: Formula): string[] {
  const own = (): string[] => {
    switch (formula.op) {
      case 'value':
        return [];
      case 'field':
      case 'begin':
      case 'end':
        return [formula.field];
      case 'sum':
      case 'count':
        return [formula.table];
      case 'if':
        return [...fieldsOf(formula.when), ...formula.of.flatMap(readBy)];
      default:
        return formula.of.flatMap(readBy);
    }
  };
  return [...new Set(own())];
}

/** The ways a field may be computed. */
interface Computing {
  formula?: Formula | null | undefined;
  days_between?: DaysBetween | null | undefined;
}
/** True if a field or a column is computed, so that nobody fills it in. */
export const isComputed = ({ formula, days_between }: Computing): boolean => Boolean(formula ?? days_between);
/** Keys of the fields it is computed from. */
export const sourcesOf = ({ formula, days_between }: Computing): string[] =>
  formula ? readBy(formula) : days_between ? datesOf(days_between) : [];

/** The columns of tables a formula adds up, each with its table. */
export function columnsReadBy(formula: Formula): [table: string, column: string][] {
  if (formula.op === 'sum') return [[formula.table, formula.column]];
  return 'of' in formula ? formula.of.flatMap(columnsReadBy) : [];
}

/** The same formula with other keys of fields and of tables' columns. */
export function renamedFormula(
  formula: Formula,
  rename: (key: string) => string,
  renameColumn: (table: string, column: string) => string = (_table, column) => column,
): Formula {
  const renamed = (part: Formula) => renamedFormula(part, rename, renameColumn);
  switch (formula.op) {
    case 'value':
      return formula;
    case 'field':
    case 'begin':
    case 'end':
      return { ...formula, field: rename(formula.field) };
    case 'sum': {
      const { table, column } = formula;
      return { ...formula, table: rename(table), column: renameColumn(table, column) };
    }
    case 'count':
      return { ...formula, table: rename(formula.table) };
    case 'if':
      return { ...formula, when: renamedIn(formula.when, rename), of: formula.of.map(renamed) };
    default:
      return { ...formula, of: formula.of.map(renamed) };
  }
}

/** True if some part of a formula satisfies `is`. */
export function hasPart(formula: Formula, is: (part: Formula) => boolean): boolean {
  return is(formula) || ('of' in formula && formula.of.some((part) => hasPart(part, is)));
}
