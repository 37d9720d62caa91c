import { z } from 'zod';
import { actions, day, id, localMoment, name, partialOf, text, timestamp, version } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { feedbackCycle, superviseLevel, superviseSource } from './codes.ts';

const int = z.number().int();
const maybe = timestamp.nullable();
const words = z.string();
const person = PersonCard.nullable();
const people = z.array(PersonCard);
/** Fields that are alike. */
const each = <S extends z.ZodType, K extends string>(schema: S, ...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>;
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
/** Where an item comes from: one decision (`key`) of a record makes one item, however often it is asked for. */
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
  ...each(int, 'id', 'progress', 'status', 'light', 'level', 'version'),
  ...each(maybe, 'due_at', 'first_due_at', 'last_report', 'next_feedback'),
  title: words,
  owner: int.nullable(),
  owner_info: person,
  /** What should be done by now, in percent. */
  expected: int,
  /** Blue, yellow and red sheets. */
  urges: z.array(int),
  /** Whether all that hangs on it may be read. */
  inside: z.boolean(),
  actions,
};
/** A part as lists and pages show it; what only those inside may know is empty for others. */
export const SubRow = z.object({
  ...common,
  ...each(int, 'supervise_id', 'dept', 'weight'),
  ...each(words, 'supervise_title', 'supervise_sn', 'content', 'dept_name'),
  ...each(maybe, 'opened_at', 'rested_at'),
  co_users: z.array(int),
  co_info: people,
  stages: z.array(StageInput.extend({ no: int, done_at: maybe })),
});
export type SubRow = z.output<typeof SubRow>;
export const ItemRow = z.object({
  ...common,
  ...each(words, 'sn', 'source_key', 'lead_dept_name'),
  ...each(int, 'source', 'feedback_cycle', 'subs_total', 'subs_done'),
  ...each(int.nullable(), 'source_id', 'lead_dept'),
  ...each(words.nullable(), 'source_module', 'start_date', 'issue_at', 'finish_at'),
  ...each(person, 'leader_info', 'supervisor_info'),
  is_public: z.boolean(),
  score: z.number().nullable(),
  gmt_created: timestamp,
  /** The parts a viewer sees, where they were asked for. */
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
  co_dept_names: z.array(words),
  files: z.array(FileCard),
  finished_late: z.boolean(),
  reopened: int,
  subs: z.array(SubRow),
  plans: z.array(PlanRow),
  /** Whom it concerns and who has not opened it since it was issued. */
  unopened: people,
});
export type ItemDetail = z.output<typeof ItemDetail>;

/** What hangs on a part. */
const hung = {
  ...each(int, 'id', 'supervise_id', 'sub_id'),
  ...each(words, 'supervise_title', 'sub_title', 'gmt_created'),
  actions,
};
export const ProgressRow = z.object({
  ...hung,
  ...each(int, 'before', 'percent', 'check_state'),
  ...each(words, 'content', 'problem', 'next_plan', 'reason', 'check_opinion', 'check_due'),
  ...each(person, 'reporter_info', 'reporter_for_info', 'checker_info', 'checker_for_info'),
  stages: z.array(int),
  is_finish: z.boolean(),
  files: z.array(FileCard),
  check_time: maybe,
});
export type ProgressRow = z.output<typeof ProgressRow>;
export const RequestRow = z.object({
  ...hung,
  ...each(int, 'kind', 'state'),
  ...each(words, 'reason', 'done_so_far', 'opinion'),
  ...each(maybe, 'apply_due', 'decided_at'),
  ...each(person, 'to_info', 'by_info', 'by_for_info', 'decider_info'),
  files: z.array(FileCard),
});
export type RequestRow = z.output<typeof RequestRow>;
export const SheetRow = z.object({
  ...hung,
  ...each(words, 'no', 'content', 'dept_name', 'answer'),
  ...each(person, 'owner_info', 'issuer_info', 'received_by_info'),
  ...each(maybe, 'answer_by', 'received_at'),
  colour: int,
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
