import { z } from 'zod';
import { call, grant, signedIn, type Exports } from '#kernel/contract/call.ts';
import {
  day,
  done,
  flag,
  id,
  idParams,
  line,
  localMoment,
  name,
  telephone,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalRow, recordCalls } from '#modules/workflow/records/contract.ts';
import { choice, coded, field, optionsOf, sheetColumns, titledAs } from '#kernel/contract/titles.ts';
import {
  attendType,
  choicesOf,
  leastReminder,
  mostReminder,
  mostReminders,
  needs,
  reminders,
  replyState,
  runStatus,
  scheduleType,
  scopes,
  usualReminders,
  visibleTo,
} from './codes.ts';

const int = z.number().int();
/** A day of a board, limited to the range of schedules, so that the days around it are valid too. */
export const boardDay = day.refine((value) => value.startsWith('20'), '请选择 2000 至 2099 年的日期');
const path = '/api/leader/' as const;
const one = `${path}{id}/` as const;
export const page = 'leader/list';
export const boardPage = 'leader/index';
const people = (most: number) => z.array(name(50)).max(most, `最多 ${most} 人`);
const fields = {
  leaders: people(20).min(1, '请选择领导').meta(field('领导')),
  title: name(200).meta(field('事项')),
  start_time: localMoment.meta(field('开始时间')),
  end_time: localMoment.meta(field('结束时间')),
  all_day: z.boolean().meta(field('全天')),
  address: line(100).meta(field('地点', { help: '外出报备填去向' })),
  attend_type: choice('方式', attendType.names),
  visibility: choice('可见范围', visibleTo.names, { help: '范围外的人只看到“忙”' }),
  contact: name(50).nullable().meta(field('联系人')),
  phone: telephone(30).meta(field('联系电话')),
  participants: line(300).meta(field('参加人员', { kind: 'textarea' })),
  escort: people(20).meta(field('陪同')),
  need: z
    .array(z.enum(Object.keys(needs) as [keyof typeof needs]))
    .max(5)
    .meta(field('保障', { kind: 'select', multiple: true, options: choicesOf(needs) })),
  materials: z.array(id).max(20, '最多 20 个文件').meta(field('材料')),
  remind: z
    .array(z.int().min(leastReminder).max(mostReminder))
    .max(mostReminders, `最多 ${mostReminders} 次`)
    .meta(
      field('提前提醒', {
        kind: 'select',
        multiple: true,
        options: optionsOf(reminders),
        help: '提醒领导、秘书、陪同和联系人；全天的日程不提醒',
      }),
    ),
  remark: line(500).meta(field('备注', { kind: 'textarea' })),
};
const trips = {
  acting: name(50)
    .nullable()
    .meta(field('代行人', { help: '领导确认后，外出期间由其代办领导的待办' })),
  approvers: people(5).meta(field('同意外出的领导', { help: '主要领导本人外出不填' })),
};
/** Lets it stand although a leader has another entry at that time. */
const force = z.boolean().optional().meta({ title: '保留冲突' });

export const ScheduleInput = z.object({
  ...fields,
  all_day: fields.all_day.default(false),
  address: fields.address.default(''),
  attend_type: fields.attend_type.default(2),
  contact: fields.contact.default(null),
  phone: fields.phone.default(''),
  participants: fields.participants.default(''),
  escort: fields.escort.default([]),
  need: fields.need.default([]),
  materials: fields.materials.default([]),
  visibility: fields.visibility.default(1),
  remind: fields.remind.default(usualReminders),
  remark: fields.remark.default(''),
  acting: trips.acting.default(null),
  approvers: trips.approvers.default([]),
  force,
});
export type ScheduleInput = z.output<typeof ScheduleInput>;

const Attend = PersonCard.extend({ state: int, note: z.string(), at: timestamp.nullable() });
export type Attend = z.output<typeof Attend>;
const row = titledAs(fields, {
  ...approvalRow,
  ticket_id: int.nullable(),
  type_id: int.meta(coded('类型', scheduleType.names)),
  title: z.string(),
  start_time: timestamp,
  end_time: timestamp,
  all_day: z.boolean(),
  address: z.string(),
  attend_type: int,
  phone: z.string(),
  participants: z.string(),
  visibility: int,
  remark: z.string(),
  changed_at: timestamp.nullable(),
  back_at: timestamp.nullable().meta(field('返回')),
  source_module: z.string(),
  source_path: z.string().meta(field('来源')),
  leaders_info: z.array(Attend).meta(field('领导')),
  contact_info: PersonCard.nullable().meta(field('联系人')),
  acting_info: PersonCard.nullable().meta(field('代行人')),
  run_status: int.meta(coded('状态', runStatus.names)),
  /** User names of its leaders who have another entry at that time. */
  clash: z.array(z.string()),
  /** New to me, or changed since I saw it. */
  unseen: z.boolean(),
  /** My acts besides those of its ticket: `reply`, `move`, `texts`, `remind`, `private`, `cancel`, `back`, `force`, `sms`. */
  can: z.array(z.string()),
  dept_name: z.string().meta(field('承办单位')),
});
export const ScheduleRow = z.object(row);
export type ScheduleRow = z.output<typeof ScheduleRow>;
const Changed = z.object({
  id: int,
  at: timestamp,
  by: z.string(),
  kind: z.string(),
  was: z.record(z.string(), z.unknown()),
  becomes: z.record(z.string(), z.unknown()),
  reason: z.string(),
});
export const ScheduleDetail = z.object({
  ...row,
  cancel_reason: z.string(),
  escort_info: z.array(PersonCard).meta(field('陪同')),
  approvers_info: z.array(PersonCard).meta(field('同意外出')),
  need: z.array(z.string()).meta(field('保障')),
  remind: z.array(int).meta(field('提前提醒')),
  materials_info: z.array(FileCard),
  /** The number of later weeks of the same repeat, which may be changed along. */
  later: int,
  changes: z.array(Changed),
  /** The time of the delegation made by this trip; null if there is none. */
  standing: z.object({ start: timestamp, end: timestamp, over: z.boolean() }).nullable().meta(field('代办')),
  /** Warnings about too short a way from or to neighbouring entries. */
  travel: z.array(z.string()),
});
export type ScheduleDetail = z.output<typeof ScheduleDetail>;

const query = (max: number) => z.coerce.number().int().min(0).max(max).optional();
const record = recordCalls(path, {
  noun: '领导日程',
  writing: '新增领导日程',
  page,
  input: ScheduleInput,
  once: { type_id: choice('类型', { 1: '领导日程', 2: '值班安排', 3: '外出报备' }).default(1) },
  row: ScheduleRow,
  detail: ScheduleDetail,
  sort: ['start_time', 'gmt_created'],
  /** `reply`: what waits for an answer of mine or of a leader I act for; `changed`: after they were approved; `side`: of leaders I act for; `along`: where I am the contact or go along. */
  categories: ['all', 'owner', 'duty', 'reply', 'changed', 'side', 'along'],
  filters: {
    type_id: query(3),
    start: boardDay.optional().meta({ title: '开始日期' }),
    end: boardDay.optional().meta({ title: '结束日期' }),
    leader: line(50).optional().meta({ title: '领导' }),
    dept: id.optional(),
    attend_type: query(9),
    run_status: query(3).meta({ title: '进度' }),
    visibility: query(3),
  },
});
const sheet: Exports = {
  page,
  title: '领导日程',
  columns: sheetColumns(ScheduleRow.shape, [
    'type_id',
    'start_time',
    'end_time',
    'leaders_info',
    'title',
    'address',
    'attend_type',
    'dept_name',
    'contact_info',
    'visibility',
    'run_status',
  ]),
};

/** The limit of weeks into which schedules are copied at once, and of copies. */
export const mostWeeks = 20;
export const mostCopies = 200;
const Busy = z.object({ leader: z.string(), start: timestamp, end: timestamp, label: z.string() });
export type Busy = z.output<typeof Busy>;
const reason = name(200).meta({ title: '原因' });
const scope = z
  .enum(['this', 'following'])
  .optional()
  .meta(field('范围', { kind: 'select', options: choicesOf(scopes), help: '不能改的那几周保持原样，并列出原因' }));
/** Later weeks of a repeat to which an act could not be done, with the reason. */
const left = z.array(z.object({ id: int, start_time: timestamp, msg: z.string() }));
export type Left = z.output<typeof left>;
const someLeft = z.object({ id: int, left });

export const scheduleCalls = {
  ...record,
  list: { ...record.list, exports: sheet },
  edit: call({
    method: 'PUT',
    path: `${one}edit/`,
    access: signedIn,
    summary: '修改已通过的领导日程',
    params: idParams,
    /** The kind is part of the approval, so sending it is refused by name. */
    body: z.object(fields).partial().strict().extend({ force, version, scope }),
    reply: someLeft,
    message: '日程已修改',
  }),
  copy: call({
    method: 'POST',
    path: `${path}copy/`,
    access: grant('Create', page),
    summary: '复制领导日程',
    body: z
      .object({
        ids: z.array(id).min(1, '请选择日程').max(100, '一次最多复制 100 项').meta({ title: '日程' }),
        /** The target week, given by one of its days; each copy keeps its weekday. */
        date: boardDay.meta({ title: '日期' }),
        /** The number of consecutive weeks, from that one on. */
        weeks: z.int().min(1).max(mostWeeks, `最多连续 ${mostWeeks} 周`).default(1).meta({ title: '连续周数' }),
      })
      .refine(({ ids, weeks }) => ids.length * weeks <= mostCopies, {
        path: ['weeks'],
        message: `一次最多复制 ${mostCopies} 项，请减少周数或日程`,
      }),
    reply: z.object({
      made: int,
      /** Entries that could not be copied, with the week and the reason. */
      left: z.array(z.object({ id: int, week: z.string(), msg: z.string() })),
    }),
    quiet: true,
  }),
  cancel: call({
    method: 'POST',
    path: `${one}cancel/`,
    access: signedIn,
    summary: '取消领导日程',
    params: idParams,
    body: z.object({ reason, scope }),
    reply: someLeft,
    message: '日程已取消',
  }),
  reply: call({
    method: 'PUT',
    path: `${one}reply/`,
    access: signedIn,
    summary: '答复领导日程',
    params: idParams,
    body: z
      .object({
        leader: name(50).optional().meta({ title: '领导' }),
        result: choice('答复', { 1: replyState.names[1], 2: replyState.names[2], 3: replyState.names[3] }),
        to: name(50).optional().meta({ title: '改派给' }),
        note: line(200).default('').meta({ title: '说明' }),
        force,
      })
      .refine((body) => body.result !== replyState.passesOn || body.to !== undefined, {
        path: ['to'],
        message: '请选择改派给哪位领导',
      }),
    reply: done,
    message: '已答复',
  }),
  back: call({
    method: 'POST',
    path: `${one}back/`,
    access: signedIn,
    summary: '外出销假',
    params: idParams,
    body: z.object({ at: localMoment.optional().meta({ title: '返回时间' }) }),
    reply: done,
    message: '已销假',
  }),
  busy: call({
    method: 'GET',
    path: `${path}busy/`,
    access: signedIn,
    summary: '查看领导忙闲',
    query: z.object({
      leaders: line(500),
      start: localMoment,
      end: localMoment,
      address: line(100).optional(),
      except: id.optional(),
      /** Common free times within working hours, as long as the requested time. */
      suggest: flag.default(false).meta({ title: '推荐共同空闲时间' }),
    }),
    reply: z.object({
      value: z.array(Busy),
      free: z.array(z.object({ start_time: timestamp, end_time: timestamp })),
      travel: z.array(z.string()),
    }),
    fresh: true,
  }),
  sms: call({
    method: 'POST',
    path: `${path}send/sms/`,
    access: grant('chuli', page),
    summary: '短信发送领导日程',
    body: z
      .object({
        ids: z.array(id).max(100, '最多 100 项').optional().meta({ title: '日程' }),
        date: boardDay.optional().meta({ title: '日期' }),
        users: people(200).optional().meta({ title: '接收人' }),
        preview: flag.default(false),
      })
      .refine((body) => body.ids !== undefined || body.date !== undefined, { path: ['date'], message: '请选择日期' }),
    reply: z.object({
      count: int,
      segments: int,
      failed: z.array(z.object({ name: z.string(), reason: z.string() })),
      texts: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  }),
};
