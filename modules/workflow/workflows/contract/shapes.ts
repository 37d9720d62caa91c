import { z } from 'zod';
import { timestamp } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { Condition } from '../engine/condition.ts';
import { Formula } from '../engine/formula/formula.ts';

const int = z.number().int();
const json = z.unknown();

/** Actions on a ticket other than its transitions: the one list for offers, log and buttons. */
export const actionCodes = [
  'accept',
  'release',
  'deliver',
  'delegate',
  'add_node',
  'add_node_end',
  'remove_node',
  'return',
  'retreat',
  'suspend',
  'resume',
  'urge',
  'cc',
  'comment',
  'state',
  'close',
  'revoke',
  'delete',
  'apply_finish',
  'end_leave',
] as const;
export type ActionCode = (typeof actionCodes)[number];
export const offeredCodes = ['submit', 'save', 'approve', 'refuse', 'other', ...actionCodes] as const;

/** One button: what `transitions` lists and what the server will accept. */
export const Offered = z.object({
  code: z.enum(offeredCodes),
  /** Null if the action is no transition. */
  transition_id: int.nullable(),
  /** The button's text. */
  transition_name: z.string(),
  /** To be sent back with the action; null if it concerns the ticket as a whole. */
  task_no: int.nullable(),
  /** `deliver`, `add_node`: it acts on somebody else's task, one of `added`; to be sent back with the action. */
  from_admin: z.boolean().default(false),
  /** Name of the absent person on whose behalf it is done; empty for one's own. */
  on_behalf_of: z.string().default(''),
  state_id: int.nullable(),
  attribute_type_id: int,
  field_require_check: z.boolean(),
  is_accept: z.boolean(),
  in_add_node: z.boolean(),
  alert_enable: z.boolean(),
  alert_text: z.string(),
  suggestion_required: z.boolean(),
  /** It must be signed by hand: `signature` of the body is the file. */
  signature_required: z.boolean(),
  /** The number of people to name in `target_username`. */
  target: z.enum(['none', 'one', 'several', 'optional']),
  /** `return`, `state`: possible target states, one to be chosen; empty otherwise. */
  states: z.array(z.object({ state_id: int, state_name: z.string() })),
  /** `return`: possible parallel targets, sent as `state_ids`; at most one state of each branch. */
  beside: z.array(z.object({ state_id: int, state_name: z.string(), branch: int })).optional(),
  /** `remove_node`: the added signers that may be removed; with `from_admin`: the tasks to choose from. One to be chosen. */
  added: z.array(z.object({ task_no: int, username: z.string(), alias: z.string() })),
  /** `return`: the default way back, 1 every step again, 2 straight back. */
  resubmit_mode: z.literal([1, 2]).nullable(),
  /** `end_leave`: the approved leave or trip, what it is called, from the one moment to the other, and the house's time. */
  leave: z.object({ kind: z.string(), from: timestamp, until: timestamp, now: timestamp }).optional(),
});

const Choice = z.object({ value: z.string(), label: z.string(), parent: z.string().optional() });
const fieldShape = {
  field_key: z.string(),
  field_name: z.string(),
  field_type_id: int,
  description: z.string(),
  placeholder: z.string(),
  field_template: z.string(),
  default_value: json,
  /** The choices twice: as a map, and as a list that keeps their order. */
  field_choice: z.record(z.string(), z.string()),
  choices: z.array(Choice),
  boolean_field_display: z.object({ '1': z.string(), '0': z.string() }),
  max_length: int.nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  decimals: int,
  label: json,
  /** Key of the date it must not precede; for a column, another column's. */
  not_before: z.string().nullable(),
  /** Keys of the dates between which it counts the days, and of the fields for half days; nobody writes it. Null also if it depends on hidden fields. */
  days_between: z
    .object({
      from: z.string(),
      to: z.string(),
      from_half: z.string().optional(),
      to_half: z.string().optional(),
      working: z.boolean().optional(),
    })
    .nullable(),
  /** The module, for a field of records. */
  module: z.string().nullable().optional(),
  /** True if a field of a place may include one's own position. */
  position: z.boolean().optional(),
  /** Its formula, and the conditions under which it is shown and required; null also if these depend on hidden fields. */
  formula: Formula.nullable(),
  shown_when: Condition.nullable(),
  required_when: Condition.nullable(),
};
const ChosenRecord = z.object({ id: int, title: z.string(), sn: z.string(), state: z.string(), page: z.string() });
const ShownOpinion = z.object({
  id: int,
  state: z.string(),
  /** `乙（代 甲）` if it was done on somebody's behalf. */
  who: z.string(),
  did: z.string(),
  words: z.string(),
  at: z.string(),
  signature: FileCard.nullable(),
  files: z.array(FileCard),
});
const FieldColumn = z.object({ ...fieldShape, field_attribute: z.literal([1, 2, 3]) });
/**
 * A field of the form as one person sees it: 1 read, 2 required, 3 optional. Hidden fields are not in the list, nor hidden columns in a table. Rows
 * that the person may not write in full have their number in `_row`, which is sent back with them.
 */
export const FieldItem = z.object({
  ...fieldShape,
  field_value: json,
  /** Text of users and choices, if the value alone is not readable. */
  field_display: z.string(),
  /** The files whose ids are in the value. */
  field_files: z.array(FileCard),
  /** Names of the people in the value, including rows of a table, by user name. */
  field_people: z.record(z.string(), z.string()),
  /** Those records of the value that the reader sees. */
  field_records: z.array(ChosenRecord).optional(),
  /** The opinions given in its states, in order. */
  field_opinions: z.array(ShownOpinion).optional(),
  field_attribute: z.literal([1, 2, 3]),
  order_id: int,
  columns: z.array(FieldColumn),
  max_rows: int.nullable(),
});

/** A sheet as its author sees it, for the rows of a table: lines are counted from 1, columns from 0; `beside` names further sheets, which are not read. */
export const SheetRead = z.object({
  lines: z.array(z.array(z.string())),
  /** The numbers that their cells show in another way. */
  values: z.array(z.object({ line: int, column: int, value: z.string() })),
  /** Cells that could not be read and are empty in `lines`. */
  faults: z.array(z.object({ line: int, column: int, msg: z.string() })),
  hidden: z.array(int),
  hidden_columns: z.array(int),
  beside: z.array(z.string()),
});
export type SheetRead = z.output<typeof SheetRead>;

/** A reason why a definition cannot be published, and where the designer marks it. `key`: null for the workflow as a whole. */
export const Problem = z.object({
  kind: z.enum(['state', 'transition', 'field', 'workflow']),
  key: z.string().nullable(),
  msg: z.string(),
});
/** A person as simulation and grants show them. */
export const Person = z.object({ id: int, username: z.string(), alias: z.string(), dept_name: z.string() });

export type Problem = z.output<typeof Problem>;
export type Person = z.output<typeof Person>;
export type Offered = z.output<typeof Offered>;
export type FieldItem = z.output<typeof FieldItem>;
