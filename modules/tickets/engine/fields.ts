import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { fieldAccess, fieldType, isDeptType, isPeopleType, type FieldAccess } from '#modules/workflows/engine/codes.ts';
import { deptKey } from '#modules/workflows/engine/fields/value-words.ts';
import { isEmpty } from '#modules/workflows/engine/condition.ts';
import { countedDays, pairFault } from '#modules/workflows/engine/check/date-pairs.ts';
import { startOf, type Column, type Definition, type Field, type State } from '#modules/workflows/engine/definition.ts';
import { hasCome, type TicketState } from './state.ts';

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
  if (field.type === fieldType.int && !Number.isInteger(value)) return no('请输入整数');
  if (field.type === fieldType.float && Number(value.toFixed(field.decimals)) !== value)
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
      const read = readValue(column, (line as Record<string, unknown>)[column.key]);
      if ('msg' in read) return no(`第 ${index + 1} 行「${column.name}」${read.msg}`);
      if (read.value !== null) row[column.key] = read.value;
    }
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
    if (column.required && isEmpty(row[column.key])) return `${unfilled}第 ${line} 行「${column.name}」`;
    const msg = pairFault(column, valueOf, nameOf);
    if (msg) return `第 ${line} 行「${column.name}」${msg}`;
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

/**
 * Checks what a request writes in a state. A field that is not there or hidden is refused alike, so nothing can be found out by
 * trying; a read-only one is refused when its value differs. Required fields must have a value afterwards when `complete`.
 */
export function readWrites(
  definition: Definition,
  state: State,
  form: TicketState['form'],
  fields: Readonly<Record<string, unknown>>,
  complete: boolean,
): { changes: Change[]; errors: FieldError[] } {
  const changes: Change[] = [];
  const errors: FieldError[] = [];
  for (const [key, raw] of Object.entries(fields)) {
    const field = definition.fields.find((candidate) => candidate.key === key);
    const access = field ? accessIn(state, key) : fieldAccess.hidden;
    if (!field || access === fieldAccess.hidden) {
      const label = key.slice(0, 50);
      errors.push({ field: label, label, msg: '当前环节没有这个字段' });
      continue;
    }
    const read = readValue(field, raw);
    const before = form[key] ?? null;
    if (access === fieldAccess.read) {
      if ('msg' in read || !sameValue(read.value, before))
        errors.push({ field: key, label: field.name, msg: '在当前环节不能修改' });
    } else if ('msg' in read) errors.push({ field: key, label: field.name, msg: read.msg });
    else if (!sameValue(read.value, before)) changes.push({ key, from: before, to: read.value });
  }
  const valueOf = (key: string) => {
    const change = changes.find((candidate) => candidate.key === key);
    return change ? change.to : form[key];
  };
  for (const { key } of complete ? definition.fields : []) countDays(definition, state, key, valueOf, changes);
  errors.push(...pairFaults(definition, state, valueOf, changes));
  if (complete) {
    for (const field of definition.fields) {
      if (accessIn(state, field.key) !== fieldAccess.required || errors.some((error) => error.field === field.key))
        continue;
      if (isEmpty(valueOf(field.key))) errors.push({ field: field.key, label: field.name, msg: unfilled });
    }
  }
  return { changes, errors };
}

/** Fills in the days between two dates where nobody wrote fewer. */
function countDays(
  definition: Definition,
  state: State,
  key: string,
  valueOf: (key: string) => unknown,
  changes: Change[],
): void {
  const field = definition.fields.find((one) => one.key === key)!;
  const writable = ([fieldAccess.required, fieldAccess.optional] as FieldAccess[]).includes(accessIn(state, key));
  const count = countedDays(field, valueOf);
  if (!writable || count === null || !isEmpty(valueOf(key))) return;
  const read = readValue(field, count);
  if ('value' in read) changes.push({ key, from: null, to: read.value });
}

/** Dates that stand the wrong way round, and more days than there are: told of the field that was written, the later of the two first. */
function pairFaults(
  definition: Definition,
  state: State,
  valueOf: (key: string) => unknown,
  changes: readonly Change[],
): FieldError[] {
  const nameOf = (key: string) => definition.fields.find((one) => one.key === key)?.name ?? key;
  const written = (key: string | undefined) => changes.some((change) => change.key === key);
  return definition.fields.flatMap((field) => {
    const { key, name, not_before, days_between } = field;
    if (![key, not_before, days_between?.from, days_between?.to].some(written)) return [];
    const msg = pairFault(field, valueOf, nameOf);
    if (msg === null) return [];
    const shut = accessIn(state, key) === fieldAccess.hidden || accessIn(state, key) === fieldAccess.read;
    const blamed = shut ? [not_before, days_between?.to, days_between?.from].find(written) : key;
    return blamed
      ? [
          {
            field: blamed,
            label: blamed === key ? name : nameOf(blamed),
            msg: blamed === key ? msg : `与“${name}”不符：${msg}`,
          },
        ]
      : [];
  });
}

function accessIn(state: State, key: string): FieldAccess {
  return (Object.hasOwn(state.access, key) ? state.access[key] : undefined) ?? fieldAccess.hidden;
}

/**
 * What a person sees of the form: in full where a task waits for them; besides, to read only, what they saw in the states they
 * were asked in, what the creator filled in, and what everybody who may look is shown. Fields that are not named stay hidden.
 */
export function visibleFields(definition: Definition, ticket: TicketState, person: number): Map<string, FieldAccess> {
  const stateById = new Map(definition.states.map((state) => [state.id, state]));
  const seen = new Map<string, FieldAccess>(definition.settings.display_form.map((key) => [key, fieldAccess.read]));
  const mine = ticket.tasks.filter((task) => task.assignee === person && hasCome(ticket, task));
  const before = mine.map((task) => task.state_id);
  if (person === ticket.creator) before.push(startOf(definition).id);
  for (const id of before) {
    for (const [key, access] of Object.entries(stateById.get(id)?.access ?? {})) {
      if (access !== fieldAccess.hidden) seen.set(key, fieldAccess.read);
    }
  }
  for (const task of mine.filter((candidate) => candidate.status === 'todo')) {
    for (const [key, access] of Object.entries(stateById.get(task.state_id)?.access ?? {})) {
      if (access === fieldAccess.hidden) seen.delete(key);
      else seen.set(key, task.pooled ? fieldAccess.read : access);
    }
  }
  return seen;
}

/** What people are called, by user name, and departments, by `deptKey`. */
export type Names = ReadonlyMap<string, string>;

/** Keys of the people and departments a field names, those in the rows of a table too. */
export function namedIn(field: Field, value: unknown): string[] {
  const cells = (type: number, cell: unknown): string[] =>
    isPeopleType(type)
      ? [cell ?? []].flat().filter((one) => typeof one === 'string')
      : isDeptType(type)
        ? [cell ?? []].flat().map(deptKey)
        : [];
  if (field.type !== fieldType.table || !Array.isArray(value)) return cells(field.type, value);
  return value.flatMap((row: Record<string, unknown>) =>
    field.columns.flatMap((column) => cells(column.type, row[column.key])),
  );
}

/** Text of a value for titles and notices: labels instead of keys of choices, people and departments by the names they are called. */
export function shownValue(field: Field, value: unknown, names: Names): string {
  if (isEmpty(value)) return '';
  if (isPeopleType(field.type) || isDeptType(field.type))
    return namedIn(field, value)
      .map((key) => names.get(key) ?? key)
      .join('、');
  const label = (item: unknown) => field.choices.find((choice) => choice.value === item)?.label ?? String(item);
  if (Array.isArray(value))
    return field.type === fieldType.table || field.type === fieldType.file ? '' : value.map(label).join('、');
  if (typeof value === 'boolean') return value ? field.boolean_display.yes : field.boolean_display.no;
  return label(value);
}
