import { unfilled } from '#kernel/contract/refusal.ts';
import { fieldAccess, fieldType, isWholeType, type FieldAccess } from '#modules/workflows/engine/codes.ts';
import { countedDays, pairFault } from '#modules/workflows/engine/check/date-pairs.ts';
import { isEmpty } from '#modules/workflows/engine/condition.ts';
import type { Column, Field, State } from '#modules/workflows/engine/definition.ts';
import { isIdentityNumber } from '#modules/workflows/engine/fields/identity-number.ts';
import { withRow } from '#modules/workflows/engine/formula/settle.ts';

/** A value read from a request: normalised (null when empty), or why it cannot be taken. */
export type Read = { value: unknown } | { msg: string };

const no = (msg: string): Read => ({ msg });
const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const clock = /^([01]\d|2[0-3]):[0-5]\d(?::([0-5]\d))?$/;

/**
 * Reads a value by its field's type. Text is trimmed, numbers may come as digits, users are user names, departments and files are ids, a date
 * is `YYYY-MM-DD`, a time `YYYY-MM-DD HH:mm:ss`. Rich text is only measured here; it must have been sanitised before.
 */
export function readValue(field: Field | Column, raw: unknown): Read {
  if (isEmpty(raw)) return { value: null };
  switch (field.type) {
    case fieldType.note:
      return no('这里只有说明，不能填写');
    case fieldType.phone:
      return typeof raw === 'string' && /^1[3-9]\d{9}$/.test(raw.trim())
        ? { value: raw.trim() }
        : no('请输入 11 位手机号');
    case fieldType.identity: {
      const number = typeof raw === 'string' ? raw.trim().toUpperCase() : '';
      return isIdentityNumber(number) ? { value: number } : no('身份证号不正确，请逐位核对 18 位号码');
    }
    case fieldType.rating:
      return readNumber({ ...field, min: field.min ?? 1, max: field.max ?? 5 }, raw);
    case fieldType.money:
      return readNumber({ ...field, min: field.min ?? 0, decimals: 2 }, raw);
    case fieldType.int:
    case fieldType.float:
      return readNumber(field, raw);
    case fieldType.bool:
      if (raw === true || raw === 1 || raw === '1' || raw === 'true') return { value: true };
      return raw === false || raw === 0 || raw === '0' || raw === 'false' ? { value: false } : no('请选择是或否');
    case fieldType.date:
      return typeof raw === 'string' && isDay(raw) ? { value: raw } : no('请输入正确的日期，如 2026-03-01');
    case fieldType.datetime:
      return readTime(raw);
    case fieldType.radio:
    case fieldType.select:
      return field.choices.some((choice) => choice.value === raw) ? { value: raw } : no('请从选项中选择');
    case fieldType.checkbox:
    case fieldType.multiSelect:
      return readList(
        raw,
        field.choices.length,
        (item) => field.choices.some((choice) => choice.value === item),
        '请从选项中选择',
      );
    case fieldType.user:
      return isUsername(raw) ? { value: raw } : no('请选择用户');
    case fieldType.users:
      return readList(raw, field.max ?? 100, isUsername, '请选择用户');
    case fieldType.dept:
      return isRowId(raw) ? { value: raw } : no('请选择部门');
    case fieldType.depts:
      return readList(raw, field.max ?? 50, isRowId, '请选择部门');
    case fieldType.file:
      return readList(raw, field.max ?? 20, isRowId, '请重新上传附件');
    case fieldType.table:
      return 'columns' in field ? readTable(field, raw) : no('列不能是表格');
    default:
      return readText(field, raw);
  }
}

const usualLength: Partial<Record<number, number>> = { [fieldType.string]: 200, [fieldType.richtext]: 50_000 };

function readText(field: Field | Column, raw: unknown): Read {
  if (typeof raw !== 'string') return no('请输入文字');
  const value = raw.trim();
  const max = field.max_length ?? usualLength[field.type] ?? 5000;
  if (value.length > max) return no(`最多 ${max} 个字，现在有 ${value.length} 个`);
  if (value.includes('\0')) return no('含有无法保存的字符');
  return field.type === fieldType.string && /\p{Cc}/u.test(value) ? no('不能包含控制字符') : { value };
}

function readNumber(field: Field | Column, raw: unknown): Read {
  const value = typeof raw === 'string' && /^-?\d{1,15}(\.\d{1,6})?$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 1e13) return no('请输入数字');
  if (isWholeType(field.type) && !Number.isInteger(value)) return no('请输入整数');
  if (!isWholeType(field.type) && Number(value.toFixed(field.decimals)) !== value)
    return no(`最多 ${field.decimals} 位小数`);
  if (field.min !== undefined && value < field.min) return no(`不能小于 ${field.min}`);
  if (field.max !== undefined && value > field.max) return no(`不能大于 ${field.max}`);
  return { value: value === 0 ? 0 : value };
}

function readTime(raw: unknown): Read {
  const [date = '', time = '', ...more] = typeof raw === 'string' ? raw.trim().split(/[ T]/) : [];
  const seconds = clock.exec(time);
  if (!seconds || more.length > 0 || !isDay(date)) return no('请输入正确的时间，如 2026-03-01 09:30:00');
  return { value: `${date} ${seconds[2] === undefined ? `${time}:00` : time}` };
}

function isDay(text: string): boolean {
  const parts = day.exec(text);
  if (!parts) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function readList(raw: unknown, max: number, fits: (item: unknown) => boolean, otherwise: string): Read {
  if (!Array.isArray(raw) || !raw.every(fits)) return no(otherwise);
  if (new Set(raw).size !== raw.length) return no('不能重复');
  return raw.length > max ? no(`最多 ${max} 项，现在有 ${raw.length} 项`) : { value: raw };
}

const isUsername = (raw: unknown) => typeof raw === 'string' && /^[A-Za-z0-9_.-]{2,50}$/.test(raw);
const isRowId = (raw: unknown) => Number.isInteger(raw) && (raw as number) > 0 && (raw as number) <= 2_147_483_647;

function readTable(field: Field, raw: unknown): Read {
  if (!Array.isArray(raw)) return no('请逐行填写');
  if (raw.length > field.max_rows) return no(`最多 ${field.max_rows} 行，现在有 ${raw.length} 行`);
  const rows: Record<string, unknown>[] = [];
  for (const [index, line] of raw.entries()) {
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return no(`第 ${index + 1} 行格式不正确`);
    const row: Record<string, unknown> = {};
    for (const key of Object.keys(line)) {
      if (!field.columns.some((column) => column.key === key))
        return no(`第 ${index + 1} 行有未知的列“${key.slice(0, 50)}”`);
    }
    for (const column of field.columns) {
      if (column.formula) continue;
      const read = readValue(column, (line as Record<string, unknown>)[column.key]);
      if ('msg' in read) return no(`第 ${index + 1} 行“${column.name}”${read.msg}`);
      if (read.value !== null) row[column.key] = read.value;
    }
    Object.assign(row, withRow(field.columns, row));
    const wrong = rowFault(field.columns, row, index + 1);
    if (wrong) return no(wrong);
    rows.push(row);
  }
  return { value: rows };
}

/** Fills in the days of a row where nobody wrote fewer; then what is wrong with it as a whole, in words. */
function rowFault(columns: readonly Column[], row: Record<string, unknown>, line: number): string | null {
  const valueOf = (key: string) => row[key];
  for (const column of columns) {
    const count = isEmpty(row[column.key]) ? countedDays(column, valueOf) : null;
    const read = count === null ? null : readValue(column, count);
    if (read && 'value' in read) row[column.key] = read.value;
  }
  const nameOf = (key: string) => columns.find((one) => one.key === key)?.name ?? key;
  for (const column of columns) {
    if (column.required && !column.formula && isEmpty(row[column.key]))
      return `${unfilled}第 ${line} 行“${column.name}”`;
    const msg = pairFault(column, valueOf, nameOf);
    if (msg) return `第 ${line} 行“${column.name}”${msg}`;
  }
  return null;
}

export function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

export interface Change {
  key: string;
  from: unknown;
  to: unknown;
}

export function accessIn(state: State, key: string): FieldAccess {
  return (Object.hasOwn(state.access, key) ? state.access[key] : undefined) ?? fieldAccess.hidden;
}
