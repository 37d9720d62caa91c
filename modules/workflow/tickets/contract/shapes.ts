import { z } from 'zod';
import { actions, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { FieldItem, Offered } from '#modules/workflow/workflows/contract/shapes.ts';

const int = z.number().int();
const json = z.unknown();

export const PersonInfo = z.object({
  id: int,
  username: z.string(),
  alias: z.string(),
  dept_id: int.nullable(),
  dept_name: z.string(),
});
/** Who must act now, read from the open tasks. `participant`: user names, comma-separated. */
export const ParticipantInfo = z.object({
  participant_type_id: int,
  participant_type_name: z.string(),
  participant: z.string(),
  participant_name: z.string(),
  participant_alias: z.string(),
});
export const StateInfo = z.object({ state_id: int, state_name: z.string(), state_label: json });

/**
 * A ticket in a list. `actions`: codes of `Offered`, each once, as far as open tasks alone tell (the detail has all); `batch`
 * besides where it may be decided together with others.
 */
const cells = z.record(z.string(), z.union([z.string(), z.number()]).nullable());
export const Row = z.object({
  /** In a sheet: of the form by key, and of each row of one of its tables. */
  more: cells.optional(),
  lines: z.array(cells).optional(),
  id: int,
  sn: z.string().meta(field('流水号')),
  title: z.string().meta(field('标题')),
  workflow_id: int,
  workflow_info: z.object({ workflow_id: int, workflow_name: z.string() }).meta(field('类型')),
  state_id: int,
  state: StateInfo.meta(field('当前环节')),
  states: z.array(StateInfo).optional(),
  act_state_id: int.meta(field('状态')),
  /** `已作废` for a closed one that was revoked. */
  act_state_name: z.string().meta(field('状态')),
  /** Over, and what it decided is not done with for all that: `act_state_name` says what is missing. */
  unsettled: z.boolean(),
  /** Put aside: nobody handles it until it is resumed. */
  suspended: z.boolean(),
  participant_info: ParticipantInfo.meta(field('当前办理人')),
  creator: z.string(),
  creator_info: PersonInfo.meta(field('发起人')),
  parent_ticket_id: int.nullable(),
  parent_ticket_state_id: int.nullable(),
  in_add_node: z.boolean(),
  round: int,
  due_at: timestamp.nullable().meta(field('到期')),
  gmt_created: timestamp.meta(field('创建时间')),
  gmt_modified: timestamp.meta(field('最近更新')),
  version: int,
  /** Others did something since I last opened it; false where I never did. */
  news: z.boolean(),
  /** I never opened it. */
  unread: z.boolean(),
  /** Since when it waits for whom it has waited for longest; null where it waits for nobody. */
  since: timestamp.nullable().meta(field('到达')),
  /** Names of those in whose stead it waits for me, joined by 、; empty where it is my own or nothing waits. */
  on_behalf_of: z.string(),
  /** Where the business record is shown that it decides: there it is read and decided. Null for a plain ticket. */
  record_path: z.string().nullable(),
  actions,
});

/** Somebody a ticket was copied to; `read_at` null while they have not looked. */
const Copy = z.object({
  user: PersonInfo,
  /** Null when the flow itself copied it. */
  from: PersonInfo.nullable(),
  note: z.string(),
  gmt_created: timestamp,
  read_at: timestamp.nullable(),
});

export const Detail = Row.omit({ since: true, unread: true }).extend({
  /** Number of the last row of the log when I last opened it; null where I never did. */
  looked_seq: int.nullable(),
  state_info: z.object({
    id: int,
    name: z.string(),
    type_id: int,
    enable_retreat: z.boolean(),
    label: json,
  }),
  /** `by_record`: the record it decides says it, and shows it on its own page. */
  field_list: z.array(FieldItem.extend({ by_record: z.boolean() })),
  /** It decides a record that is not mine to see: of its form nothing is shown, and of its way everything. */
  record_closed: z.boolean(),
  /** The document it is printed as; empty for its form as a table. */
  print_template: z.string(),
  /** Of what I see of the form; sent back with a decision, it is refused where the form has changed since. */
  seen_hash: z.string(),
  /**
   * What I see otherwise than when I decided last, by key: as it was then, with names of the people in it by user name. Null where nothing
   * waits for me or I have not decided.
   */
  since_decided: z
    .object({
      was: z.record(z.string(), json),
      people: z.record(z.string(), z.string()),
      /** What of the ticket's record that is, as it is now; absent where it has none. */
      record: z.array(FieldItem).optional(),
    })
    .nullable(),
  /** Why it waits for me, in words; empty where it does not. */
  why_me: z.string(),
  /** All I may do now; `actions` holds its codes. */
  transitions: z.array(Offered),
  /** States further on whose people I pick when I send it there. */
  choose: z.array(z.object({ state_id: int, state_name: z.string() })),
  copies: z.array(Copy),
  /** What is waited for besides people: why, and what happens by itself at which time. */
  waits: z.array(
    z.object({ state_id: int, state_name: z.string(), why: z.string(), until: timestamp.nullable(), next: z.string() }),
  ),
  /** What did not reach the systems that were called. */
  troubles: z.array(z.string()),
  /** States below which I may start tickets now. */
  start_below: z.array(z.object({ state_id: int, state_name: z.string() })),
  /** The workflow in which I may begin another with what I filled in here; null where it is not mine to copy. */
  copies_to: int.nullable(),
  submitted_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});
export const DetailReply = z.object({ value: Detail });

export const FlowLog = z.object({
  id: int,
  seq: int,
  ticket_id: int,
  state: StateInfo,
  /** `transition_id` 0: no transition, see `intervene_type_id`. */
  transition: z.object({ transition_id: int, transition_name: z.string(), attribute_type_id: int }),
  intervene_type_id: int,
  action: z.string(),
  /** Null: the system went on by itself. */
  participant_info: PersonInfo.nullable(),
  on_behalf_of: PersonInfo.nullable(),
  suggestion: z.string(),
  /** Its words were put right later; the row that did so has the new ones. */
  corrected: z.boolean(),
  /** Done by the reader. */
  mine: z.boolean(),
  /** What was signed by hand. */
  signature: FileCard.nullable(),
  /** Why it went this way, as sentences. */
  reasons: z.array(z.string()),
  /** The form after the action as the reader may see it; only when asked for. */
  ticket_data: z.record(z.string(), json).optional(),
  /** Names of the people in `ticket_data`, by user name. */
  ticket_people: z.record(z.string(), z.string()).optional(),
  gmt_created: timestamp,
});
export const FlowStep = z.object({
  state_id: int,
  state_name: z.string(),
  order_id: int,
  type_id: int,
  is_current: z.boolean(),
  /** The ticket has been here, if only to go on by itself. */
  is_passed: z.boolean(),
  state_flow_log_list: z.array(FlowLog),
  /** Who has a task here now. */
  waiting_for: z.array(PersonInfo),
});

/** Answer of everything that moves a ticket. */
export const Moved = z.object({ id: int, sn: z.string(), ticket_id: int, act_state: int });
/** Besides: whether it still waits for others where it is, and where that is. */
export const Handled = Moved.extend({ stays: z.boolean(), state_name: z.string() });

export type Row = z.output<typeof Row>;
export type Detail = z.output<typeof Detail>;
export type FlowLog = z.output<typeof FlowLog>;
export type FlowStep = z.output<typeof FlowStep>;
export type PersonInfo = z.output<typeof PersonInfo>;
