import { z } from 'zod';
import { day, flag, id, line, name, text } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { Audience, AudienceShown } from '#modules/platform/people/contract/audience.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { Paper } from './list.ts';

const int = z.number().int();
const maybeInt = int.nullable();
const words = z.string().nullable();

const option = z.int().min(0).max(3);
/** A question about a paper; `answer` is the index of the right option, from 0. */
const Question = z
  .object({
    question: name(200).meta({ title: '题目' }),
    options: z.array(name(100)).min(2, '至少 2 个选项').max(4, '最多 4 个选项').meta({ title: '选项' }),
    answer: option.meta({ title: '正确选项' }),
  })
  .refine((one) => one.answer < one.options.length, { path: ['answer'], message: '请选出正确选项' });
export type Question = z.output<typeof Question>;
export const Answers = z.array(option).max(3).optional().meta({ title: '小测答案' });

const maybeDay = day.nullable().optional();
/** All fields of a paper that its writer sets, apart from its status. */
export const PaperInput = z.object({
  title: name(150).meta({ title: '标题' }),
  category_id: id.meta({ title: '分类' }),
  fwh: line(60).optional().meta({ title: '发文字号' }),
  dept: id.meta({ title: '发布部门' }),
  publish_date: day.meta({ title: '发布日期' }),
  effective_date: maybeDay.meta({ title: '生效日期' }),
  expire_date: maybeDay.meta({ title: '失效日期' }),
  content: text(200_000).optional().meta({ title: '正文' }),
  file: id.nullable().optional().meta({ title: '正文文件' }),
  attachments: z.array(id).max(20, '最多 20 个附件').optional().meta({ title: '附件' }),
  keywords: line(200).optional().meta({ title: '关键词' }),
  scope: Audience.meta({ title: '阅读范围' }),
  must_read: flag.optional().meta({ title: '必读' }),
  read_deadline: maybeDay.meta({ title: '阅读期限' }),
  quiz: z.array(Question).max(3, '最多 3 题').optional().meta({ title: '阅读小测' }),
  top: flag.optional().meta({ title: '置顶' }),
});
export type PaperInput = z.output<typeof PaperInput>;

/** A version in a chain of revisions, or a paper that is cited although it is no longer in force. */
const PaperVersion = Paper.pick({
  id: true,
  title: true,
  fwh: true,
  version_no: true,
  status: true,
  publish_date: true,
});
const Outdated = Paper.pick({ id: true, title: true, fwh: true, status: true });
export type Outdated = z.output<typeof Outdated>;

export const PaperDetail = Paper.extend({
  creator_info: PersonCard.nullable(),
  content: z.string(),
  file: maybeInt,
  file_info: FileCard.nullable(),
  attachments: z.array(int),
  attachments_info: z.array(FileCard),
  /** Its audience; shown to those who manage it. */
  scope: AudienceShown.nullable(),
  /** The questions for readers; the right option is shown to those who manage the paper. */
  quiz: z.array(z.object({ question: z.string(), options: z.array(z.string()), answer: maybeInt })),
  /** The ticket that approves it; the viewer may not be allowed to see it. */
  ticket_id: maybeInt,
  /** True if its text was approved: title, text and attachments change only by a revision. */
  approved: z.boolean(),
  /** True if it needs approval to be published. */
  needs_approval: z.boolean(),
  /** Papers cited in its text that are no longer in force, if the person may see them. */
  outdated: z.array(Outdated),
  source_document_id: maybeInt,
  repeal_reason: words,
  repeal_date: words,
  replace_id: maybeInt,
  /** All versions that I see, the newest first, including this one. */
  versions: z.array(PaperVersion),
});
export type PaperDetail = z.output<typeof PaperDetail>;
