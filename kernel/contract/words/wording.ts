import type { core } from 'zod';

/** Returns the message for a value that does not fit, if its contract has none. */
export function wording(issue: Pick<core.$ZodIssue, 'code'> & object): string {
  const wrong = issue as core.$ZodIssue;
  switch (wrong.code) {
    case 'invalid_type':
      return kinds[wrong.expected] ?? misshapen;
    case 'too_small':
      if (Number(wrong.minimum) <= Number.MIN_SAFE_INTEGER) return '数字过小';
      return `${least(wrong.origin, wrong.inclusive)} ${String(wrong.minimum)}${units[wrong.origin] ?? ''}`;
    case 'too_big':
      if (Number(wrong.maximum) >= Number.MAX_SAFE_INTEGER) return '数字过大';
      return `${most(wrong.origin, wrong.inclusive)} ${String(wrong.maximum)}${units[wrong.origin] ?? ''}`;
    case 'not_multiple_of':
      return `应为 ${wrong.divisor} 的倍数`;
    case 'invalid_value':
      return '不在可选的范围内，请重新选择';
    case 'unrecognized_keys':
      return '含有多余的内容，请删去后再提交';
    case 'invalid_format':
      if (wrong.format === 'date' && isWritten(wrong.input)) return noSuchDay(wrong.input);
      return formats[wrong.format] ?? misshapen;
    default:
      return misshapen;
  }
}

export const noSuchDay = (day: string): string => `没有 ${day} 这一天，请核对`;
/** True if the text has the form of a date, so that the day itself cannot exist. */
export const isWritten = (input: unknown): input is string =>
  typeof input === 'string' && /^\d{4}-\d\d-\d\d$/.test(input);

const misshapen = '格式不正确';
const kinds: Readonly<Record<string, string>> = {
  number: '请填写数字',
  int: '请填写整数',
  boolean: '请选择是或否',
  string: '请填写文字',
};
const formats: Readonly<Record<string, string>> = {
  email: '邮箱格式不正确',
  url: '请填写完整的网址',
  date: '请按 2026-03-01 的格式填写日期',
};
const units: Readonly<Record<string, string>> = { string: ' 个字', array: ' 项', set: ' 项' };
const least = (origin: string, inclusive = true) => (units[origin] ? '至少' : inclusive ? '不能小于' : '应大于');
const most = (origin: string, inclusive = true) => (units[origin] ? '最多' : inclusive ? '不能大于' : '应小于');
