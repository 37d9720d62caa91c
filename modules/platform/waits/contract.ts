import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { flag, listOf, listQuery, localMoment, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

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
  /** So many more are put aside. */
  aside: int,
});
export type WaitingKind = z.output<typeof Kind>;

const Row = z.object({
  /** Of all kinds together no two have the same. */
  id: z.string(),
  key: z.string(),
  page: z.string(),
  kind: z.string().meta(field('类型')),
  /** The number of what waits, among those of its kind. */
  of: int,
  title: z.string().meta(field('标题')),
  /** What it is, where its kind does not say that, with the figure by which its list knows it: 合同审批 · 12,000.00 元. */
  what: z.string().meta(field('内容')),
  /** Who asks for it; empty for nobody. */
  who: z.string().meta(field('来自')),
  since: timestamp.nullable().meta(field('已等待')),
  due_at: timestamp.nullable().meta(field('期限')),
  /** As the list of its kind has it. */
  light: z.object({ word: z.string(), tone: z.enum(['success', 'processing', 'warning', 'error']) }).nullable(),
  web_path: z.string(),
  /** Its opening is noted, as a reading is. */
  notes_opening: z.boolean(),
  /** Until when it is put aside; null where it waits now. */
  until: timestamp.nullable().meta(field('回来时间')),
});
export type WaitingRow = z.output<typeof Row>;

/** What stands for all kinds where one may be named. */
export const allKinds = 'all';
/** What stands there for all that is put aside. */
export const putAside = 'aside';

/** A person has at most so much put aside, and nothing for longer. */
export const mostAside = 1000;
export const mostAsideDays = 366;
export const notLater = refusal(codes.refused, (at: string) => `${at} 已经过去，请选择以后的时间`);
export const tooLate = refusal(
  codes.refused,
  (day: string) => `${day} 太晚，最多放到 ${mostAsideDays} 天以后，请选择较早的时间`,
);
export const tooManyAside = refusal(codes.refused, (most: number) => `放到稍后的事项最多 ${most} 项，请先取回一些再放`);

/** By which rows of the list are known. */
const rows = z.array(z.string().min(1).max(80)).min(1).max(100).meta({ title: '事项' });

export const waiting = {
  mine: call({
    method: 'GET',
    path: '/api/waits/',
    access: signedIn,
    summary: '等待我办理的事项数量',
    /** `total` is the sum over the kinds; what is put aside is not in it. */
    reply: z.object({ total: int, overdue: int, aside: int, value: z.array(Kind) }),
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
        /** With what is put aside of it, as the list of a kind shows it. */
        whole: flag.optional().meta({ title: '含稍后的事项' }),
      },
    }),
    reply: listOf(Row),
    fresh: true,
  }),
  times: call({
    method: 'GET',
    path: '/api/waits/times/',
    access: signedIn,
    summary: '可以放到什么时候',
    reply: z.array(z.object({ label: z.string(), at: z.string() })),
  }),
  putAside: call({
    method: 'POST',
    path: '/api/waits/aside/',
    access: signedIn,
    summary: '放到稍后',
    body: z.object({ rows, until: localMoment.meta({ title: '稍后的时间' }) }),
    /** `gone`: those that wait no more. */
    reply: z.object({ count: int, gone: z.array(z.string()) }),
    message: '已放到稍后，到时间自动回来',
  }),
  takeBack: call({
    method: 'POST',
    path: '/api/waits/back/',
    access: signedIn,
    summary: '取回放到稍后的事项',
    body: z.object({ rows }),
    reply: z.object({ count: int }),
    message: '已取回',
  }),
};
