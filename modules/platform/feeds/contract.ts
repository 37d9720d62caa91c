import { z } from 'zod';
import { call, everyone, protocolReply, signedIn } from '#kernel/contract/call.ts';
import { daysBetween } from '#kernel/contract/moment.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { day, done, id, idParams, name, timestamp } from '#kernel/contract/shapes.ts';

/** The most addresses of one person. */
export const mostFeeds = 10;
export const tooManyFeeds = refusal(codes.refused, () => `每人最多 ${mostFeeds} 个日历地址，请先停用不再使用的`);
export const unknownKinds = refusal(codes.refused, (keys: readonly string[]) => `没有这种内容：${keys.join('、')}`);
export const notForApplications = refusal(codes.forbidden, () => '日历地址只能由本人登录后生成');

/** Minutes before timed entries. */
export const remindNames = {
  5: '提前 5 分钟',
  15: '提前 15 分钟',
  30: '提前 30 分钟',
  60: '提前 1 小时',
  1440: '提前 1 天',
} as const;
const remind = choice('提醒', remindNames, { help: '由日历软件在开始之前提醒，全天的不提醒' }).nullable();

export const Feed = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Keys of the sources it contains. */
  keys: z.array(z.string()),
  /** True if restricted meetings and schedules appear with their own titles. */
  titles: z.boolean(),
  remind,
  gmt_created: timestamp,
  /** The last request of a calendar program; null for never. */
  last_read_at: timestamp.nullable(),
});
export type Feed = z.output<typeof Feed>;

export const FeedInput = z.object({
  name: name(30).meta(field('名称', { help: '每台设备各用一个，便于以后单独停用' })),
  keys: z
    .array(z.string().max(30))
    .min(1, '请至少选择一项')
    .max(50)
    .meta(field('内容', { kind: 'select', multiple: true })),
  titles: z
    .boolean()
    .default(false)
    .meta(field('显示内部标题', { kind: 'switch', help: '内部会议和日程也写明标题；有地址的人不用登录就能看到' })),
  remind: remind.default(null),
  renews: id
    .optional()
    .describe('更换这个日历的地址，原地址同时停用')
    .meta(field('更换的日历', { hidden: true })),
});

/** An entry of one's own in a period, as the calendar of all modules shows it. */
export const MineEntry = z.object({
  /** The key of its source, and its id there. */
  key: z.string(),
  id: z.string(),
  title: z.string(),
  /** `YYYY-MM-DD HH:mm:ss`; only days, both included, for whole days. */
  start: z.string(),
  end: z.string(),
  place: z.string(),
  /** The page that shows it; empty if there is none. */
  path: z.string(),
  cancelled: z.boolean(),
  /** It takes none of the person's time, because they do not attend. */
  free: z.boolean(),
});
/** The most days in one request: six weeks of a month. */
const mostDays = 42;

export const feeds = {
  mine: call({
    method: 'GET',
    path: '/api/calendars/mine/',
    access: signedIn,
    summary: '我的日程',
    query: z
      .object({ start: day, end: day })
      .refine(({ start, end }) => start <= end && daysBetween(start, end) < mostDays, `一次最多查看 ${mostDays} 天`),
    reply: z.object({
      value: z.array(MineEntry),
      kinds: z.array(z.object({ key: z.string(), name: z.string() })),
      /** There are more entries than shown. */
      more: z.boolean(),
    }),
  }),
  list: call({
    method: 'GET',
    path: '/api/calendars/feed/',
    access: signedIn,
    summary: '我的日历地址',
    reply: z.object({
      value: z.array(Feed),
      /** True if the organisation allows restricted titles outside. */
      may_name: z.boolean(),
      /** The available sources. */
      kinds: z.array(z.object({ key: z.string(), name: z.string() })),
    }),
  }),
  add: call({
    method: 'POST',
    path: '/api/calendars/feed/',
    access: signedIn,
    summary: '生成日历地址',
    body: FeedInput,
    reply: z.object({ id: z.number().int(), path: z.string().describe('只显示这一次') }),
    message: '日历地址已生成',
    shownOnce: true,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/calendars/feed/{id}/',
    access: signedIn,
    summary: '停用日历地址',
    params: idParams,
    reply: done,
    message: '日历地址已停用，日历软件不再得到新的内容',
  }),
  /** Called by calendar programs, which have only the code. */
  calendar: call({
    method: 'GET',
    path: '/api/calendars/ics/{code}/',
    access: everyone,
    summary: '日历内容',
    params: z.object({ code: z.string().max(64) }),
    reply: protocolReply,
    fresh: true,
    notesReading: true,
  }),
};
