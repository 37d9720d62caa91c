import { direction, nature, planKind } from '../contract/codes.ts';
import { addMonths } from './terms.ts';

/** What is planned more years before its contract begins is a slip of the year. */
const earlyYears = 5;
/** And so many years behind its end, or its beginning where it runs on. */
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

/** A day that can only be a slip of the year. */
export function planDayWrong({ name, plan_date }: Pick<Planned, 'name' | 'plan_date'>, row: Of): string | null {
  const begins = row.start_date ?? row.gmt_created.slice(0, 10);
  if (plan_date < addMonths(begins, -earlyYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比合同开始日期 ${begins} 早 ${earlyYears} 年以上，请核对年份`;
  const ends = row.end_date ?? begins;
  if (plan_date > addMonths(ends, lateYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比${row.end_date === null ? '合同开始日期' : '合同结束日期'} ${ends} 晚 ${lateYears} 年以上，请核对年份`;
  return null;
}

/**
 * What cannot be right of a plan by itself: a payment of nothing would be done as soon as it is planned, and one the other way could never
 * be registered.
 */
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
