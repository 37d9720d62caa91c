import type { FieldError } from '#kernel/contract/refusal.ts';
import { evaluate } from '#modules/workflows/engine/condition.ts';
import type { Definition, State } from '#modules/workflows/engine/definition.ts';
import { usualBudget, valueOf, type Works } from '#modules/workflows/engine/formula/evaluate.ts';
import { readBy } from '#modules/workflows/engine/formula/formula.ts';
import { settleForm, type Settled } from '#modules/workflows/engine/formula/settle.ts';
import { accessIn, isWritable } from '#modules/workflows/engine/fields/rights.ts';
import { readValue, sameValue, type Change } from './values.ts';

/**
 * Adds to some changes what follows from them: computed fields worked out anew, fields that are not shown any more emptied. Nobody is
 * told of what is wrong with a field that is not shown.
 */
export function settleChanges(
  definition: Definition,
  state: State,
  form: Readonly<Record<string, unknown>>,
  changes: Change[],
  errors: FieldError[],
  works?: Works,
): Settled {
  const { fields } = definition;
  const written = { ...form, ...Object.fromEntries(changes.map(({ key, to }) => [key, to])) };
  const settled = settleForm(fields, written, (key) => isWritable(accessIn(state, key)), works);
  for (const field of fields) {
    const { key } = field;
    const to = settled.values[key] ?? null;
    if (sameValue(to, written[key])) continue;
    const at = changes.findIndex((change) => change.key === key);
    const from = form[key] ?? null;
    changes.splice(at < 0 ? changes.length : at, at < 0 ? 0 : 1, ...(sameValue(from, to) ? [] : [{ key, from, to }]));
    const read = field.formula && to !== null ? readValue({ ...field, formula: undefined }, to) : null;
    if (read && 'msg' in read) errors.push({ field: key, label: field.name, msg: read.msg });
  }
  const shown = errors.filter((error) => !settled.hidden.has(error.field));
  errors.splice(0, errors.length, ...shown);
  return settled;
}

/** Checks of the form that do not hold, told of the first field each of them names. */
export function checkFaults(
  { fields, settings }: Definition,
  form: Readonly<Record<string, unknown>>,
  works?: Works,
): FieldError[] {
  const budget = { left: usualBudget, works };
  return (settings.checks ?? []).flatMap(({ left, op, right, message }) => {
    const [a, b] = [valueOf(left, form, budget), valueOf(right, form, budget)];
    if (a === null || b === null) return [];
    const { result } = evaluate({ op, field: 'left', value: b } as never, {
      form: { left: a },
      dept_path: [],
      roles: [],
    });
    const key = [...readBy(left), ...readBy(right)][0] ?? '';
    return result
      ? []
      : [{ field: key, label: fields.find((field) => field.key === key)?.name ?? '表单', msg: message }];
  });
}
