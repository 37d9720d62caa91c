import { z } from 'zod';
import { timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { Receipts } from '#modules/platform/people/contract/receipts.ts';
import { Dist } from './list.ts';

const int = z.number().int();

/** One recipient and their reading progress. */
export const Reader = z.object({
  id: int,
  alias: z.string().meta(field('姓名')),
  dept_name: z.string().meta(field('部门')),
  /** 1 named, 2 by department, 3 by role, 4 as everybody. */
  source: int,
  state: int,
  state_name: z.string().meta(field('状态')),
  read_time: timestamp.nullable().meta(field('阅读时间')),
  /** The client they read it with. */
  client: z.string().meta(field('阅读方式')),
  reply: z.string().meta(field('回复')),
  reply_time: timestamp.nullable(),
  urged_count: int.meta(field('催读次数')),
  last_urged_at: timestamp.nullable(),
});
export type Reader = z.output<typeof Reader>;

/** Reading progress by the department the people were in; several distributions of one document count a person once. */
export const Matrix = Receipts.extend({ dists: int });
export type Matrix = z.output<typeof Matrix>;

export const DistDetail = Dist.extend({
  sender_info: PersonCard.nullable(),
  recalled_by: z.string(),
  my_reply: z.string(),
  /** The number of people the reader may urge: those who have not read it, except themselves and people who have left. */
  to_urge: int,
  /** The first twenty recipients, unread first, for those who manage it; `readers` pages through all. */
  readers: z.array(Reader),
});
export type DistDetail = z.output<typeof DistDetail>;

/** A line in the history of the document: of its workflow, then of its distributions. */
export const DistLog = z.object({
  key: z.string(),
  kind: z.enum(['flow', 'dist']),
  action: z.string(),
  action_name: z.string(),
  state_name: z.string(),
  participant_info: PersonCard.nullable(),
  content: z.string(),
  gmt_created: timestamp,
});
export type DistLog = z.output<typeof DistLog>;
