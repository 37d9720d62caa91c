import { z } from 'zod';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { flag, id, name } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { money } from '#kernel/contract/money/money.ts';
import { treeCalls } from '#kernel/contract/tree.ts';

export const retentions = ['永久', '30年', '10年'] as const;
const steps = z
  .array(money)
  .max(4, '最多 4 档')
  .refine((all) => all.every((one, at) => at === 0 || one > all[at - 1]!), '各档金额须由小到大');

/** The category tree of contracts. */
export const contractCategories = treeCalls({
  prefix: '/api/contract/category/',
  page: 'contract/category',
  noun: '合同类别',
  input: {
    name: name(30).meta({ title: '类别名称' }),
    code: z
      .string()
      .regex(/^[A-Z0-9]{1,10}$/, '由 1 到 10 个大写字母和数字组成')
      .meta(field('类别代码', { short: '代码' })),
    status: flag.optional().meta(field('启用', { short: '状态' })),
    manage_dept: id.nullable().optional().meta({ title: '归口部门' }),
    need_legal: flag.optional().meta(field('须法务审核', { short: '法务' })),
    out_steps: steps.optional().meta({ title: '付款合同分档金额' }),
    in_steps: steps.optional().meta({ title: '收款合同分档金额' }),
    default_template_id: id.nullable().optional().meta({ title: '默认模板' }),
    retention: z.enum(retentions).optional().meta({ title: '保管期限' }),
    verify_title: flag.optional().meta({ title: '核验页显示合同名称' }),
  },
  row: {
    code: z.string(),
    status: z.boolean(),
    manage_dept: z.number().int().nullable(),
    manage_dept_name: z.string(),
    need_legal: z.boolean(),
    out_steps: z.array(z.number()),
    in_steps: z.array(z.number()),
    default_template_id: z.number().int().nullable(),
    default_template_name: z.string(),
    retention: z.string(),
    verify_title: z.boolean(),
    /** Contracts that I see, in this category and its descendants. */
    count: z.number().int().meta(field('合同')),
  },
});
export type ContractCategory = ReplyOf<typeof contractCategories.list>[number];
