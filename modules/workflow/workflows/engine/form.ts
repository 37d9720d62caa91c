import { unfilled } from '#kernel/contract/refusal.ts';
import { z } from 'zod';
import { awayKinds, fieldType, type AwayKind } from './codes.ts';
import { Condition } from './condition.ts';
import { Formula } from './formula/formula.ts';

// Fields of a workflow's form, and the building blocks of a definition's schemas.

/** Keys of a ticket's body that are not fields and that no field may have. */
export const reservedKeys = [
  'id',
  'workflow_id',
  'transition_id',
  'suggestion',
  'parent_ticket_id',
  'parent_ticket_state_id',
  'task_no',
  'choose',
  'version',
  'signature',
  'seen_hash',
  'begin_for',
  'force',
  'suggestion_files',
  'suggestion_mentions',
  'sn',
  'state_id',
  'creator',
  'gmt_created',
  'constructor',
  'prototype',
] as const;

/** The schema of a part of a definition: unknown keys are refused by name, because their author meant something by them. */
export const options = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `没有“${issue.keys.join('、')}”这个选项，请去掉或改正` : undefined,
  });
export const words = (max: number) => z.string().trim().max(max, `最多 ${max} 个字`);
export const named = (max: number) =>
  words(max)
    .min(1, unfilled)
    .refine((text) => !/\p{Cc}/u.test(text), '含有不能显示的字符，请删去后重新填写');
/** The key of a part among its kind. */
export const key = z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, '只能用小写字母、数字和下划线，以字母开头');
export const nodeId = z.number().int().positive().max(1_000_000);

/** `parent`: in a cascade, the value of the choice it lies below. */
const Choice = options({ value: named(50), label: named(100), parent: named(50).optional() });
const fieldShape = {
  key,
  name: named(50),
  type: z.literal(Object.values(fieldType)),
  description: words(200).default(''),
  placeholder: words(100).default(''),
  /** Initial text of a long field. */
  template: words(5000).default(''),
  default_value: z
    .union([words(1000), z.number(), z.boolean(), z.array(words(100)).max(50)])
    .nullable()
    .default(null),
  choices: z.array(Choice).max(500).default([]),
  boolean_display: options({ yes: named(20), no: named(20) }).default({ yes: '是', no: '否' }),
  max_length: z.number().int().min(1).max(100_000).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  /** Digits after the point of a decimal number. */
  decimals: z.number().int().min(0).max(6).default(2),
  /** Available to the page that shows the field. */
  label: z.record(words(50), z.union([words(200), z.number(), z.boolean()])).default({}),
  /** A date: key of the date it must not precede; for a column, another column's in the same row. */
  not_before: key.optional(),
  /**
   * A number: the days between two dates, both included; nobody may enter another. Half days follow from choices `am` and `pm` at the ends, and from
   * times; `working` leaves out non-working days.
   */
  days_between: options({
    from: key,
    to: key,
    from_half: key.optional(),
    to_half: key.optional(),
    working: z.boolean().optional(),
  }).optional(),
  /** Records: the module. */
  module: words(30).optional(),
  /** A place: the person filling it in may add their position. */
  position: z.boolean().optional().meta({ title: '可填我的位置' }),
  /** Opinions: keys of the states; if missing, all. */
  of_states: z.array(key).max(50).optional(),
  /** Its formula; nobody writes it then. */
  formula: Formula.optional(),
  /** Shown, or required, only while this condition holds. */
  shown_when: Condition.optional(),
  required_when: Condition.optional(),
};
/** The required relation between two formulas of a form; not checked while one of them is unknown. */
export const FormCheck = options({
  left: Formula,
  op: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']),
  right: Formula,
  message: named(100),
});
const Column = options({ ...fieldShape, required: z.boolean().default(false) });
export const Field = options({
  id: nodeId,
  ...fieldShape,
  /** A date with `not_before`: once the ticket is agreed to, its creator is away from the one date to the other. */
  away: z
    .enum(Object.keys(awayKinds) as [AwayKind, ...AwayKind[]])
    .optional()
    .meta({ title: '期间发起人不在岗' }),
  /** Columns of a table field. */
  columns: z.array(Column).max(30).default([]),
  max_rows: z.number().int().min(1).max(2000).default(50),
});
