import { z } from 'zod';
import { actions, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { ParticipantInfo } from './shapes.ts';

const int = z.number().int();

/** Fields that every record decided by a ticket shows of it. `actions`: codes of `Offered`, and those of the record's own module. */
export const approvalShape = {
  sn: z.string().meta(field('流水号')),
  ticket_id: int,
  workflow_id: int,
  act_state: int.meta(field('状态')),
  act_state_name: z.string().meta(field('状态')),
  state_id: int,
  state_name: z.string().meta(field('当前环节')),
  participant_info: ParticipantInfo.meta(field('当前办理人')),
  /** The time since which it waits for them; null if it waits for nobody. */
  since: timestamp.nullable().meta(field('等待自')),
  round: int,
  /** True if others did something since I last opened it. */
  news: z.boolean(),
  /** Names of the people on whose behalf it waits for me. */
  on_behalf_of: z.string(),
  gmt_modified: timestamp,
  actions,
};
export const Approval = z.object(approvalShape);
export type Approval = z.output<typeof Approval>;

/** Fields that send a record, in addition to its own. With `submit` false it stays a draft. */
export const sendingShape = {
  submit: z.boolean().default(false),
  suggestion: text(10_000).default(''),
  choose: z
    .record(z.string().regex(/^\d{1,7}$/), z.array(name(50)).max(50))
    .describe('环节编号 → 选定的办理人用户名')
    .optional(),
};

/** Categories of a list of such records. */
export const approvalCategories = ['all', 'owner', 'duty', 'relation', 'worked', 'cc'] as const;
