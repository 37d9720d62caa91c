import { whole, type Problem } from '../check/problem.ts';
import type { Definition } from '../definition.ts';

/** Rules about who may start a ticket, and for whom, that name nobody. */
export function startProblems({ settings }: Definition): Problem[] {
  return (settings.start_for ?? []).flatMap((rule, index) => {
    const which = `代他人发起的第 ${index + 1} 条规则`;
    const who = rule.users.length + rule.roles.length + rule.groups.length;
    return [
      ...(who === 0 ? [whole(`${which}没有写谁可以代为发起，请选择人员、角色或用户组`)] : []),
      ...(rule.own_dept || rule.depts.length > 0 ? [] : [whole(`${which}没有写可以代哪些部门的人发起，请选择`)]),
    ];
  });
}
