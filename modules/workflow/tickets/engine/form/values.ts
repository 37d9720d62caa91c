import { charactersIn } from '#kernel/contract/words/cut.ts';
import { readCell, type CellRead } from '#kernel/contract/sheet/cells.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';
import { plainCode } from '#kernel/contract/words/plainly.ts';
import { isWritten, noSuchDay } from '#kernel/contract/words/wording.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { isDay, isOfOurYears, ofOurYears, seenOf, severalLines, withPlainBreaks } from '#kernel/contract/shapes.ts';
import { fieldAccess, fieldType, isWholeType } from '#modules/workflow/workflows/engine/codes.ts';
import { pairFault } from '#modules/workflow/workflows/engine/check/date-pairs.ts';
import { isEmpty } from '#modules/workflow/workflows/engine/condition.ts';
import type { Column, Field } from '#modules/workflow/workflows/engine/definition.ts';
import { choiceTree, isWholePath, type ChoiceNode } from '#modules/workflow/workflows/engine/fields/choice-tree.ts';
import { isIdentityNumber } from '#modules/workflow/workflows/engine/fields/identity-number.ts';
import { placeLength } from '#modules/workflow/workflows/engine/fields/place.ts';
import { regions } from '#modules/workflow/workflows/engine/fields/regions.ts';
import {
  isWritable,
  lackingCell,
  openColumns,
  type Columns,
} from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowMark, type TableRow } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { withRow } from '#modules/workflow/workflows/engine/formula/settle.ts';

/** A value read from a request: normalised (null if empty), or the reason it is invalid. */
export type Read = { value: unknown } | { msg: string };
/** For writing a table: the writer's rights to its columns, and its previous rows. */
export interface Rows {
  columns: Columns;
  before: readonly TableRow[];
}

const no = (msg: string): Read => ({ msg });
const clock = /^([01]\d|2[0-3]):[0-5]\d(?::([0-5]\d))?$/;

/**
 * Reads a value by its field's type. Text is trimmed, numbers may come as digits, users are user names, departments and files are ids, a date is
 * `YYYY-MM-DD`, a time `YYYY-MM-DD HH:mm:ss`. Rich text is only measured here; it must have been sanitised before. Without `rows` all columns of a
 * table are writable, and it had no rows.
 */
export function readValue(field: Field | Column, raw: unknown, rows?: Rows): Read {
  if (isEmpty(raw)) return { value: null };
  switch (field.type) {
    case fieldType.note:
      return no('这里只有说明，不能填写');
    case fieldType.serial:
      return no('流水号由系统生成，不能填写');
    case fieldType.opinions:
      return no('审批意见由办理人在办理时填写');
    case fieldType.records:
      return readList(raw, field.max ?? 20, isRowId, '请选择关联事项');
    case fieldType.phone:
      return typeof raw === 'string' && mobileOf(raw) ? { value: mobileOf(raw)! } : no('请输入 11 位手机号');
    case fieldType.identity: {
      const number = typeof raw === 'string' ? plainCode(raw).toUpperCase() : '';
      return isIdentityNumber(number) ? { value: number } : no('身份证号不正确，请逐位核对 18 位号码');
    }
    case fieldType.place:
      return readText({ ...field, max_length: placeLength }, raw);
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
      return readDay(raw, '请输入正确的日期，如 2026-03-01');
    case fieldType.dateRange:
      return readRange(raw);
    case fieldType.region:
      return readPath(regions, raw, field.max ?? 3, '请选择省市区，选到最后一级');
    case fieldType.cascade:
      return readPath(choiceTree(field.choices), raw, undefined, '请从选项中选择，选到最后一级');
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
    case fieldType.image:
      return readList(raw, field.max ?? 20, isRowId, '请重新上传图片');
    case fieldType.table:
      return 'columns' in field
        ? readTable(field, raw, rows ?? { columns: openColumns(field), before: [] })
        : no('列不能是表格');
    default:
      return readText(field, raw);
  }
}

const usualLength: Partial<Record<number, number>> = { [fieldType.string]: 200, [fieldType.richtext]: 50_000 };

function readText(field: Field | Column, raw: unknown): Read {
  if (typeof raw !== 'string') return no('请输入文字');
  const value = seenOf(withPlainBreaks(raw));
  const max = field.max_length ?? usualLength[field.type] ?? 5000;
  const length = charactersIn(value);
  if (length > max) return no(`最多 ${max} 个字，现在有 ${length} 个`);
  const ofOneLine = field.type === fieldType.string || field.type === fieldType.place;
  return (ofOneLine ? /^\P{Cc}*$/u : severalLines).test(value) ? { value } : no('不能包含控制字符');
}

function readNumber(field: Field | Column, raw: unknown): Read {
  const read = typeof raw === 'string' ? numberCell(field.type === fieldType.money, raw) : { text: '' };
  if ('asks' in read) return no(read.asks);
  const value = /^-?\d{1,15}(\.\d{1,6})?$/.test(read.text) ? Number(read.text) : raw;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 1e13) return no('请输入数字');
  if (isWholeType(field.type) && !Number.isInteger(value)) return no('请输入整数');
  if (!isWholeType(field.type) && Number(value.toFixed(field.decimals)) !== value)
    return no(`最多 ${field.decimals} 位小数`);
  if (field.min !== undefined && value < field.min) return no(`不能小于 ${field.min}`);
  if (field.max !== undefined && value > field.max) return no(`不能大于 ${field.max}`);
  return { value: value === 0 ? 0 : value };
}

function readTime(raw: unknown): Read {
  const read = typeof raw === 'string' ? readCell('moment', raw) : { text: '' };
  if ('asks' in read) return no(read.asks);
  const [date = '', time = ''] = read.text.split(' ');
  if (isWritten(date) && !isDay(date)) return no(noSuchDay(date));
  // A day alone says no time, though a sheet takes its beginning for one.
  if (!isDay(date) || !clock.test(time) || !/[:：]/.test(String(raw)))
    return no('请输入正确的时间，如 2026-03-01 09:30:00');
  return isOfOurYears(date) ? { value: read.text } : no(ofOurYears('时间'));
}

/** A day as offices write it; `otherwise` is said of what is none. */
function readDay(raw: unknown, otherwise: string): { value: string } | { msg: string } {
  const read = typeof raw === 'string' ? readCell('day', raw) : { text: '' };
  if ('asks' in read) return { msg: read.asks };
  const { text } = read;
  if (isDay(text)) return isOfOurYears(text) ? { value: text } : { msg: ofOurYears('日期') };
  return { msg: isWritten(text) ? noSuchDay(text) : otherwise };
}

/** The normal form of a typed number or amount, or what must be asked about it. */
function numberCell(isMoney: boolean, typed: string): CellRead {
  const read = readCell(isMoney ? 'money' : 'number', typed);
  // An amount below nought is none of those that are read as money.
  return isMoney && 'text' in read && read.text === typed ? readCell('number', typed) : read;
}

function readRange(raw: unknown): Read {
  const otherwise = '请填写开始日期和结束日期，如 2026-03-01 至 2026-03-05';
  const [first, last, ...more] = Array.isArray(raw) ? (raw as unknown[]) : [];
  if (more.length > 0) return no(otherwise);
  const [from, to] = [readDay(first, otherwise), readDay(last, otherwise)];
  if ('msg' in from) return from;
  if ('msg' in to) return to;
  return from.value <= to.value
    ? { value: [from.value, to.value] }
    : no(`结束日期 ${to.value} 早于开始日期 ${from.value}`);
}

function readPath(nodes: readonly ChoiceNode[], raw: unknown, levels: number | undefined, otherwise: string): Read {
  return Array.isArray(raw) && raw.length <= 10 && isWholePath(nodes, raw, levels) ? { value: raw } : no(otherwise);
}

function readList(raw: unknown, max: number, fits: (item: unknown) => boolean, otherwise: string): Read {
  if (!Array.isArray(raw) || !raw.every(fits)) return no(otherwise);
  if (new Set(raw).size !== raw.length) return no('不能重复');
  return raw.length > max ? no(`最多 ${max} 项，现在有 ${raw.length} 项`) : { value: raw };
}

const isUsername = (raw: unknown) => typeof raw === 'string' && /^[A-Za-z0-9_.-]{2,50}$/.test(raw);
const isRowId = (raw: unknown) => Number.isInteger(raw) && (raw as number) > 0 && (raw as number) <= 2_147_483_647;

function readTable(field: Field, raw: unknown, { columns, before }: Rows): Read {
  if (!Array.isArray(raw)) return no('请逐行填写');
  if (raw.length > field.max_rows) return no(`最多 ${field.max_rows} 行，现在有 ${raw.length} 行`);
  const rows: TableRow[] = [];
  const taken = new Set<number>();
  for (const [index, line] of raw.entries()) {
    const say = (msg: string) => no(`第 ${index + 1} 行${msg}`);
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return say('格式不正确');
    const { [rowMark]: mark = index < before.length ? index + 1 : 0, ...cells } = line as Record<string, unknown>;
    if (
      !Number.isInteger(mark) ||
      (mark as number) < 0 ||
      (mark as number) > before.length ||
      taken.has(mark as number)
    )
      return say('对应的原有行不正确，请刷新后重新填写');
    if (mark !== 0) taken.add(mark as number);
    const row = readRow(field, cells, { columns, was: before[(mark as number) - 1] ?? {} });
    if ('msg' in row) return say(row.msg);
    // Computed dates may be in the wrong order as well.
    const wrong = rowFault(field, row.value, columns);
    if (wrong) return say(wrong);
    rows.push(row.value);
  }
  const lacking = lackingCell(field, { access: fieldAccess.optional, columns }, rows);
  return lacking ? no(`${unfilled}第 ${lacking.line} 行“${lacking.name}”`) : { value: rows };
}

/** The cells of a row; those that the writer may not change keep their old value. */
function readRow(
  field: Field,
  cells: TableRow,
  { columns, was }: { columns: Columns; was: TableRow },
): { value: Record<string, unknown> } | { msg: string } {
  const row: Record<string, unknown> = {};
  for (const key of Object.keys(cells)) if (!columns.has(key)) return { msg: `有未知的列“${key.slice(0, 50)}”` };
  for (const column of field.columns) {
    const { key, name, formula, days_between } = column;
    if (formula) continue;
    // Days that are sent are only compared with the dates, which determine their number.
    const open = isWritable(columns.get(key)) || days_between !== undefined;
    const read = open || Object.hasOwn(cells, key) ? readValue(column, cells[key]) : { value: was[key] ?? null };
    if (!open && ('msg' in read || !sameValue(read.value, was[key]))) return { msg: `“${name}”在当前环节不能修改` };
    if ('msg' in read) return { msg: `“${name}”${read.msg}` };
    if (read.value !== null) row[key] = read.value;
  }
  const wrong = rowFault(field, row, columns);
  return wrong ? { msg: wrong } : { value: { ...withRow(field.columns, row) } };
}

/** The error of a row's dates, in words. Columns the writer does not see are not mentioned. */
function rowFault(field: Field, row: TableRow, columns: Columns): string | null {
  const valueOf = (key: string) => (columns.has(key) ? row[key] : undefined);
  const nameOf = (key: string) => field.columns.find((one) => one.key === key)?.name ?? key;
  for (const column of field.columns) {
    const msg = columns.has(column.key) ? pairFault(column, valueOf, nameOf) : null;
    if (msg) return `“${column.name}”${msg}`;
  }
  return null;
}

/** Compares values regardless of the order of cells in their rows: the database keeps its own order. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  const [ours, theirs] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    ours.length === Object.keys(b).length &&
    ours.every(([key, value]) => Object.hasOwn(theirs, key) && sameValue(value, theirs[key]))
  );
}

export interface Change {
  key: string;
  from: unknown;
  to: unknown;
}
