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
/** The people who must act now, read from the open tasks. `participant`: user names, comma-separated. */
export const ParticipantInfo = z.object({
  participant_type_id: int,
  participant_type_name: z.string(),
  participant: z.string(),
  participant_name: z.string(),
  participant_alias: z.string(),
});
export const StateInfo = z.object({ state_id: int, state_name: z.string(), state_label: json });

/**
 * A ticket in a list. `actions`: codes of `Offered`, each once, as far as open tasks alone tell (the detail has all); also `batch` if it may be
 * decided together with others.
 */
const cells = z.record(z.string(), z.union([z.string(), z.number()]).nullable());
export const Row = z.object({
  /** In an export: form values by key, and those of each row of one of its tables. */
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
  /** `已作废` for a closed ticket that was revoked. */
  act_state_name: z.string().meta(field('状态')),
  /** The ticket is over, but the matter it decided is not finished: `act_state_name` says what is missing. */
  unsettled: z.boolean(),
  /** Suspended: nobody handles it until it is resumed. */
  suspended: z.boolean(),
  participant_info: ParticipantInfo.meta(field('当前办理人')),
  creator: z.string(),
  creator_info: PersonInfo.meta(field('发起人')),
  /** The person who started it in the creator's name; null if the creator or the system did. */
  begun_by: PersonInfo.nullable().meta(field('代为发起人')),
  parent_ticket_id: int.nullable(),
  parent_ticket_state_id: int.nullable(),
  in_add_node: z.boolean(),
  round: int,
  due_at: timestamp.nullable().meta(field('到期')),
  gmt_created: timestamp.meta(field('创建时间')),
  gmt_modified: timestamp.meta(field('最近更新')),
  version: int,
  /** True if others did something since I last opened it; false if I never did. */
  news: z.boolean(),
  /** True if I never opened it. */
  unread: z.boolean(),
  /** The time since which it has waited longest for somebody; null if it waits for nobody. */
  since: timestamp.nullable().meta(field('到达')),
  /** Names of the people on whose behalf it waits for me, joined by 、; empty if it is my own or nothing waits. */
  on_behalf_of: z.string(),
  /** Page of the record it decides, where it is read and decided. Null for a plain ticket. */
  record_path: z.string().nullable(),
  actions,
});

/** Somebody a ticket was copied to; `read_at` is null until they open it. */
const Copy = z.object({
  user: PersonInfo,
  /** Null if the flow itself copied it. */
  from: PersonInfo.nullable(),
  note: z.string(),
  gmt_created: timestamp,
  read_at: timestamp.nullable(),
});

export const Detail = Row.omit({ since: true, unread: true }).extend({
  /** Number of the last log row when I last opened it; null if I never did. */
  looked_seq: int.nullable(),
  state_info: z.object({
    id: int,
    name: z.string(),
    type_id: int,
    enable_retreat: z.boolean(),
    label: json,
  }),
  /** `by_record`: the value comes from the record it decides, which shows it on its own page. */
  field_list: z.array(FieldItem.extend({ by_record: z.boolean() })),
  /** It decides a record that I may not see: its form is hidden, its progress is shown in full. */
  record_closed: z.boolean(),
  /** The template it is printed with; empty to print its form as a table. */
  print_template: z.string(),
  /** Hash of the part of the form that I see; sent back with a decision, which is refused if the form has changed since. */
  seen_hash: z.string(),
  /**
   * Values that differ from those at my last decision, by key: the old values, with names of the people in them by user name. Null if nothing waits
   * for me or I have not decided.
   */
  since_decided: z
    .object({
      was: z.record(z.string(), json),
      people: z.record(z.string(), z.string()),
      /** The present values of its record that differ; absent if it has no record. */
      record: z.array(FieldItem).optional(),
    })
    .nullable(),
  /** Why it waits for me, in words; empty if it does not. */
  why_me: z.string(),
  /** All I may do now; `actions` holds its codes. */
  transitions: z.array(Offered),
  /** Later states for which I choose the people when I send it there. */
  choose: z.array(z.object({ state_id: int, state_name: z.string() })),
  copies: z.array(Copy),
  /** Waits for something other than people: the reason, and what happens by itself at which time. */
  waits: z.array(
    z.object({ state_id: int, state_name: z.string(), why: z.string(), until: timestamp.nullable(), next: z.string() }),
  ),
  /** Failed deliveries to the systems that were called. */
  troubles: z.array(z.string()),
  /** States below which I may start tickets now. */
  start_below: z.array(z.object({ state_id: int, state_name: z.string() })),
  /** The workflow in which I may begin a copy with the values I filled in here; null if I may not copy it. */
  copies_to: int.nullable(),
  submitted_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** The word for its creator's absence once it is agreed to: 请假, 出差, 外出; empty for all others. */
  away_name: z.string(),
  /** The moment since which the person whose approved leave or trip it is works again, if before its end. */
  back_at: timestamp.nullable(),
});
export const DetailReply = z.object({ value: Detail });

export const FlowLog = z.object({
  id: int,
  seq: int,
  ticket_id: int,
  state: StateInfo,
  /** `transition_id` 0: not a transition, see `intervene_type_id`. */
  transition: z.object({ transition_id: int, transition_name: z.string(), attribute_type_id: int }),
  intervene_type_id: int,
  action: z.string(),
  /** Null: the system acted by itself. */
  participant_info: PersonInfo.nullable(),
  on_behalf_of: PersonInfo.nullable(),
  suggestion: z.string(),
  /** Its comment was corrected later; the correcting row has the new text. */
  corrected: z.boolean(),
  /** True if the reader did it. */
  mine: z.boolean(),
  /** The handwritten signature. */
  signature: FileCard.nullable(),
  /** Files of the opinion. */
  files: z.array(FileCard),
  /** Why it went this way, as sentences. */
  reasons: z.array(z.string()),
  /** The form after the action as the reader may see it; only on request. */
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
  /** True if the ticket has been here, even if only to go on by itself. */
  is_passed: z.boolean(),
  state_flow_log_list: z.array(FlowLog),
  /** The people who have a task here now. */
  waiting_for: z.array(PersonInfo),
});

/** Reply of everything that moves a ticket. */
export const Moved = z.object({ id: int, sn: z.string(), ticket_id: int, act_state: int });
/** In addition: whether it still waits for others in its state, and that state's name. */
export const Handled = Moved.extend({ stays: z.boolean(), state_name: z.string() });

export type Row = z.output<typeof Row>;
export type Detail = z.output<typeof Detail>;
export type FlowLog = z.output<typeof FlowLog>;
export type FlowStep = z.output<typeof FlowStep>;
export type PersonInfo = z.output<typeof PersonInfo>;
