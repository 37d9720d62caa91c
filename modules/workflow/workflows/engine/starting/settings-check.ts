import { on, whole, type Problem } from '../check/problem.ts';
import type { Definition } from '../definition.ts';
import { isComparable } from './doubles.ts';

/** Rules about starting a ticket that name nobody, or compare what cannot be compared. */
export const startProblems = (definition: Definition): Problem[] => [
  ...ruleProblems(definition),
  ...doubleProblems(definition),
];

function doubleProblems({ fields, settings }: Definition): Problem[] {
  if (settings.doubles?.fields.length === 0) return [whole('提交时查重没有选择比较的字段，请选择字段，或取消查重')];
  return (settings.doubles?.fields ?? []).flatMap((key) => {
    const field = fields.find((one) => one.key === key);
    if (!field) return [whole(`提交时查重的字段“${key}”不存在，请从查重里去掉`)];
    return isComparable(field)
      ? []
      : [on(field, `字段“${field.name}”不能用来查重（附件、明细、多选和系统显示的内容不能比较），请从查重里去掉`)];
  });
}

function ruleProblems({ settings }: Definition): Problem[] {
  return (settings.start_for ?? []).flatMap((rule, index) => {
    const which = `代他人发起的第 ${index + 1} 条规则`;
    const who = rule.users.length + rule.roles.length + rule.groups.length;
    return [
      ...(who === 0 ? [whole(`${which}没有写谁可以代为发起，请选择人员、角色或用户组`)] : []),
      ...(rule.own_dept || rule.depts.length > 0 ? [] : [whole(`${which}没有写可以代哪些部门的人发起，请选择`)]),
    ];
  });
}
