import { z, type core } from 'zod';
import type { Call } from '#kernel/contract/call.ts';
import { labelOf } from '#kernel/contract/words/labels.ts';
import { wording } from '#kernel/contract/words/wording.ts';
import type { SavingWaits } from '#kernel/contract/busy.ts';
import { codes, deptGone, invalid, Refusal, unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { isWholeList, namesIn } from '../list/whole-list.ts';
import { databaseFault } from '../db/db.ts';
import { halfCharacterIn } from './half-characters.ts';

z.config({ localeError: wording });

/** The shape of every answer under /api. Only this file and the client know it. */
export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

export function success(data: unknown, message: string | undefined): Envelope {
  return { code: codes.ok, msg: message ?? '成功', data: data ?? null };
}

export function refused(refusal: Refusal): Envelope {
  return { code: refusal.code, msg: refusal.message, data: refusal.data };
}

export function fault(traceId: string): Envelope {
  return {
    code: codes.fault,
    msg: `服务器处理出错，请稍后重试；反复出现时请把编号 ${traceId} 告诉管理员`,
    data: { trace_id: traceId },
  };
}

/** The status with which an external protocol answers a refusal; null stands for a fault of ours. */
export function statusOf(refusal: Refusal | null): number {
  switch (refusal?.code) {
    case codes.signedOut:
    case codes.forbidden:
      return 401;
    case codes.absent:
      return 404;
    case codes.conflict:
    case codes.stale:
      return 409;
    case codes.tooMany:
      return 429;
    case codes.invalid:
    case codes.refused:
      return 400;
    default:
      return 500;
  }
}

/** Seconds after which a caller who met too much load may try again. */
export const busySeconds = 5;
export const busy = (): Envelope => transport(503, '系统繁忙，请稍后再试');

/** Seconds after which the database may be back. */
export const awaySeconds = 3;
const awaySaid = {
  reading: '数据库正在恢复，暂时查不到，请稍后再试',
  waits: '数据库正在恢复，现在只能查看、不能保存，请稍后再试',
  older: '数据库的内容比最后保存的旧，为免丢失已保存的内容，现在只能查看、不能保存，请通知系统管理员',
};
/** The answer while the database is away: for data that cannot be read, and for data that cannot be saved. */
export const away = (what: 'reading' | SavingWaits): Envelope => ({
  code: 503,
  msg: awaySaid[what],
  data: { saving_waits: true },
});

/** Failures of transport keep their HTTP status and still carry the envelope. */
export function transport(status: number, message: string): Envelope {
  return { code: status, msg: message, data: null };
}

const duplicate = new Refusal(codes.conflict, '与已有记录重复，请修改后再提交');
const inUse = new Refusal(codes.refused, '该记录仍被其他内容使用，或所选内容已不存在，请刷新后重试');
const overlaps = new Refusal(codes.conflict, '与已有的占用时间冲突，请调整后再提交');
const unkeepable = new Refusal(codes.invalid, '提交的内容里有无法保存的字符或超出范围的数字，请修改后再提交');
const tooSlow = new Refusal(codes.refused, '查询范围过大，请增加筛选条件后再试');

/** The refusal behind an error, also if only the database refused. Null for a bug. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const fault = databaseFault(error);
  if (fault?.constraint === 'dept_is_there') return deptGone(fault.detail!);
  switch (fault?.code) {
    case '23505':
      return duplicate;
    case '23503':
      return inUse;
    case '23P01':
      return overlaps;
    // A character that no text can hold (22021, 22P05), or a number, day or moment that no column can hold.
    case '22021':
    case '22P05':
    case '22003':
    case '22007':
    case '22008':
      return unkeepable;
    case '57014':
      return tooSlow;
    default:
      return null;
  }
}

/**
 * The SQLSTATE for which the same transaction may succeed when run again; for a server that no longer accepts writes, on another one. Null for any
 * other failure.
 */
export function transientState(error: unknown): string | null {
  const state = databaseFault(error)?.code ?? '';
  return ['40001', '40P01', '25006'].includes(state) ? state : null;
}

/** Parses a request; fields that do not fit become one refusal with a sentence for each. */
export function parsed<S extends core.$ZodType>(schema: S | undefined, value: unknown): core.output<S> {
  if (!schema) return undefined as core.output<S>;
  refuseHalfCharacters(schema, value);
  const result = z.core.safeParse(schema, value);
  if (!result.success) throw invalid(fieldErrors(schema, value, result.error.issues));
  // Text that contains JSON can only be checked now.
  refuseHalfCharacters(schema, result.data);
  return result.data;
}

const knownNames = new WeakMap<Call, ReadonlySet<string> | null>();

/**
 * Refuses query names that a call does not know, for signed-in callers: nobody should take the whole list for a filtered one. Addresses that are
 * opened from outside are exempt, because programs that show them add names of their own.
 */
export function refuseUnknownNames(call: Call, query: Readonly<Record<string, unknown>>): void {
  const { access, method } = call;
  if (method !== 'GET' || (access.kind !== 'grant' && access.kind !== 'session')) return;
  if ('address' in access || 'token' in access) return;
  let known = knownNames.get(call);
  if (known === undefined) knownNames.set(call, (known = call.query ? namesIn(call.query) : new Set()));
  const isTaken = (key: string) => key === 'export' || known?.has(key) || (key === 'search_value' && isWholeList(call));
  const keys = known && Object.keys(query).filter((key) => !isTaken(key));
  if (keys && keys.length > 0) throw invalid(keys.slice(0, mostErrors).map((key) => unknownField([key])));
}

function refuseHalfCharacters(schema: core.$ZodType, value: unknown): void {
  const half = halfCharacterIn(value);
  if (half)
    throw invalid([{ field: half.join('.'), label: labelOf(schema, half), msg: '含有不完整的字符，请删去或重新输入' }]);
}

const mostErrors = 20;
function fieldErrors(schema: core.$ZodType, value: unknown, issues: readonly core.$ZodIssue[]): FieldError[] {
  const told = issues
    .slice(0, mostErrors)
    .flatMap((issue) => unknownFields(issue) ?? [fieldError(schema, value, issue)]);
  return told.slice(0, mostErrors);
}

const fieldError = (schema: core.$ZodType, value: unknown, issue: core.$ZodIssue): FieldError => ({
  field: issue.path.join('.'),
  label: labelOf(schema, issue.path),
  msg: missing(value, issue) ? unfilled : issue.message,
});

/** An error for each field that the contract does not have, by the name it was sent with, in the contract's own words if it has some. */
function unknownFields(issue: core.$ZodIssue): FieldError[] | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const own = issue.message === wording(issue) ? undefined : issue.message;
  return issue.keys.slice(0, mostErrors).map((key) => unknownField([...issue.path, key], own));
}

const unknownField = (path: readonly PropertyKey[], msg = '没有这一项，请删去或改正后再提交'): FieldError => ({
  field: path.join('.'),
  label: `“${String(path.at(-1)).slice(0, 50)}”`,
  msg,
});

/** True if a field was not sent and its contract has no message of its own for that. */
function missing(value: unknown, issue: core.$ZodIssue): boolean {
  if (issue.path.length === 0 || issue.message !== wording(issue)) return false;
  let at: unknown = value;
  for (const step of issue.path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return at === undefined || at === null || at === '';
}
