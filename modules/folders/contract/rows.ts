import { z } from 'zod';
import { actions, day, flag, id, line, name, text } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/files/contract.ts';
import { PersonCard } from '#modules/people/contract/cards.ts';
import { Paper } from './list.ts';
import { Asked, Quiz } from './quiz.ts';

export const paperStatus = { draft: 0, inForce: 1, revised: 2, repealed: 3 } as const;
export const maxLevels = 4;

const someone = z.array(id).max(500, '最多选择 500 项').default([]);
export const Scope = z.object({ all: flag.default(false), depts: someone, roles: someone, users: someone });
export type Scope = z.output<typeof Scope>;

export const CategoryInput = z.object({
  name: name(30).meta({ title: '分类名称' }),
  code: line(20).optional().meta({ title: '分类编码' }),
  parent: z.coerce.number().int().min(0).max(2_147_483_647).nullable().optional().meta({ title: '上级分类' }),
  scope: z.array(id).max(200, '最多选择 200 个部门').optional().meta({ title: '可见部门' }),
  managers: z.array(z.string().max(50)).max(20, '最多 20 人').optional().meta({ title: '分类管理员' }),
  order_id: z.coerce.number().int().min(0).max(1_000_000).optional().meta({ title: '排序' }),
  status: flag.optional().meta({ title: '启用' }),
  workflow_id: id.nullable().optional().meta({ title: '发布审批流程' }),
});
export type CategoryInput = z.output<typeof CategoryInput>;

export interface CategoryNode {
  id: number;
  name: string;
  code: string;
  /** 0 at the top. */
  parent: number;
  order_id: number;
  status: boolean;
  /** Decides whether its papers are published; null: as the category above says. Its name is told to those who file papers. */
  workflow_id: number | null;
  workflow_name: string;
  /** Papers in force that I see, here and below. */
  count: number;
  scope: number[];
  scope_names: string[];
  managers: string[];
  managers_info: PersonCard[];
  version: number;
  actions: string[];
  children: CategoryNode[];
}
export const CategoryNode: z.ZodType<CategoryNode> = z.object({
  id: z.number().int(),
  name: z.string(),
  code: z.string(),
  parent: z.number().int(),
  order_id: z.number().int(),
  status: z.boolean(),
  workflow_id: z.number().int().nullable(),
  workflow_name: z.string(),
  count: z.number().int(),
  scope: z.array(z.number().int()),
  scope_names: z.array(z.string()),
  managers: z.array(z.string()),
  managers_info: z.array(PersonCard),
  version: z.number().int(),
  actions,
  get children() {
    return z.array(CategoryNode);
  },
});

const maybeDay = day.nullable().optional();
/** Everything a writer may say of a paper but its state. */
export const PaperInput = z.object({
  title: name(150).meta({ title: '标题' }),
  category_id: id.meta({ title: '分类' }),
  fwh: line(60).optional().meta({ title: '发文号' }),
  dept: id.meta({ title: '发布部门' }),
  publish_date: day.meta({ title: '发布日期' }),
  effective_date: maybeDay.meta({ title: '生效日期' }),
  expire_date: maybeDay.meta({ title: '失效日期' }),
  content: text(200_000).optional().meta({ title: '正文' }),
  file: id.nullable().optional().meta({ title: '正文文件' }),
  attachments: z.array(id).max(20, '最多 20 个附件').optional().meta({ title: '附件' }),
  keywords: line(200).optional().meta({ title: '关键词' }),
  scope: Scope.meta({ title: '阅读范围' }),
  must_read: flag.optional().meta({ title: '必读' }),
  read_deadline: maybeDay.meta({ title: '阅读期限' }),
  quiz: Quiz.optional(),
  top: flag.optional().meta({ title: '置顶' }),
});
export type PaperInput = z.output<typeof PaperInput>;

/** One of a chain of revisions. */
export const PaperVersion = z.object({
  id: z.number().int(),
  title: z.string(),
  fwh: z.string(),
  version_no: z.number().int(),
  status: z.number().int(),
  publish_date: z.string(),
});
export type PaperVersion = z.output<typeof PaperVersion>;

/** A paper that is cited although it was revised or repealed. */
export const Outdated = z.object({
  id: z.number().int(),
  title: z.string(),
  fwh: z.string(),
  status: z.number().int(),
});
export type Outdated = z.output<typeof Outdated>;

export const PaperDetail = Paper.extend({
  creator_info: PersonCard.nullable(),
  content: z.string(),
  file: z.number().int().nullable(),
  file_info: FileCard.nullable(),
  attachments: z.array(z.number().int()),
  attachments_info: z.array(FileCard),
  /** Whom it is meant for; told to those who manage it. */
  scope: z
    .object({
      all: z.boolean(),
      depts: z.array(z.number().int()),
      roles: z.array(z.number().int()),
      users: z.array(z.number().int()),
      users_info: z.array(PersonCard),
    })
    .nullable(),
  quiz: z.array(Asked),
  /** The ticket that approves it; the person may not be among those who see that. */
  ticket_id: z.number().int().nullable(),
  /** What it says was approved: title, text and attachments change by a revision alone. */
  approved: z.boolean(),
  /** To be published it has to be approved. */
  needs_approval: z.boolean(),
  /** Papers that its text cites and that are not in force any more, as far as the person sees them. */
  outdated: z.array(Outdated),
  source_document_id: z.number().int().nullable(),
  repeal_reason: z.string().nullable(),
  repeal_date: z.string().nullable(),
  replace_id: z.number().int().nullable(),
  /** All versions that I see, the newest first, this one among them. */
  versions: z.array(PaperVersion),
});
export type PaperDetail = z.output<typeof PaperDetail>;
