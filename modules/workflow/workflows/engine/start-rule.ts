import type { LimitRule, StartFor } from './definition.ts';

export interface Starter {
  id: number;
  /** Own department and all above it. */
  dept_path: readonly number[];
  /** Codes of the roles. */
  roles: readonly string[];
}
export interface Started {
  /** Tickets started within the rule's period, by this person or by all, as its level says. */
  in_period: number;
  /** Unfinished tickets of this person. */
  open: number;
}

/** True if a workflow is open to a person. */
export function isFor(limit: LimitRule, starter: Starter): boolean {
  if (limit.except && isAmong(limit.except, starter)) return false;
  return limit.users.length + limit.depts.length + limit.roles.length === 0 || isAmong(limit, starter);
}

function isAmong({ users, depts, roles }: Pick<LimitRule, 'users' | 'depts' | 'roles'>, starter: Starter): boolean {
  return (
    users.includes(starter.id) ||
    depts.some((dept) => starter.dept_path.includes(dept)) ||
    roles.some((role) => starter.roles.includes(role))
  );
}

/** True if `whyNotStart` needs the number of started tickets. */
export function countsStarted(limit: LimitRule): boolean {
  return limit.rate !== null || limit.concurrent_open !== null;
}

/** Why a ticket may not be started now in the name of a person, `who` in a sentence; null if it may. */
export function whyNotStart(limit: LimitRule, starter: Starter, started: Started, who = '您'): string | null {
  if (!isFor(limit, starter)) return `${who}不在这个流程的发起范围内`;
  if (limit.concurrent_open !== null && started.open >= limit.concurrent_open) {
    return `${who}还有 ${started.open} 张未办结的同类工单，办结后才能再发起`;
  }
  if (limit.rate && started.in_period >= limit.rate.count) {
    const whose = limit.rate.level === 1 ? `${who}在` : '全体人员在';
    return `${whose} ${limit.rate.period} 小时内最多发起 ${limit.rate.count} 次，请稍后再试`;
  }
  return null;
}

/** True if a rule lets a person start tickets for others. `groups`: the user groups they are in. */
export function mayStartBy(
  rule: StartFor,
  { id, roles }: Omit<Starter, 'dept_path'>,
  groups: readonly number[],
): boolean {
  return (
    rule.users.includes(id) ||
    rule.roles.some((role) => roles.includes(role)) ||
    rule.groups.some((group) => groups.includes(group))
  );
}

/** True if a rule lets a person of some departments start a ticket in the name of somebody with this department path. */
export function covers(rule: StartFor, own: readonly number[], dept_path: readonly number[]): boolean {
  return [...rule.depts, ...(rule.own_dept ? own : [])].some((dept) => dept_path.includes(dept));
}
