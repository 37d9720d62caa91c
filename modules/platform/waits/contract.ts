import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { flag, listOf, listQuery, localMoment, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();

/** A kind of which something waits for me. */
const Kind = z.object({
  /** Its name in addresses. */
  key: z.string(),
  /** The page's component, whose menu entry shows the count. */
  page: z.string(),
  path: z.string(),
  title: z.string(),
  /** Exact up to ten thousand. */
  count: int,
  overdue: int,
  /** The number of further ones that are put off. */
  aside: int,
});
export type WaitingKind = z.output<typeof Kind>;

const Row = z.object({
  /** Unique among all kinds. */
  id: z.string(),
  key: z.string(),
  page: z.string(),
  kind: z.string().meta(field('类型')),
  /** Its id within its kind. */
  of: int,
  title: z.string().meta(field('标题')),
  /** A description, if its kind is not one, with the figure that its list shows: 合同审批 · 12,000.00 元. */
  what: z.string().meta(field('内容')),
  /** The requester; empty for nobody. */
  who: z.string().meta(field('来自')),
  since: timestamp.nullable().meta(field('已等待')),
  due_at: timestamp.nullable().meta(field('期限')),
  /** The light, as in the list of its kind. */
  light: z.object({ word: z.string(), tone: z.enum(['success', 'processing', 'warning', 'error']) }).nullable(),
  web_path: z.string(),
  /** Opening it is recorded as reading. */
  notes_opening: z.boolean(),
  /** The time until which it is put off; null if it waits now. */
  until: timestamp.nullable().meta(field('回来时间')),
});
export type WaitingRow = z.output<typeof Row>;

/** Stands for all kinds in place of one. */
export const allKinds = 'all';
/** Stands for everything put off, in place of a kind. */
export const putAside = 'aside';

/** Limits of one person: the number of rows put off, and the days. */
export const mostAside = 1000;
export const mostAsideDays = 366;
export const notLater = refusal(codes.refused, (at: string) => `${at} 已经过去，请选择以后的时间`);
export const tooLate = refusal(
  codes.refused,
  (day: string) => `${day} 太晚，最多放到 ${mostAsideDays} 天以后，请选择较早的时间`,
);
export const tooManyAside = refusal(codes.refused, (most: number) => `放到稍后的事项最多 ${most} 项，请先取回一些再放`);

/** Keys of rows in the list. */
const rows = z.array(z.string().min(1).max(80)).min(1).max(100).meta({ title: '事项' });

export const waiting = {
  mine: call({
    method: 'GET',
    path: '/api/waits/',
    access: signedIn,
    summary: '等待我办理的事项数量',
    /** `total` is the sum over the kinds, without those put off. */
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
    /** `gone`: those that wait no longer. */
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
