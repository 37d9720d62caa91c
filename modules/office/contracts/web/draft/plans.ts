import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';
import type { Plan } from '../../contract/shapes.ts';
import { planKind } from '../../contract/codes.ts';
import { addMonths } from '../../engine/terms.ts';

const blank = { condition: '', direction: null };
/** A plan pays or receives. */
type PaidKind = typeof planKind.payment | typeof planKind.receipt;

/** Rows by shares of an amount; the last takes the remainder, so that they add up to the fen. */
export function byShares(kind: PaidKind, amount: number, shares: readonly number[], from: string): Plan[] {
  const whole = fenOf(amount);
  let left = whole;
  return shares.map((share, at) => {
    const part = at === shares.length - 1 ? left : Math.round((whole * share) / 100);
    left -= part;
    const name = shares.length === 1 ? planKind.label(kind) : `第 ${at + 1} 期${planKind.label(kind)}（${share}%）`;
    return { ...blank, kind, period: at + 1, name, plan_date: addMonths(from, at * 3), plan_amount: yuanOf(part) };
  });
}

/** Equal monthly rows; the last takes the remainder. */
export function byMonths(kind: PaidKind, amount: number, count: number, from: string): Plan[] {
  const whole = fenOf(amount);
  const part = Math.floor(whole / count);
  return Array.from({ length: count }, (_one, at) => ({
    ...blank,
    kind,
    period: at + 1,
    name: `第 ${at + 1} 期${planKind.label(kind)}`,
    plan_date: addMonths(from, at),
    plan_amount: yuanOf(at === count - 1 ? whole - part * (count - 1) : part),
  }));
}

/** The sum of the rows of a kind. */
export const sumOf = (plans: readonly Plan[], kind: number): number =>
  yuanOf(plans.reduce((sum, plan) => sum + (plan.kind === kind ? fenOf(plan.plan_amount ?? 0) : 0), 0));
