import type { LimitRule } from './definition.ts';

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
  if (limit.users.length + limit.depts.length + limit.roles.length === 0) return true;
  return (
    limit.users.includes(starter.id) ||
    limit.depts.some((dept) => starter.dept_path.includes(dept)) ||
    limit.roles.some((role) => starter.roles.includes(role))
  );
}

/** True if `whyNotStart` needs the number of started tickets. */
export function countsStarted(limit: LimitRule): boolean {
  return limit.rate !== null || limit.concurrent_open !== null;
}

/** Why a person may not start this workflow now, as a sentence; null if they may. */
export function whyNotStart(limit: LimitRule, starter: Starter, started: Started): string | null {
  if (!isFor(limit, starter)) return '您不在这个流程的发起范围内';
  if (limit.concurrent_open !== null && started.open >= limit.concurrent_open) {
    return `您还有 ${started.open} 张未办结的同类工单，办结后才能再发起`;
  }
  if (limit.rate && started.in_period >= limit.rate.count) {
    const whose = limit.rate.level === 1 ? '您在' : '全体人员在';
    return `${whose} ${limit.rate.period} 小时内最多发起 ${limit.rate.count} 次，请稍后再试`;
  }
  return null;
}
