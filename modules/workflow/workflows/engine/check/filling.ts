import { fieldType, isNumberType, isWholeType } from '../codes.ts';
import type { Column, Definition, Field } from '../definition.ts';
import { whyUnfitDefault } from './never.ts';
import { on, type Problem } from './problem.ts';

/** The largest absolute number that a form accepts. */
const farthest = 1e13;
const several: readonly number[] = [
  fieldType.users,
  fieldType.depts,
  fieldType.file,
  fieldType.image,
  fieldType.records,
];

/** Fields and required columns that no value fits: whoever must fill them in could not go on. */
export function fillingProblems({ fields }: Definition): Problem[] {
  return fields.flatMap((field) => {
    const own = whyUnfillable(field) ?? whyUnfitDefault(field);
    const columns = field.columns.flatMap((column) => {
      const why = whyUnfillable(column);
      return why === null ? [] : [`字段“${field.name}”的列“${column.name}”${why}`];
    });
    return [...(own === null ? [] : [`字段“${field.name}”${own}`]), ...columns].map((msg) => on(field, msg));
  });
}

function whyUnfillable({ type, min = -farthest, max, decimals }: Field | Column): string | null {
  if (several.includes(type)) return max !== undefined && max < 1 ? `最多 ${max} 项，一项也选不了，请改大或去掉` : null;
  if (!isNumberType(type)) return null;
  const most = max ?? farthest;
  if (min > most) return `最小 ${min}，最大 ${most}，没有数字能填，请修改`;
  const unit = isWholeType(type) ? 1 : 10 ** decimals;
  const whole = (value: number, round: (value: number) => number) => round(Number((value * unit).toPrecision(15)));
  const first = whole(Math.max(min, -farthest), Math.ceil);
  if (first <= whole(Math.min(most, farthest), Math.floor)) return null;
  const what = isWholeType(type) ? '整数' : `${decimals} 位以内小数的数字`;
  return `最小 ${min}，最大 ${most}，之间没有${what}能填，请修改`;
}
