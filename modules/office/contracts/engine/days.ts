import type { FieldError } from '#kernel/contract/refusal.ts';

const yearOf = (day: string) => Number(day.slice(0, 4));
/** Limits in years: a start further from the draft is a typing error, and so is a term longer than any lease of land. */
const [farYears, longYears] = [50, 70];

interface Days {
  sign_date?: string | null;
  start_date: string | null;
  end_date: string | null;
}

/** Faults in the days of a contract, compared with the day it was drafted or imported. */
export function daysWrong({ sign_date = null, start_date: start, end_date: end }: Days, drafted: string): FieldError[] {
  const far = (label: string, day: string) => `${day} 与${label} ${drafted} 相差 ${farYears} 年以上，请核对年份`;
  const isFar = (day: string | null) => day !== null && Math.abs(yearOf(day) - yearOf(drafted)) > farYears;
  const asked: [wrong: boolean, field: string, label: string, msg: string][] = [
    [Boolean(start && end && end < start), 'end_date', '结束日期', `${end} 早于开始日期 ${start}，请核对`],
    [isFar(sign_date), 'sign_date', '签订日期', far('今天', sign_date!)],
    [isFar(start), 'start_date', '开始日期', far(sign_date === null ? '起草日期' : '今天', start!)],
    [
      end !== null && yearOf(end) - yearOf(start ?? sign_date ?? drafted) > longYears,
      'end_date',
      '结束日期',
      `${end} 比开始日期晚 ${longYears} 年以上，请核对年份；长期有效的请留空`,
    ],
  ];
  return asked.flatMap(([wrong, field, label, msg]) => (wrong ? [{ field, label, msg }] : []));
}
