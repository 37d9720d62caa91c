import { z } from 'zod';
import { FileCard } from '#modules/platform/files/contract.ts';
import { Condition } from '../engine/condition.ts';
import { Formula } from '../engine/formula/formula.ts';

const int = z.number().int();
const json = z.unknown();

/** What may be done with a ticket besides its transitions: the one list that offers, log and buttons draw on. */
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
] as const;
export type ActionCode = (typeof actionCodes)[number];
export const offeredCodes = ['submit', 'save', 'approve', 'refuse', 'other', ...actionCodes] as const;

/** One button: what `transitions` lists and what the server will accept. */
export const Offered = z.object({
  code: z.enum(offeredCodes),
  /** Null where the action is no transition. */
  transition_id: int.nullable(),
  /** What the button says. */
  transition_name: z.string(),
  /** To be sent back with the action; null where it concerns the ticket as a whole. */
  task_no: int.nullable(),
  /** `deliver`, `add_node`: it deals with the task of somebody else, one of `added`; to be sent back with the action. */
  from_admin: z.boolean().default(false),
  /** Name of the absent person in whose stead it is done; empty where it is one's own. */
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
  /** How many people it asks for in `target_username`. */
  target: z.enum(['none', 'one', 'several', 'optional']),
  /** `return`, `state`: where it may go, one to be chosen; empty elsewhere. */
  states: z.array(z.object({ state_id: int, state_name: z.string() })),
  /** `return`: where it may go side by side, as `state_ids`; of each branch one state at most. */
  beside: z.array(z.object({ state_id: int, state_name: z.string(), branch: int })).optional(),
  /** `remove_node`: whom it may take away; with `from_admin`: whose task is meant. One to be chosen. */
  added: z.array(z.object({ task_no: int, username: z.string(), alias: z.string() })),
  /** `return`: the way back that is meant unless another is chosen, 1 every step again, 2 straight back. */
  resubmit_mode: z.literal([1, 2]).nullable(),
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
  /** Key of the date it does not come before; of a column, another column's. */
  not_before: z.string().nullable(),
  /** Keys of the dates between which it counts the days, and of what says the half days; nobody writes into it. Null too where it hangs on what is not shown. */
  days_between: z
    .object({
      from: z.string(),
      to: z.string(),
      from_half: z.string().optional(),
      to_half: z.string().optional(),
      working: z.boolean().optional(),
    })
    .nullable(),
  /** Of records, which module's. */
  module: z.string().nullable().optional(),
  /** Of a place, whether one may add where one is. */
  position: z.boolean().optional(),
  /** What it is computed from, and while what holds it is shown and must be filled in; null too where that hangs on what is not shown. */
  formula: Formula.nullable(),
  shown_when: Condition.nullable(),
  required_when: Condition.nullable(),
};
const ChosenRecord = z.object({ id: int, title: z.string(), sn: z.string(), state: z.string(), page: z.string() });
const ShownOpinion = z.object({
  id: int,
  state: z.string(),
  /** `乙（代 甲）` where it was done for somebody. */
  who: z.string(),
  did: z.string(),
  words: z.string(),
  at: z.string(),
  signature: FileCard.nullable(),
});
const FieldColumn = z.object({ ...fieldShape, field_attribute: z.literal([1, 2, 3]) });
/**
 * A field of the form as one person sees it: 1 read, 2 required, 3 optional. Hidden ones are not in the list, nor hidden columns in a
 * table. Rows of which something is not theirs to write say as `_row` which they are, and are sent back with it.
 */
export const FieldItem = z.object({
  ...fieldShape,
  field_value: json,
  /** Shown text of users and choices, where the value alone says nothing. */
  field_display: z.string(),
  /** The files whose ids the value holds. */
  field_files: z.array(FileCard),
  /** Names of the people the value holds, in rows of a table too, by user name. */
  field_people: z.record(z.string(), z.string()),
  /** The records whose ids the value holds, those the reader sees. */
  field_records: z.array(ChosenRecord).optional(),
  /** What was said in the states it is about, in order. */
  field_opinions: z.array(ShownOpinion).optional(),
  field_attribute: z.literal([1, 2, 3]),
  order_id: int,
  columns: z.array(FieldColumn),
  max_rows: int.nullable(),
});

/** A sheet as its author sees it, for the rows of a table: lines are counted from 1, columns from 0; `beside` are sheets that lie beside it unread. */
export const SheetRead = z.object({
  lines: z.array(z.array(z.string())),
  /** Cells that could not be read, and stand empty in `lines`. */
  faults: z.array(z.object({ line: int, column: int, msg: z.string() })),
  hidden: z.array(int),
  beside: z.array(z.string()),
});
export type SheetRead = z.output<typeof SheetRead>;

/** Something that keeps a definition from being published, and where the designer marks it. `key`: null for the workflow as a whole. */
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
