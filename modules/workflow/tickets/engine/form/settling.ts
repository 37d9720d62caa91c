import type { FieldError } from '#kernel/contract/refusal.ts';
import { evaluate, isEmpty } from '#modules/workflow/workflows/engine/condition.ts';
import type { Column, Definition, Field, State } from '#modules/workflow/workflows/engine/definition.ts';
import { usualBudget, valueOf, type Works } from '#modules/workflow/workflows/engine/formula/evaluate.ts';
import { isTurnedRound } from '#modules/workflow/workflows/engine/formula/days-between.ts';
import { isComputed, readBy } from '#modules/workflow/workflows/engine/formula/formula.ts';
import { countedBefore, settleForm, type Settled } from '#modules/workflow/workflows/engine/formula/settle.ts';
import { accessIn, isWritable } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { readValue, sameValue, type Change } from './values.ts';

/**
 * Adds to some changes their consequences: computed fields are recalculated, fields no longer shown are emptied. Errors in fields that are not shown
 * are not reported. The number of days once requested stays, even if the calendar has changed since.
 */
export function settleChanges(
  definition: Definition,
  state: State,
  form: Readonly<Record<string, unknown>>,
  changes: Change[],
  errors: FieldError[],
  sent: boolean,
  works?: Works,
): Settled {
  const { fields } = definition;
  const standing =
    state.kind !== 'start'
      ? countedBefore(
          fields,
          form,
          changes.map(({ key }) => key),
        )
      : {};
  const written = { ...form, ...Object.fromEntries(changes.map(({ key, to }) => [key, to])) };
  const settled = settleForm(fields, written, (key) => isWritable(accessIn(state, key)), works, standing);
  for (const field of fields) {
    const { key } = field;
    const to = settled.values[key] ?? null;
    // A draft may have been kept without any days.
    const stands = sameValue(to, written[key]);
    if (stands && !(state.kind === 'start' && field.days_between)) continue;
    const at = changes.findIndex((change) => change.key === key);
    const from = form[key] ?? null;
    const change = sameValue(from, to) ? [] : [{ key, from, to }];
    if (!stands) changes.splice(at < 0 ? changes.length : at, at < 0 ? 0 : 1, ...change);
    const asked = { sent, works };
    const msg = computedFault(field, to, { values: settled.values, ...asked }) ?? rowsFault(field, to, asked);
    // The message about the dates says more than the one about the number of days that was sent.
    if (msg) errors.splice(0, errors.length, ...errors.filter((error) => error.field !== key));
    if (msg) errors.push({ field: key, label: field.name, msg });
  }
  const shown = errors.filter((error) => !settled.hidden.has(error.field));
  errors.splice(0, errors.length, ...shown);
  return settled;
}

interface Asked {
  /** It is more than a draft. */
  sent: boolean;
  works: Works | undefined;
}

/** The error of a computed value; zero days is an error only on sending. */
function computedFault(
  part: Field | Column,
  value: unknown,
  { sent, works, values }: Asked & { values: Readonly<Record<string, unknown>> },
): string | null {
  if (!isComputed(part) || isEmpty(value)) return null;
  if (part.days_between && value === 0) {
    if (!sent) return null;
    return isTurnedRound(part.days_between, values, works)
      ? '为 0 天：开始和结束是同一天，却从下午到上午，请把上午、下午改正'
      : '为 0 天：所选日期都不是工作日，请检查日期';
  }
  const read = readValue({ ...part, formula: undefined, days_between: undefined }, value);
  return 'msg' in read ? read.msg : null;
}

function rowsFault({ columns }: Field, value: unknown, asked: Asked): string | null {
  const computed = columns.filter(isComputed);
  for (const [index, row] of computed.length > 0 ? rowsIn(value).entries() : []) {
    for (const column of computed) {
      const msg = computedFault(column, row[column.key], { values: row, ...asked });
      if (msg) return `第 ${index + 1} 行“${column.name}”${msg}`;
    }
  }
  return null;
}

/**
 * Days that cannot be counted though they must be: a date is missing, or the two are in the wrong order. Not reported if one of the dates already has
 * an error.
 */
export function uncountedDays(
  { fields }: Definition,
  isAsked: (field: Field) => boolean,
  settled: Settled,
  errors: readonly FieldError[],
) {
  const nameOf = (key: string) => `“${fields.find((one) => one.key === key)?.name ?? key}”`;
  return fields.flatMap(({ ...field }): FieldError[] => {
    const days = field.days_between;
    if (!days || field.formula || settled.hidden.has(field.key) || !isEmpty(settled.values[field.key])) return [];
    const dates = [days.from, days.to];
    const given = dates.filter((key) => !isEmpty(settled.values[key]));
    if (given.length < dates.length && !isAsked(field)) return [];
    if (errors.some((error) => dates.includes(error.field))) return [];
    const msg =
      given.length < dates.length
        ? `由${dates.map(nameOf).join('和')}算出，请先填写日期`
        : `算不出：${nameOf(days.to)}早于${nameOf(days.from)}`;
    return [{ field: field.key, label: field.name, msg }];
  });
}

/** Checks of the form that fail, reported at the first field that each names. */
export function checkFaults(
  { fields, settings }: Definition,
  form: Readonly<Record<string, unknown>>,
  works?: Works,
): FieldError[] {
  const budget = { left: usualBudget, works };
  return (settings.checks ?? []).flatMap(({ left, op, right, message }) => {
    const [a, b] = [valueOf(left, form, budget), valueOf(right, form, budget)];
    if (a === null || b === null) return [];
    const { result } = evaluate(
      { op, field: 'left', value: b },
      {
        form: { left: a },
        dept_path: [],
        roles: [],
      },
    );
    const key = [...readBy(left), ...readBy(right)][0] ?? '';
    return result
      ? []
      : [{ field: key, label: fields.find((field) => field.key === key)?.name ?? '表单', msg: message }];
  });
}
