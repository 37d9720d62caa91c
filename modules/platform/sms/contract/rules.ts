import { z } from 'zod';
import { ruleCalls, rules, type RuleValue } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { line, text } from '#kernel/contract/shapes.ts';

export const onlySuper = refusal(codes.forbidden, () => '只有超级管理员可以修改短信规则');

/** Limits, times and permitted contents of text messages. */
export const smsRules = rules({
  key: 'sms_rules',
  title: '短信规则',
  shape: {
    day_quota: z.int().min(0).max(9_999_999).meta(field('每人每日条数')),
    month_quota: z.int().min(0).max(9_999_999).meta(field('部门每月条数')),
    quiet: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, '请按 22:00-08:00 的格式填写')
      .meta(field('免打扰时段', { help: '例如 22:00-08:00；两端相同为不设' })),
    links: text(5000).meta(field('允许的链接域名', { help: '用空格或换行隔开', kind: 'textarea' })),
    words: text(5000).meta(field('敏感词', { help: '用空格或换行隔开', kind: 'textarea' })),
    opt_out: line(100).meta(field('校友短信的退订提示', { help: '不填则用通用的提示' })),
    price: z
      .int()
      .min(0)
      .max(9_999_999)
      .meta(field('每条单价（分）', { help: '0 为不计算费用' })),
  },
  defaults: { day_quota: 1000, month_quota: 10_000, quiet: '22:00-08:00', links: '', words: '', opt_out: '', price: 0 },
});
export type SmsRuleValue = RuleValue<typeof smsRules>;

export const smsRuleCalls = ruleCalls(smsRules, {
  prefix: '/api/sms/',
  page: 'system/interface',
  readBy: 'sms/template',
});
