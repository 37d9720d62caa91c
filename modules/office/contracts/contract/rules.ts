import { z } from 'zod';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';

const days = (most: number) => z.number().int().min(0, '不能小于 0').max(most, `最多 ${most}`);

/** The rules for all contracts of the house. */
export const contractRules = rules({
  key: 'contract_rule',
  title: '合同规则',
  shape: {
    org_code: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{0,12}$/, '最多 12 个字母或数字')
      .meta(field('合同编号前缀', { help: '编号如 XX-CG-2026-0001；留空则从类别代码开始' })),
    need_stamp: z.boolean().meta(field('签订前须完成用印', { help: '签订登记要有已用印的用印申请' })),
    need_party_first: z.boolean().meta(field('须对方先签', { help: '申请用印前要登记对方已签' })),
    legal_from_step: days(4).meta(
      field('从第几档起须法务审核', { help: '0 为不论金额都须审核；示范文本未改动的不经法务' }),
    ),
    remind_days: z
      .array(days(365))
      .max(6, '最多 6 个')
      .meta(field('提前几天提醒', { help: '到期和履约节点之前，如 30、15、7、1' })),
    soon_days: days(90).meta(field('几天内到期的算临近')),
    overdue_to_head: days(90).meta(field('逾期几个工作日报部门负责人')),
    overdue_to_leader: days(90).meta(field('逾期几个工作日报分管领导')),
    split_months: days(36).meta(field('查拆分合同的月数', { help: '同一相对方、类别和部门的合同合计' })),
  },
  defaults: {
    org_code: '',
    need_stamp: false,
    need_party_first: false,
    legal_from_step: 2,
    remind_days: [30, 15, 7, 1],
    soon_days: 7,
    overdue_to_head: 3,
    overdue_to_leader: 10,
    split_months: 12,
  },
});
export const contractRuleCalls = ruleCalls(contractRules, {
  prefix: '/api/contract/',
  page: 'contract/category',
  readBy: 'everybody',
});
export type ContractRules = ReplyOf<typeof contractRuleCalls.rule>['value'];
