import { z } from 'zod';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { activityType } from './codes.ts';

const whole = (most: number) => z.number().int().min(0, '不能小于 0').max(most, `最多 ${most}`);

/** The rules for every activity. Each round of a declaration is judged by them once and keeps the verdict. */
export const activityRules = rules({
  key: 'activity_rule',
  title: '申报规则',
  shape: {
    lead_days: whole(60).meta(
      field('提前申报（工作日）', { group: '提前量', help: '从申报次日起算；来不及的须写明急办原因' }),
    ),
    lead_days_foreign: whole(120).meta(field('涉外活动提前申报（工作日）')),
    in_max: whole(100_000).meta(field('校内人数超过多少须保卫审核', { group: '审核', help: '正好这个数不须审核' })),
    out_max: whole(100_000).meta(field('校外人数超过多少须保卫审核')),
    publicity_types: z
      .array(z.number().int().min(1).max(9))
      .max(9)
      .meta(
        field('须宣传部门审核的类型', {
          help: '哲学社会科学类活动不论类型都须审核',
          kind: 'select',
          multiple: true,
          options: Object.entries(activityType.names).map(([value, label]) => ({ value: Number(value), label })),
        }),
      ),
    summary_days: z
      .number()
      .int()
      .min(1)
      .max(60)
      .meta(field('活动结束后几天内交总结', { group: '总结' })),
    late_max: z
      .number()
      .int()
      .min(1)
      .max(100)
      .meta(field('逾期未总结达到几场不能再申报', { help: '按主办部门计；不到此数只提醒' })),
  },
  defaults: {
    lead_days: 3,
    lead_days_foreign: 10,
    in_max: 200,
    out_max: 50,
    publicity_types: [1, 2],
    summary_days: 7,
    late_max: 3,
  },
});
export type ActivityRule = (typeof activityRules)['defaults'];
export const activityRuleCalls = ruleCalls(activityRules, {
  prefix: '/api/activity/',
  page: 'activity/rule',
  readBy: 'everybody',
});
