import { moneyText } from '#kernel/contract/money/money.ts';
import { direction, nature, planKind } from '../contract/codes.ts';
import { owedBy } from './owed.ts';
import { withMoney } from './registering.ts';
import { addMonths } from './terms.ts';

/** A plan this many years before the contract begins is a typing error of the year. */
const earlyYears = 5;
/** The same for years after its end, or after its beginning if it has no end. */
const lateYears = 30;
const paid: readonly number[] = [planKind.payment, planKind.receipt];

interface Planned {
  name: string;
  kind: number;
  plan_date: string;
  plan_amount?: number | null | undefined;
}
/** The contract that is planned for; for a supplement, as it leaves its contract. */
export interface PlannedFor {
  nature: number;
  pay_direction: number;
  amount: number;
  reduced: number;
  amount_cap: number | null;
  deposit: number | null;
  sign_date: string | null;
  start_date: string | null;
  end_date: string | null;
  term_end: string | null;
  gmt_created: string;
}

/** The amount of a contract, or the cap of a framework, and its name; null if it has none. */
export function wholeOf(of: PlannedFor): { whole: number; what: string } | null {
  if (of.pay_direction === direction.none) return null;
  if (of.nature !== nature.framework) return { whole: owedBy(of), what: '合同金额' };
  return of.amount_cap === null ? null : { whole: of.amount_cap, what: '框架上限' };
}

/** The fault of a day whose year must be a typing error; null if there is none. */
function dayWrong({ name, plan_date }: Planned, of: PlannedFor): string | null {
  const drafted = of.gmt_created.slice(0, 10);
  const known = of.sign_date ?? drafted;
  const begins = of.start_date === null || known < of.start_date ? known : of.start_date;
  const beginning = begins === of.start_date ? '合同开始日期' : of.sign_date === null ? '起草日期' : '签订日期';
  if (plan_date < addMonths(begins, -earlyYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比${beginning} ${begins} 早 ${earlyYears} 年以上，请核对年份`;
  // A contract without an end also goes on from the day on which it came in here.
  const ends = [of.end_date, of.term_end]
    .filter((one) => one !== null)
    .toSorted()
    .at(-1);
  const last = ends ?? [begins, drafted].toSorted().at(-1)!;
  if (plan_date > addMonths(last, lateYears * 12))
    return `“${name}”的计划日期 ${plan_date} 比${ends ? '合同结束日期' : last === begins ? beginning : '起草日期'} ${last} 晚 ${lateYears} 年以上，请核对年份`;
  return null;
}

/** The fault of an amount that cannot be registered; the sums of payments and of invoices are limited apart from it. */
function amountWrong({ name, kind: what, plan_amount }: Planned, of: PlannedFor): string | null {
  if (!withMoney.includes(what))
    return plan_amount ? `“${name}”是${planKind.label(what)}，登记时没有金额，请清空计划金额` : null;
  if (paid.includes(what) && what !== of.pay_direction)
    return `“${name}”是${planKind.label(what)}，合同的收付是“${direction.label(of.pay_direction)}”，将来无法登记，请改选类型或收付`;
  if (paid.includes(what) && of.nature !== nature.framework && !plan_amount)
    return `“${name}”的计划金额须大于 0，请填写金额或删去这个节点`;
  if (what !== planKind.deposit) return null;
  const most = of.deposit ? { whole: of.deposit, what: '约定的履约保证金' } : wholeOf(of);
  return most && (plan_amount ?? 0) > most.whole
    ? `“${name}”的计划金额 ${moneyText(plan_amount!)} 元超过${most.what} ${moneyText(most.whole)} 元，请核对`
    : null;
}

/**
 * The fault of a single plan, in whatever way it comes in: a year that cannot be meant, a zero payment that would count as done at once, or
 * an amount that could never be registered.
 */
export const planWrong = (plan: Planned, of: PlannedFor): string | null => dayWrong(plan, of) ?? amountWrong(plan, of);
