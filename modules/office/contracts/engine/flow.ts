interface Moved {
  day: string;
  in: number;
  out: number;
  due_in: number;
  due_out: number;
}

/**
 * The money of a day or month in the calendar: from today on the amounts still to come, as in the forecast; before that, moved and planned
 * ones. `from` is today, or its month.
 */
export const flowOf = (one: Moved, from: string): { in: number; out: number } =>
  one.day >= from ? { in: one.due_in, out: one.due_out } : { in: one.in, out: one.out };
