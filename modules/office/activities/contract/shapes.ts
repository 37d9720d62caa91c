import { z } from 'zod';
import { money } from '#kernel/contract/money/money.ts';
import {
  codesOf,
  id,
  line,
  localMoment,
  name,
  personName,
  telephone,
  text,
  timestamp,
  webAddress,
} from '#kernel/contract/shapes.ts';
import { coded, field, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalRow } from '#modules/workflow/records/contract.ts';
import { activityAudience, activityStatus, activityType, nations, needs, type Review, reviewKeys } from './codes.ts';

const int = z.number().int();
const count = int.min(0, '不能小于 0').max(100_000, '人数过多，请核对');
const files = (most: number) => z.array(id).max(most, `最多 ${most} 个文件`).optional();

/** A speaker. `note_of` is an earlier visit whose background note holds for this one too. */
export const Guest = z.object({
  name: personName(50).meta({ title: '姓名' }),
  org: line(100).default('').meta({ title: '单位' }),
  title: line(50).default('').meta({ title: '职务职称' }),
  nationality: z.enum(nations, '请选择国籍').default('CN').meta({ title: '国籍' }),
  topic: line(200).default('').meta({ title: '题目' }),
  is_external: z.boolean().default(true).meta({ title: '校外' }),
  phone: telephone(30).default('').meta({ title: '联系电话' }),
  background: text(2000).default('').meta({ title: '背景说明' }),
  note_of: id.nullable().default(null),
});
export type Guest = z.output<typeof Guest>;

/** The fields that may change without a new round. */
export const freeShape = {
  phone: telephone(30).optional().meta({ title: '联系电话' }),
  safety_officer: id.nullable().optional().meta({ title: '安全负责人' }),
  safety_phone: telephone(30).optional().meta({ title: '安全负责人电话' }),
  poster: files(9).meta({ title: '海报' }),
  publicity_plan: line(300).optional().meta({ title: '宣传安排' }),
  attachments: files(20).meta({ title: '附件' }),
};
/** All fields of a declaration, in the order of its form; required ones are checked when it is sent. */
export const ActivityInput = z.object({
  title: name(100).meta(field('活动名称', { short: '名称' })),
  type_id: codesOf(activityType.names)
    .nullable()
    .optional()
    .meta(coded('活动类型', activityType.names, { short: '类型' })),
  is_social_science: z.boolean().optional().meta({ title: '哲学社会科学类' }),
  audience: codesOf(activityAudience.names).nullable().optional().meta({ title: '面向' }),
  dept_id: id.nullable().optional().meta({ title: '主办部门' }),
  co_orgs: line(200).optional().meta({ title: '协办、承办单位' }),
  undertaker: id.nullable().optional().meta({ title: '承办人' }),
  phone: freeShape.phone,
  content: text(5000).optional().meta({ title: '内容与议程' }),
  start_time: localMoment.nullable().optional().meta({ title: '开始时间' }),
  end_time: localMoment.nullable().optional().meta({ title: '结束时间' }),
  urgent_reason: line(300).optional().meta({ title: '急办原因' }),
  room_id: id.nullable().optional().meta({ title: '会议室' }),
  location: line(100).optional().meta({ title: '地点' }),
  is_online: z.boolean().optional().meta({ title: '线上同步' }),
  online_platform: line(50).optional().meta({ title: '线上平台' }),
  online_link: webAddress(300).unwrap().optional().meta({ title: '线上链接' }),
  online_admits: line(50).optional().meta({ title: '线上入场审核人' }),
  in_count: count.nullable().optional().meta({ title: '校内人数' }),
  out_count: count.nullable().optional().meta({ title: '校外人数' }),
  has_overseas: z.boolean().optional().meta({ title: '有境外人员' }),
  leaders: z.array(id).max(20, '最多 20 位').optional().meta(field('出席校领导')),
  guests: z.array(Guest).max(50, '最多 50 位').optional().meta({ title: '嘉宾' }),
  budget: money.nullable().optional().meta({ title: '预算' }),
  fund_source: line(100).optional().meta({ title: '经费来源' }),
  need: z
    .array(z.enum(Object.keys(needs) as [keyof typeof needs]))
    .optional()
    .meta({ title: '保障需求' }),
  safety_plan: id.nullable().optional().meta({ title: '安全预案' }),
  safety_officer: freeShape.safety_officer,
  safety_phone: freeShape.safety_phone,
  media_report: z.boolean().optional().meta({ title: '新闻报道' }),
  poster: freeShape.poster,
  publicity_plan: freeShape.publicity_plan,
  attachments: freeShape.attachments,
});
export type ActivityInput = z.output<typeof ActivityInput>;

/** A review that is required, with the reason and its name in the published workflow. */
export const Step = z.object({ key: z.string(), name: z.string(), why: z.string() });
/** The verdict of the rules on an activity. */
export const Verdict = z.object({
  ...(Object.fromEntries(reviewKeys.map((key) => [`need_${key}`, z.boolean()])) as Record<
    `need_${Review}`,
    z.ZodBoolean
  >),
  /** The reason for each required review. */
  why: z.record(z.string(), z.string()),
  lead_days: int,
  /** The moment from which the lead time counts, null if that is the moment of judging. */
  since: z.string().nullable(),
  /** The first day on which it may be held without being urgent. */
  earliest: z.string(),
  foreign: z.boolean(),
  late: z.boolean(),
  /** True if it is too late but has a reason that lets it pass. */
  urgent: z.boolean(),
  missing: z.array(z.object({ field: z.string(), label: z.string(), msg: z.string() })),
  /** Warnings to be read before it is sent. */
  warnings: z.array(z.string()),
});
export type Verdict = z.output<typeof Verdict>;

const words = z.string().nullable();
export const ActivityRow = z.object(
  titledAs(ActivityInput.shape, {
    ...approvalRow,
    title: z.string(),
    type_id: int.nullable(),
    dept_id: int.nullable(),
    dept_name: z.string().meta(field('主办部门')),
    start_time: words,
    end_time: words,
    location: z.string(),
    in_count: int.nullable(),
    out_count: int.nullable(),
    leader_names: z.array(z.string()).meta(field('出席领导')),
    urgent: z.boolean(),
    has_foreign: z.boolean(),
    has_external: z.boolean(),
    activity_status: int.meta(coded('活动状态', activityStatus.names)),
    /** The day on which its summary is due, while it is due. */
    summary_due: words,
    changing: z.boolean(),
  }),
);
export type ActivityRow = z.output<typeof ActivityRow>;

/** `background` and `phone` are empty for viewers without a part in the review; `noted` says that there is a note. */
export const GuestShown = Guest.extend({ id: int, noted: z.string() });
export const FieldChange = z.object({
  label: z.string().meta(field('项目')),
  was: z.string().meta(field('现在')),
  becomes: z.string().meta(field('变更为')),
});
export const ActivityDetail = z.object({
  ...ActivityInput.shape,
  ...ActivityRow.shape,
  guests: z.array(GuestShown),
  leaders_info: z.array(PersonCard),
  /** The answer of each leader, and who comes instead. */
  leader_answers: z.array(z.object({ schedule_id: int, alias: z.string(), declined: z.boolean(), words: z.string() })),
  undertaker_info: PersonCard.nullable().meta(field('承办人')),
  safety_officer_info: PersonCard.nullable().meta(field('安全负责人')),
  room_name: z.string(),
  files: z.array(FileCard),
  /** The number of overdue summaries of the department. */
  late_summaries: int,
  /** The verdict of each round. */
  rounds: z.array(
    z.object({ round: int, of_change: z.boolean(), judged_at: timestamp, rule_version: int, verdict: Verdict }),
  ),
  steps: z.array(Step),
  change: z
    .object({
      id: int,
      ticket_id: int.nullable(),
      act_state: int,
      reason: z.string(),
      fields: z.array(FieldChange),
      own: z.boolean(),
    })
    .nullable(),
  summary: z.string(),
  actual_in: int.nullable(),
  actual_out: int.nullable(),
  news_link: z.string(),
  no_photos: z.boolean(),
  summary_return: z.string(),
  cancel_reason: z.string(),
});
export type ActivityDetail = z.output<typeof ActivityDetail>;
