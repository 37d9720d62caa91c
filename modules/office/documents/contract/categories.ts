import { z } from 'zod';
import { id, name } from '#kernel/contract/shapes.ts';
import { treeCalls } from '#kernel/contract/tree.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { DocKind } from './shapes.ts';

const int = z.number().int();

/** The categories of documents, each with its workflow, number rule and letterhead. */
export const documentCategories = treeCalls({
  prefix: '/api/document/category/',
  page: 'document/setting',
  noun: '公文类别',
  query: { doc_kind: z.coerce.number().int().min(1).max(3).optional() },
  input: {
    name: name(30).meta({ title: '名称' }),
    code: name(10).meta({ title: '编码' }),
    doc_kind: DocKind.meta({ title: '公文类型' }),
    workflow_id: id.nullable().optional().meta({ title: '流程' }),
    number_rule_id: id.nullable().optional().meta({ title: '机关代字' }),
    redhead_id: id.nullable().optional().meta({ title: '红头模板' }),
    retention: z.int().min(1).max(3).nullable().optional().meta({ title: '保管期限' }),
    status: z.literal([0, 1]).optional().meta({ title: '状态' }),
  },
  row: {
    code: z.string(),
    doc_kind: int,
    workflow_id: int.nullable(),
    workflow_name: z.string(),
    number_rule_id: int.nullable(),
    redhead_id: int.nullable(),
    agency_code: z.string(),
    retention: int.nullable(),
    status: int,
  },
});
export type Category = ReplyOf<typeof documentCategories.list>[number];
