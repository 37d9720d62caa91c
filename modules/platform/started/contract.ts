import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();

/** The progress of something started: not sent, running, or over. */
export const standings = ['draft', 'running', 'over'] as const;
export type StandingName = (typeof standings)[number];
export const standingNames: Readonly<Record<StandingName, string>> = {
  draft: '草稿',
  running: '办理中',
  over: '已结束',
};

/** A kind of which I started something. */
const Kind = z.object({
  /** Its name in addresses. */
  key: z.string(),
  title: z.string(),
  /** Exact up to ten thousand. */
  count: int,
  running: int,
});

const tones = z.enum(['default', 'processing', 'warning', 'success', 'error', 'cyan']);
export const StartedRow = z.object({
  /** Unique among all kinds. */
  id: z.string(),
  key: z.string(),
  kind: z.string().meta(field('类型')),
  /** Its id within its kind. */
  of: int,
  title: z.string().meta(field('标题')),
  sn: z.string().meta(field('编号')),
  /** A description, if its kind is not one, and the figure that its list shows. */
  what: z.string().meta(field('内容')),
  since: timestamp.meta(field('发起时间')),
  stands: z.enum(standings),
  state: z.object({ word: z.string(), tone: tones }).meta(field('状态')),
  /** Its present state; empty if it has none. */
  step: z.string().meta(field('当前环节')),
  /** Names of its holders. */
  who: z.string().meta(field('当前办理人')),
  /** True if somebody should have it, and nobody does. */
  stuck: z.boolean(),
  due_at: timestamp.nullable().meta(field('期限')),
  light: z.object({ word: z.string(), tone: tones }).nullable(),
  /** True if others did something since I last opened it. */
  news: z.boolean(),
  web_path: z.string(),
  /** The page that begins a copy; null if its kind has no such form for me. */
  copy_path: z.string().nullable(),
  /** The ticket that decides it, with the version read; null if there is none. */
  ticket: z.object({ id: int, version: int }).nullable(),
});
export type StartedRow = z.output<typeof StartedRow>;
export type Tone = z.output<typeof tones>;

/** Stands for all kinds in place of one. */
export const everyKind = 'all';

export const started = {
  mine: call({
    method: 'GET',
    path: '/api/started/',
    access: signedIn,
    summary: '我发起的事项数量',
    /** `total` and `running` are sums over the kinds. */
    reply: z.object({ total: int, running: int, value: z.array(Kind) }),
    fresh: true,
  }),
  list: call({
    method: 'GET',
    path: '/api/started/list/',
    access: signedIn,
    summary: '我发起的事项',
    query: listQuery({
      sort: ['since'],
      filters: {
        category: z.string().max(40).default(everyKind).meta({ title: '事项类型' }),
        stands: z.enum(standings).optional().meta({ title: '进展' }),
      },
    }),
    reply: listOf(StartedRow),
    fresh: true,
  }),
};
