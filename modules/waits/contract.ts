import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';

const int = z.number().int();

/** A kind of which something waits for me. */
const Kind = z.object({
  /** By which addresses name it. */
  key: z.string(),
  /** The page's component: whose menu item counts it. */
  page: z.string(),
  path: z.string(),
  title: z.string(),
  /** Exact to ten thousand. */
  count: int,
  overdue: int,
});
export type WaitingKind = z.output<typeof Kind>;

const Row = z.object({
  /** Of all kinds together no two have the same. */
  id: z.string(),
  key: z.string(),
  page: z.string(),
  kind: z.string(),
  /** The number of what waits, among those of its kind. */
  of: int,
  title: z.string(),
  /** What it is, where its kind does not say that, with the figure by which its list knows it: 合同审批 · 12,000.00 元. */
  what: z.string(),
  /** Who asks for it; empty for nobody. */
  who: z.string(),
  since: timestamp.nullable(),
  due_at: timestamp.nullable(),
  /** As the list of its kind has it. */
  light: z.object({ word: z.string(), tone: z.enum(['success', 'processing', 'warning', 'error']) }).nullable(),
  web_path: z.string(),
});
export type WaitingRow = z.output<typeof Row>;

/** What stands for all kinds where one may be named. */
export const allKinds = 'all';

export const waiting = {
  mine: call({
    method: 'GET',
    path: '/api/waits/',
    access: signedIn,
    summary: '等待我办理的事项数量',
    /** `total` is the sum over the kinds. */
    reply: z.object({ total: int, overdue: int, value: z.array(Kind) }),
    fresh: true,
  }),
  list: call({
    method: 'GET',
    path: '/api/waits/list/',
    access: signedIn,
    summary: '等待我办理的事项',
    query: listQuery({
      sort: ['urgency'],
      filters: {
        category: z.string().max(40).default(allKinds).meta({ title: '事项类型' }),
      },
    }),
    reply: listOf(Row),
    fresh: true,
  }),
};
