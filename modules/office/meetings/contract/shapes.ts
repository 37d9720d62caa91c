import { z } from 'zod';
import {
  actions,
  id,
  line,
  localMoment,
  name,
  personLine,
  personName,
  phone,
  telephone,
  text,
  timestamp,
  webAddress,
} from '#kernel/contract/shapes.ts';
import { coded, field, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { Audience, AudienceShown } from '#modules/platform/people/contract/audience.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalRow } from '#modules/workflow/records/contract.ts';
import { Repeat } from '#modules/platform/rooms/contract/repeat.ts';
import { materialsFor, meetMode, meetStatus, meetType, signMode } from './codes.ts';

const int = z.number().int();
const of = (codes: object) => z.literal(Object.keys(codes).map(Number) as [number, ...number[]]);
const files = z.array(id).max(20, '最多 20 个文件');
const person = id.nullable().optional();

const Topic = z.object({
  title: name(200).meta({ title: '议题' }),
  reporter: personLine(50).default('').meta({ title: '汇报人' }),
  minutes: z.int().min(1).max(600).nullable().default(null).meta({ title: '时长（分钟）' }),
  files: files.default([]).meta({ title: '附件' }),
});
export type Topic = z.output<typeof Topic>;
const Guest = z.object({
  /** The id of an existing guest; without a mobile number it keeps its own. */
  id: id.optional(),
  name: personName(30).meta({ title: '姓名' }),
  org: line(60).default('').meta({ title: '单位' }),
  mobile: phone.or(z.literal('')).default('').meta({ title: '手机号' }),
});
export type Guest = z.output<typeof Guest>;

/** All fields that a writer sets. Absent fields stay as they are. */
export const MeetInput = z.object({
  title: name(100).meta(field('会议名称')),
  type_id: of(meetType.names)
    .optional()
    .meta(coded('会议类型', meetType.names, { short: '类型' })),
  mode: of(meetMode.names)
    .optional()
    .meta(coded('会议形式', meetMode.names, { short: '形式' })),
  room_id: id.nullable().optional().meta({ title: '会议室' }),
  location: line(100).optional().meta({ title: '其他地点' }),
  online_url: webAddress(300).unwrap().optional().meta({ title: '线上会议链接' }),
  start_time: localMoment.nullable().optional().meta({ title: '开始时间' }),
  end_time: localMoment.nullable().optional().meta({ title: '结束时间' }),
  host_id: person.meta({ title: '主持人' }),
  dept_id: person.meta({ title: '主办部门' }),
  contact_id: person.meta({ title: '联系人' }),
  contact_phone: telephone(30).optional().meta({ title: '联系电话' }),
  recorder_id: person.meta({ title: '记录人' }),
  audience: Audience.optional().meta({ title: '参会人员' }),
  observers: z.array(id).max(500).optional().meta({ title: '列席人员' }),
  guests: z.array(Guest).max(200, '最多 200 人').optional().meta({ title: '校外人员' }),
  agenda: text(20_000).optional().meta({ title: '议程' }),
  topics: z.array(Topic).max(50, '最多 50 个议题').optional().meta({ title: '议题' }),
  requirements: text(500).optional().meta({ title: '服务需求' }),
  materials: files.optional().meta({ title: '会议材料' }),
  materials_acl: of(materialsFor.names).optional().meta({ title: '材料可见范围' }),
  is_public: z.boolean().optional().meta({ title: '公示' }),
  sign_mode: of(signMode.names).optional().meta({ title: '签到方式' }),
  sign_before_min: z.int().min(0).max(240).optional().meta({ title: '提前签到（分钟）' }),
  late_after_min: z.int().min(0).max(120).optional().meta({ title: '迟到计算（分钟）' }),
  remind: z.array(z.int().min(5).max(10_080)).max(5, '最多 5 次').optional().meta({ title: '会前提醒（分钟）' }),
  sms: z.boolean().optional().meta({ title: '短信提醒' }),
  notify: z.boolean().optional().meta({ title: '通过后即通知' }),
  /** Confirms a room with fewer seats than people. */
  confirm: z.boolean().optional().meta({ title: '超员仍使用' }),
  /** The rule of repetition, null for none. Absent means unchanged. */
  repeat: Repeat.nullable().optional().meta({ title: '重复' }),
});
export type MeetInput = z.output<typeof MeetInput>;

const row = titledAs(MeetInput.shape, {
  ...approvalRow,
  /** A date of a repeat has the ticket of the first date. */
  ticket_id: int.nullable(),
  title: z.string(),
  type_id: int,
  mode: int,
  room_id: int.nullable(),
  room_name: z.string().meta(field('会议室')),
  location: z.string(),
  start_time: timestamp.nullable(),
  end_time: timestamp.nullable(),
  host_info: PersonCard.nullable().meta(field('主持人')),
  dept_id: int.nullable(),
  dept_name: z.string().meta(field('主办部门')),
  attend_count: int.meta(field('人数')),
  /** The numbers of people invited, coming, excused, without an answer, signed in. */
  asked: int.meta(field('通知人数')),
  coming: int.meta(field('参加')),
  excused: int.meta(field('请假')),
  unanswered: int.meta(field('未回复')),
  signed: int.meta(field('签到')),
  meet_status: int.meta(coded('会议状态', meetStatus.names)),
  /** True while a change of time or room waits for approval. */
  change_pending: z.boolean(),
  series_id: int.nullable(),
});
export const MeetRow = z.object(row);
export type MeetRow = z.output<typeof MeetRow>;

/** The viewer's own part in a meeting. */
export const Mine = z.object({
  role: int,
  reply: int,
  reply_reason: z.string(),
  substitute_info: PersonCard.nullable(),
  substitute_state: int.nullable(),
  /** The person for whom I am asked to substitute. */
  for_info: PersonCard.nullable(),
  sign_state: int,
  sign_time: timestamp.nullable(),
});
export const AttendRow = z.object({ ...row, mine: Mine.meta(field('我的回复')) });
export type AttendRow = z.output<typeof AttendRow>;

export const Attendee = z.object({
  user_info: PersonCard.meta(field('姓名')),
  role: int.meta(field('身份')),
  told_at: timestamp.nullable(),
  reply: int.meta(field('回执')),
  reply_reason: z.string(),
  reply_time: timestamp.nullable(),
  substitute_info: PersonCard.nullable(),
  substitute_state: int.nullable(),
  sign_state: int.meta(field('签到')),
  sign_time: timestamp.nullable(),
  sign_method: int.nullable(),
  /** True if their device signed in somebody else, too. */
  same_device: z.boolean(),
});
export type Attendee = z.output<typeof Attendee>;

export const MeetChange = z.object({
  id: int,
  ticket_id: int.nullable(),
  act_state: int,
  start_time: timestamp,
  end_time: timestamp,
  room_id: int.nullable(),
  room_name: z.string(),
  reason: z.string(),
  actions,
});

export const MeetDetail = z.object({
  ...row,
  ...titledAs(MeetInput.shape, {
    online_url: z.string(),
    host_id: int.nullable(),
    contact_id: int.nullable(),
    contact_info: PersonCard.nullable().meta(field('联系人')),
    contact_phone: z.string(),
    recorder_id: int.nullable(),
    recorder_info: PersonCard.nullable().meta(field('记录人')),
    audience: AudienceShown,
    observers: z.array(int),
    observers_info: z.array(PersonCard).meta(field('列席人员')),
    guests: z.array(z.object({ id: int, name: z.string(), org: z.string(), mobile_tail: z.string().nullable() })),
    agenda: z.string(),
    topics: z.array(Topic.extend({ files_info: z.array(FileCard) })),
    requirements: z.string(),
    materials: z.array(int),
    materials_info: z.array(FileCard),
    materials_acl: int,
    is_public: z.boolean(),
    sign_mode: int,
    sign_before_min: int,
    late_after_min: int,
    remind: z.array(int),
    sms: z.boolean(),
    notify: z.boolean(),
    cancel_reason: z.string(),
    released: z.boolean(),
    actual_start: timestamp.nullable(),
    actual_end: timestamp.nullable(),
    checked_in_at: timestamp.nullable(),
    /** The time by which somebody must check in, or the room is released. */
    checkin_until: timestamp.nullable().meta(field('到场确认')),
    original_start: timestamp.nullable(),
    mine: Mine.nullable().meta(field('我的回复')),
    change: MeetChange.nullable(),
    /** Attendees with their answers, for those who run the meeting. */
    attendees: z.array(Attendee).nullable(),
  }),
});
export type MeetDetail = z.output<typeof MeetDetail>;

const Slot = z.object({ start_time: timestamp, end_time: timestamp, room_name: z.string() });
/** A change as its approver reads it: the present slot and the requested one. */
export const ChangeDetail = z.object({
  ...approvalRow,
  title: z.string().meta(field('会议')),
  meet_id: int,
  reason: z.string().meta(field('原因')),
  was: Slot.meta(field('原安排')),
  becomes: Slot.meta(field('改为')),
});
export type ChangeDetail = z.output<typeof ChangeDetail>;
