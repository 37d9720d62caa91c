interface Moved {
  day: string;
  in: number;
  out: number;
  due_in: number;
  due_out: number;
}

/**
 * What a day, or a month, shows of money: what is still to come from today on, as the forecast says it; before, what moved and what was to.
 * `from`: today, or its month.
 */
export const flowOf = (one: Moved, from: string): { in: number; out: number } =>
  one.day >= from ? { in: one.due_in, out: one.due_out } : { in: one.in, out: one.out };
