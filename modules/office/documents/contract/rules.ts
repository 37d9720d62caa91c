import { ruleCalls, rules, type RuleValue } from '#kernel/contract/rules.ts';
import { text } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { siteRules } from '#modules/platform/settings/contract/site.ts';

/** The office's rules for all documents: the issuing organisations, and the words that suggest a request. */
export const documentRules = rules({
  key: 'document_rules',
  title: '公文规则',
  shape: {
    orgs: text(5000).meta(
      field('发文机关', { help: '一行一个全称，拟稿人从中选择；没有写的，只有站点名称所写的单位', kind: 'textarea' }),
    ),
    asking: text(5000).meta(
      field('报告中的请示用语', { help: '一行一个；报告里出现时要求起草人确认', kind: 'textarea' }),
    ),
  },
  defaults: {
    orgs: '',
    asking: [
      '妥否',
      '当否',
      '请批示',
      '请批复',
      '请审批',
      '请审定',
      '请核准',
      '请予批准',
      '请予审批',
      '请予批复',
      '请予支持',
      '请予解决',
      '请求批准',
      '恳请批准',
      '恳请支持',
      '望予批准',
      '是否可行，请指示',
      '请指示',
    ].join('\n'),
  },
});
export type DocumentRuleValue = RuleValue<typeof documentRules>;
/** The lines of a rule with a list. */
export const linesOf = (rule: string): string[] =>
  rule
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The issuing organisations: those the office lists, else the house itself, once the site has its name. */
export function issuingOrgs({ orgs }: Pick<DocumentRuleValue, 'orgs'>, siteName: string): string[] {
  const listed = linesOf(orgs);
  if (listed.length > 0) return listed;
  return siteName === siteRules.defaults.name ? [] : [siteName];
}

export const documentRuleCalls = ruleCalls(documentRules, {
  prefix: '/api/document/',
  page: 'document/setting',
  readBy: 'everybody',
});
