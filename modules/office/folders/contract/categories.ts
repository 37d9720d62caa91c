import { z } from 'zod';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { flag, id, line, name } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { treeCalls } from '#kernel/contract/tree.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';

export const maxLevels = 4;
const ids = z.array(z.number().int());

/** The category tree of papers. */
export const folderCategories = treeCalls({
  prefix: '/api/folder/category/',
  page: 'folder/category',
  noun: '分类',
  input: {
    name: name(30).meta({ title: '分类名称' }),
    code: line(20)
      .optional()
      .meta(field('分类编码', { short: '编码' })),
    scope: z.array(id).max(200, '最多选择 200 个部门').optional().meta({ title: '可见部门' }),
    managers: z
      .array(z.string().max(50))
      .max(20, '最多 20 人')
      .optional()
      .meta(field('分类管理员', { short: '管理员' })),
    status: flag.optional().meta(field('启用', { short: '状态' })),
    workflow_id: id
      .nullable()
      .optional()
      .meta(field('发布审批流程', { short: '发布审批' })),
  },
  row: {
    code: z.string(),
    status: z.boolean(),
    /** The workflow that decides on publication; null inherits from the parent. Its name is shown to those who file papers. */
    workflow_id: z.number().int().nullable(),
    workflow_name: z.string(),
    /** Papers in force that I see, in this category and its descendants. */
    count: z.number().int().meta(field('现行文件')),
    scope: ids,
    scope_names: z.array(z.string()),
    managers: z.array(z.string()),
    managers_info: z.array(PersonCard),
  },
});
export type CategoryNode = ReplyOf<typeof folderCategories.list>[number];
