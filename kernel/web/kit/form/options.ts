/** What a select offers of values that have names. */
export const optionsOf = (names: Readonly<Record<number, string>>): { value: number; label: string }[] =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));
