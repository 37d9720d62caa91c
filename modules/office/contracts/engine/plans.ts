import { direction, nature, planKind } from '../contract/codes.ts';
import { addMonths } from './terms.ts';

/** A plan this many years before the contract's start is a typing error of the year. */
const earlyYears = 5;
/** The same for years after its end, or after its start if it has no end. */
const lateYears = 30;
const paid: readonly number[] = [planKind.payment, planKind.receipt];

interface Planned {
  name: string;
  kind: number;
  plan_date: string;
  plan_amount?: number | null | undefined;
}
interface Of {
  nature: number;
  pay_direction: number;
  start_date: string | null;
  end_date: string | null;
  gmt_created: string;
}

/** The fault of a day whose year must be a typing error; null if there is none. */
export function planDayWrong({ name, plan_date }: Pick<Planned, 'name' | 'plan_date'>, row: Of): string | null {
  const begins = row.start_date ?? row.gmt_created.slice(0, 10);
  if (plan_date < addMonths(begins, -earlyYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比合同开始日期 ${begins} 早 ${earlyYears} 年以上，请核对年份`;
  const ends = row.end_date ?? begins;
  if (plan_date > addMonths(ends, lateYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比${row.end_date === null ? '合同开始日期' : '合同结束日期'} ${ends} 晚 ${lateYears} 年以上，请核对年份`;
  return null;
}

/** Faults of a single plan: a zero payment would count as done at once, and one in the other direction could never be registered. */
export function planWrong(plan: Planned, row: Of): string | null {
  const { name, kind: what, plan_amount } = plan;
  const day = planDayWrong(plan, row);
  if (day) return day;
  if (paid.includes(what) && what !== row.pay_direction)
    return `“${name}”是${planKind.label(what)}，合同的收付是“${direction.label(row.pay_direction)}”，将来无法登记，请改选类型或收付`;
  if (paid.includes(what) && row.nature !== nature.framework && !plan_amount)
    return `“${name}”的计划金额须大于 0，请填写金额或删去这个节点`;
  return null;
}
