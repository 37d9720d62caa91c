import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { timestamp } from '#kernel/contract/shapes.ts';

const int = z.number().int();

const Waiting = z.object({
  /** The page's component: whose menu item counts it. */
  page: z.string(),
  path: z.string(),
  title: z.string(),
  /** Exact to ten thousand. */
  count: int,
  overdue: int,
  /** The first of them, what is due soonest first. */
  rows: z.array(
    z.object({
      id: int,
      title: z.string(),
      /** What it is, where its kind does not say that, with the figure by which its list knows it: 合同审批 · 12,000.00 元. */
      what: z.string(),
      due_at: timestamp.nullable(),
      /** Since when it waits, where that is known, and who asks for it; empty for nobody. */
      since: timestamp.nullable(),
      who: z.string(),
      web_path: z.string(),
    }),
  ),
});
export type Waiting = z.output<typeof Waiting>;

export const waiting = {
  mine: call({
    method: 'GET',
    path: '/api/waits/',
    access: signedIn,
    summary: '等待我办理的事项',
    /** `rows`: so many of each kind are named. */
    query: z.object({ rows: z.coerce.number().int().min(0).max(20).default(0) }),
    reply: z.object({ total: int, overdue: int, value: z.array(Waiting) }),
    fresh: true,
  }),
};
