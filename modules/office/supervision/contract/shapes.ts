import { z } from 'zod';
import { actions, day, id, localMoment, name, partialOf, text, timestamp, version } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { choice, coded, field } from '#kernel/contract/titles.ts';
import {
  feedbackCycle,
  itemState,
  requestKind,
  requestState,
  sheetColour,
  superviseLevel,
  superviseLight,
  superviseSource,
} from './codes.ts';

const int = z.number().int();
const maybe = timestamp.nullable();
const words = z.string();
const person = PersonCard.nullable();
const people = z.array(PersonCard);
/** Repeats one schema for several keys. */
const each = <S extends z.ZodType, K extends string>(schema: S, ...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>;
/** The same, with a title for each. */
const called = <S extends z.ZodType, K extends string>(schema: S, titles: Record<K, string>) =>
  Object.fromEntries(Object.entries<string>(titles).map(([key, title]) => [key, schema.meta(field(title))])) as Record<
    K,
    S
  >;
export const codeOf = (names: Readonly<Record<number, string>>) =>
  z.coerce
    .number()
    .int()
    .refine((code) => code in names, '没有这一项，请重新选择');
export const files = z.array(id).max(20, '最多 20 个附件').default([]).meta({ title: '附件' });
export const reason = name(500).meta({ title: '原因' });
export const due = localMoment.meta({ title: '时限' });
const due_reason = text(500).optional().meta({ title: '调整原因' });

export const StageInput = z.object({
  title: name(60).meta({ title: '阶段' }),
  day: day.meta({ title: '计划完成日' }),
  weight: int.min(1).max(100).meta({ title: '权重（%）' }),
  evidence: z.boolean().default(false).meta({ title: '须佐证' }),
});
export const SubInput = z.object({
  title: name(120).meta({ title: '任务' }),
  content: text(4000).default('').meta({ title: '要求' }),
  dept: id.optional().meta({ title: '承办部门' }),
  owner: id.meta({ title: '责任人' }),
  co_users: z.array(id).max(50, '最多 50 人').default([]).meta({ title: '协办人' }),
  due_at: due,
  weight: int.min(1).max(100).default(1).meta({ title: '权重' }),
  stages: z.array(StageInput).max(20, '最多 20 个阶段').default([]).meta({ title: '阶段' }),
});
export type SubInput = z.output<typeof SubInput>;
/** The source of an item: one decision (`key`) of a record makes one item, however often it is raised. */
export const Source = z.object({ module: name(30), id, key: text(60).default('') });
const Item = z.object({
  title: name(120).meta({ title: '事项' }),
  source: choice('来源', superviseSource.names),
  content: text(20_000).default('').meta({ title: '内容' }),
  requirement: text(4000).default('').meta({ title: '办理要求' }),
  leader: id.nullish().meta({ title: '批示领导' }),
  lead_dept: id.nullish().meta({ title: '主办部门' }),
  co_depts: z.array(id).max(50, '最多 50 个部门').default([]).meta({ title: '协办部门' }),
  owner: id.nullish().meta({ title: '责任人' }),
  supervisor: id.nullish().meta({ title: '督办人' }),
  level: choice('级别', superviseLevel.names, { help: '紧急事项的办结、终止和延期由批示领导决定' }).default(1),
  start_date: day.nullish().meta({ title: '开始日期' }),
  due_at: localMoment.nullish().meta({ title: '时限' }),
  feedback_cycle: choice('反馈周期', feedbackCycle.names).default(0),
  is_public: z
    .boolean()
    .default(false)
    .meta(field('公开', { help: '公开后人人可见标题、部门、时限、灯和认可的进度，看不到反馈内容' })),
  attachments: files,
});
export const ItemInput = Item.extend({
  from: Source.optional(),
  subs: z.array(SubInput).max(100, '最多 100 项子任务').default([]).meta({ title: '分解' }),
});
export type ItemInput = z.output<typeof ItemInput>;
export const SubChange = z.object({ ...partialOf(SubInput.shape), due_reason, version });
export const ItemChange = z.object({ ...partialOf(Item.shape), due_reason, version });

const common = {
  ...each(int, 'id', 'level', 'version'),
  progress: int.meta(field('认可进度', { short: '进度' })),
  status: int.meta(field('状态')),
  ...called(maybe, { due_at: '时限', first_due_at: '原定时限', last_report: '最近反馈' }),
  next_feedback: maybe.meta(field('下次反馈')),
  light: int.meta(coded('灯', superviseLight.names)),
  title: words,
  owner: int.nullable(),
  owner_info: person.meta(field('责任人')),
  /** The percent that should be done by now. */
  expected: int,
  /** The blue, yellow and red sheets. */
  urges: z.array(int).meta(field('督办单')),
  /** True if the viewer may read all details. */
  inside: z.boolean(),
  actions,
};
/** A part in lists and pages; the details are empty for viewers who may not read them. */
export const SubRow = z.object({
  ...common,
  title: words.meta(field('任务')),
  ...each(int, 'supervise_id', 'dept', 'weight'),
  ...called(words, { supervise_title: '所属事项', dept_name: '承办部门' }),
  ...each(words, 'supervise_sn', 'content'),
  ...each(maybe, 'opened_at', 'rested_at'),
  co_users: z.array(int),
  co_info: people,
  stages: z.array(StageInput.extend({ no: int, done_at: maybe })),
});
export type SubRow = z.output<typeof SubRow>;
export const ItemRow = z.object({
  ...common,
  title: words.meta(field('事项')),
  status: int.meta(coded('状态', itemState.names)),
  ...called(words, { sn: '编号', lead_dept_name: '主办部门' }),
  source_key: words,
  source: int.meta(coded('来源', superviseSource.names)),
  feedback_cycle: int.meta(coded('反馈周期', feedbackCycle.names)),
  subs_total: int,
  subs_done: int.meta(field('子任务')),
  ...each(int.nullable(), 'source_id', 'lead_dept'),
  ...each(words.nullable(), 'source_module', 'start_date', 'issue_at', 'finish_at'),
  leader_info: person.meta(field('批示领导')),
  supervisor_info: person.meta(field('督办人')),
  is_public: z.boolean(),
  score: z.number().nullable(),
  gmt_created: timestamp,
  /** The parts the viewer sees, if requested. */
  subs: z.array(SubRow).optional(),
});
export type ItemRow = z.output<typeof ItemRow>;
const PlanRow = z.object({
  ...each(timestamp, 'due_at', 'gmt_created', 'reason'),
  id: int,
  sub_id: int.nullable(),
  due_from: maybe,
  by_info: person,
});
export const ItemDetail = ItemRow.extend({
  ...each(words, 'content', 'requirement', 'finish_note'),
  ...each(z.array(int), 'co_depts', 'attachments'),
  ...each(person, 'creator_info', 'finish_info'),
  leader: int.nullable(),
  supervisor: int.nullable(),
  co_dept_names: z.array(words).meta(field('协办部门')),
  files: z.array(FileCard),
  finished_late: z.boolean(),
  reopened: int.meta(field('回头看')),
  subs: z.array(SubRow),
  plans: z.array(PlanRow),
  /** The people concerned who have not opened it since it was issued. */
  unopened: people.meta(field('未打开')),
});
export type ItemDetail = z.output<typeof ItemDetail>;

/** The common fields of a part's reports, opinions, requests and sheets. */
const hung = {
  ...each(int, 'id', 'supervise_id', 'sub_id'),
  ...called(words, { supervise_title: '事项', sub_title: '任务' }),
  gmt_created: timestamp,
  actions,
};
export const ProgressRow = z.object({
  ...hung,
  gmt_created: timestamp.meta(field('反馈时间')),
  ...each(int, 'before', 'check_state'),
  percent: int.meta(field('进度')),
  ...called(words, { content: '已完成', check_due: '审核期限' }),
  ...each(words, 'problem', 'next_plan', 'reason', 'check_opinion'),
  reporter_info: person.meta(field('反馈人')),
  ...each(person, 'reporter_for_info', 'checker_info', 'checker_for_info'),
  stages: z.array(int),
  is_finish: z.boolean(),
  files: z.array(FileCard),
  check_time: maybe,
});
export type ProgressRow = z.output<typeof ProgressRow>;
export const RequestRow = z.object({
  ...hung,
  gmt_created: timestamp.meta(field('申请时间')),
  kind: int.meta(coded('申请', requestKind.names)),
  state: int.meta(coded('结果', requestState.names)),
  reason: words.meta(field('原因')),
  ...each(words, 'done_so_far', 'opinion'),
  apply_due: maybe.meta(field('申请延至')),
  decided_at: maybe,
  by_info: person.meta(field('申请人')),
  ...each(person, 'to_info', 'by_for_info', 'decider_info'),
  files: z.array(FileCard),
});
export type RequestRow = z.output<typeof RequestRow>;
export const SheetRow = z.object({
  ...hung,
  gmt_created: timestamp.meta(field('签发时间')),
  ...called(words, { no: '编号', content: '内容' }),
  ...each(words, 'dept_name', 'answer'),
  owner_info: person.meta(field('责任人')),
  ...each(person, 'issuer_info', 'received_by_info'),
  answer_by: maybe,
  received_at: maybe.meta(field('签收')),
  colour: int.meta(coded('颜色', sheetColour.names)),
});
export type SheetRow = z.output<typeof SheetRow>;
export const OpinionRow = z.object({
  ...hung,
  sub_id: int.nullable(),
  type: int,
  content: words,
  author_info: person,
  at_users_info: people,
});
export type OpinionRow = z.output<typeof OpinionRow>;
