import type { Column, Definition, Field } from '../definition.ts';

type Paired = Pick<Field, 'not_before' | 'days_between'>;

/**
 * The definition without a field, its settings in states, and what dates and lists of fields say of it. Conditions and formulas that use it stay: a
 * person has to decide what becomes of them, and publishing reports them.
 */
export function withoutField(definition: Definition, { id, key }: Pick<Field, 'id' | 'key'>): Definition {
  const { settings } = definition;
  const others = (keys: readonly string[]) => keys.filter((other) => other !== key);
  return {
    ...definition,
    fields: definition.fields
      .filter((field) => field.id !== id)
      .map((field) => ({ ...apartFrom(field, key), ...(field.not_before === key && { away: undefined }) })),
    states: definition.states.map((state) => {
      const { [key]: _gone, ...access } = state.access;
      const { [key]: _with, ...columns } = state.columns ?? {};
      return { ...state, access, ...(state.columns && { columns }) };
    }),
    settings: {
      ...settings,
      display_form: others(settings.display_form),
      key_fields: others(settings.key_fields),
      ...(settings.doubles && { doubles: { ...settings.doubles, fields: others(settings.doubles.fields) } }),
    },
  };
}

/** The columns of a table without one of them, which the others do not name any more. */
export const withoutColumn = (columns: readonly Column[], index: number): Column[] =>
  columns.filter((_column, at) => at !== index).map((column) => apartFrom(column, columns[index]?.key ?? ''));

/** Removes a reference to a deleted part; a half-day field goes alone, a date takes the counting with it. */
function apartFrom<P extends Field | Column>(part: P, key: string): Omit<P, 'not_before' | 'days_between'> & Paired {
  const { not_before, days_between, ...rest } = part;
  return {
    ...rest,
    ...(not_before && not_before !== key && { not_before }),
    ...(days_between &&
      ![days_between.from, days_between.to].includes(key) && {
        days_between: {
          ...days_between,
          ...(days_between.from_half === key && { from_half: undefined }),
          ...(days_between.to_half === key && { to_half: undefined }),
        },
      }),
  };
}
