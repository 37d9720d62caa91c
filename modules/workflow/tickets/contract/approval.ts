import { z } from 'zod';
import { actions, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { ParticipantInfo } from './shapes.ts';

const int = z.number().int();

/** What every record that is decided by a ticket shows of it. `actions`: codes of `Offered`, and those of the record's own module. */
export const approvalShape = {
  sn: z.string().meta(field('流水号')),
  ticket_id: int,
  workflow_id: int,
  act_state: int.meta(field('状态')),
  act_state_name: z.string().meta(field('状态')),
  state_id: int,
  state_name: z.string().meta(field('当前环节')),
  participant_info: ParticipantInfo.meta(field('当前办理人')),
  /** Since when it waits for them; null where it waits for nobody. */
  since: timestamp.nullable().meta(field('等待自')),
  round: int,
  /** Others did something since I last opened it. */
  news: z.boolean(),
  /** Names of those in whose stead it waits for me. */
  on_behalf_of: z.string(),
  gmt_modified: timestamp,
  actions,
};
export const Approval = z.object(approvalShape);
export type Approval = z.output<typeof Approval>;

/** How a record is sent on its way, beside its own fields. `submit` false keeps it as a draft. */
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
