import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { done, flag, id, idParams, line, name, timestamp, version } from '#kernel/contract/shapes.ts';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { visibleTo } from './codes.ts';
import { boardDay, boardPage, page } from './schedules.ts';

const int = z.number().int();
const path = '/api/leader/' as const;

/** An entry in the snapshot of a published week; a private one has neither words nor place. */
export interface Printed {
  id: number;
  type_id: number;
  leaders: number[];
  start_time: string;
  end_time: string;
  all_day: boolean;
  title: string;
  address: string;
  attend_type: number;
  visibility: number;
  acting: string;
}
export interface Snapshot {
  leaders: { id: number; alias: string; post: string }[];
  entries: Printed[];
}

const Entry = z.object({
  /** Null if the viewer may only know that the leader is busy. */
  id: int.nullable(),
  type_id: int,
  title: z.string(),
  start_time: timestamp,
  end_time: timestamp,
  all_day: z.boolean(),
  address: z.string(),
  attend_type: int,
  visibility: int,
  /** Leaders whose answer is still open. */
  waiting: z.array(int),
  acting: z.string(),
  masked: z.boolean(),
  cancelled: z.boolean(),
  /** Leaders who have another entry at that time. */
  clash: z.array(int),
  unseen: z.boolean(),
  source_module: z.string(),
  version: int,
  /** True if I may move it to another time. */
  can_move: z.boolean(),
  /** The time of the change since publication, and the words before it. */
  changed_at: timestamp.nullable(),
  was: z.string(),
});
export type BoardEntry = z.output<typeof Entry>;
const Half = z.object({ am: z.array(int), pm: z.array(int), night: z.array(int) });
const Leader = z.object({
  id: int,
  username: z.string(),
  alias: z.string(),
  post: z.string(),
  /** By day: indexes into `entries` of all that touch the part. */
  cells: z.record(z.string(), Half),
});
export type BoardLeader = z.output<typeof Leader>;
const Duty = z.object({ id: int, day: z.string(), name: z.string(), phone: z.string(), people: z.array(z.string()) });
export type DutyRow = z.output<typeof Duty>;
const Published = z.object({
  week: z.string(),
  version: int,
  published_at: timestamp.nullable(),
  published_by: z.string(),
  /** The number of entries added, moved or cancelled since. */
  changes: int,
});

export const leaderRules = rules({
  key: 'leader_rule',
  title: '日程规则',
  shape: {
    deadline: line(10)
      .regex(/^[1-7] ([01]\d|2[0-3]):[0-5]\d$/, '请按“5 15:00”填写，5 为星期五')
      .meta(field('报送截止', { help: '下周日程的报送截止，先星期几后几点，如“5 15:00”为星期五 15:00' })),
    publish: line(10)
      .regex(/^[1-7] ([01]\d|2[0-3]):[0-5]\d$/, '请按“5 16:30”填写，5 为星期五')
      .meta(field('发布时间', { help: '一周安排发布到星期几的几点，届时提醒办公室' })),
    main_leaders: z
      .array(name(50))
      .max(5, '最多 5 位')
      .meta(field('主要领导', { help: '不同时外出，其他领导外出须其同意' })),
    travel_minutes: int
      .min(0)
      .max(240, '最多 240')
      .meta(field('校区间路程（分钟）', { help: '两项日程间隔不足时提示' })),
    brief_at: line(5)
      .regex(/^(0[5-9]|1[01]):[0-5]\d$/, '请填写 05:00–11:59，如“07:30”')
      .meta(field('早间简报时间')),
    open_visibility: choice('新日程的可见范围', { 1: '全员', 2: '领导与办公室' }),
  },
  defaults: {
    deadline: '5 15:00',
    publish: '5 16:30',
    main_leaders: [] as string[],
    travel_minutes: 40,
    brief_at: '07:30',
    open_visibility: visibleTo.everybody,
  },
});

const Place = z.object({
  id: int,
  name: z.string(),
  campus: z.string(),
  shared: z.boolean(),
  use_count: int,
  last_used: timestamp,
  actions: z.array(z.string()),
});
export type Place = z.output<typeof Place>;

export const boardCalls = {
  board: call({
    method: 'GET',
    path: `${path}leader_index/`,
    aliases: ['/api/leader_index/'],
    access: signedIn,
    summary: '查看一周安排',
    query: z.object({ date: boardDay.optional(), mine: flag.default(false) }),
    reply: z.object({
      days: z.array(z.object({ date: z.string(), works: z.boolean() })),
      leaders: z.array(Leader),
      entries: z.array(Entry),
      /** The people on duty, if duty rosters are in use. */
      duty: z.array(Duty),
      published: Published.nullable(),
      /** For those who may publish: the number of clashes, and of proposals in review. */
      clashes: int,
      pending: int,
      can_publish: z.boolean(),
      can_print_all: z.boolean(),
    }),
    notesReading: true,
  }),
  redpoint: call({
    method: 'GET',
    path: `${path}redpoint/`,
    access: signedIn,
    summary: '查看日程红点',
    reply: z.object({ total: int, type: z.record(z.string(), int), duty: int }),
    fresh: true,
  }),
  weeks: call({
    method: 'GET',
    path: `${path}week/`,
    access: signedIn,
    summary: '查看已发布的周',
    query: z.object({ from: boardDay, to: boardDay }),
    reply: z.object({ value: z.array(Published) }),
    fresh: true,
  }),
  publish: call({
    method: 'POST',
    path: `${path}week/`,
    access: grant('chuli', page),
    summary: '发布一周安排',
    body: z.object({
      date: boardDay.meta({ title: '日期' }),
      /** The last published version the client has read; 0 before the first. */
      version,
      force: z.boolean().default(false),
      sms: z.boolean().default(false).meta({ title: '短信通知' }),
    }),
    reply: z.object({ version: int }),
    message: '一周安排已发布',
  }),
  weekPdf: call({
    method: 'GET',
    path: `${path}week/pdf/`,
    access: signedIn,
    summary: '打印一周安排',
    query: z.object({ date: boardDay, scope: z.enum(['all', 'open']).default('open'), version: id.optional() }),
    reply: fileReply,
  }),
  places: call({
    method: 'GET',
    path: `${path}address/`,
    access: signedIn,
    summary: '查看常用地址',
    query: z.object({ search_value: line(50).default('') }),
    reply: z.object({ value: z.array(Place) }),
    fresh: true,
  }),
  dropPlace: call({
    method: 'POST',
    path: `${path}address/{id}/`,
    access: signedIn,
    summary: '删除常用地址',
    params: idParams,
    reply: done,
    message: '地址已删除',
  }),
  savePlace: call({
    method: 'PUT',
    path: `${path}address/{id}/`,
    access: signedIn,
    summary: '修改常用地址',
    params: idParams,
    body: z.object({
      name: name(100).optional().meta({ title: '地址' }),
      campus: line(20)
        .optional()
        .meta(field('校区', { help: '两项日程不在同一校区时提示路程' })),
      shared: z
        .boolean()
        .optional()
        .meta(field('共享', { help: '由办公室维护，大家都能选' })),
      into: id.optional().meta({ title: '并入' }),
    }),
    reply: done,
    message: '地址已保存',
  }),
  ...ruleCalls(leaderRules, { prefix: path, page, readBy: 'everybody' }),
};
export type Board = z.output<typeof boardCalls.board.reply>;
export { boardPage };
