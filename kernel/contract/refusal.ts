/** Codes of the envelope; everything but 0 is a refusal. The specification's error catalogue says how each is shown. */
export const codes = {
  ok: 0,
  refused: -1,
  signedOut: 401,
  invalid: 4000,
  forbidden: 4003,
  absent: 4004,
  conflict: 4009,
  notNow: 4010,
  stale: 4011,
  tooMany: 4029,
  fault: 5000,
} as const;

export type RefusalCode = Exclude<(typeof codes)[keyof typeof codes], 0>;

/** A declared answer other than success: a sentence for the caller, and data that a page may need to recover. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly data: unknown;
  constructor(code: RefusalCode, message: string, data: unknown = null) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.data = data;
  }
}

export interface RefusalKind<A extends unknown[]> {
  (...values: A): Refusal;
  readonly code: RefusalCode;
}

/**
 * Declares a kind of refusal. `say` builds the Chinese sentence from the values that caused it, `data` the data sent with it. A handler throws
 * `kind(values)`.
 */
export function refusal<A extends unknown[]>(
  code: RefusalCode,
  say: (...values: A) => string,
  data?: (...values: A) => unknown,
): RefusalKind<A> {
  return Object.assign((...values: A) => new Refusal(code, say(...values), data?.(...values) ?? null), { code });
}

/** True for a refusal because of what was given, which is refused again whenever it is tried; false while something is busy, away or lost. */
export const isForGood = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.code === codes.refused || error.code === codes.invalid);

/** The message of a required field that is empty; the field's label stands beside it. */
export const unfilled = '请填写';

export interface FieldError {
  field: string;
  label: string;
  msg: string;
}

export const signedOut = refusal(codes.signedOut, () => '登录状态已过期，请重新登录');
export const forbidden = refusal(codes.forbidden, (action: string) => `没有“${action}”的权限，请联系管理员开通`);
export const notOverAll = refusal(
  codes.forbidden,
  (action: string) => `“${action}”影响整个单位，须有数据范围为“全部”的权限，请联系系统管理员`,
);
export const absent = refusal(codes.absent, (what: string) => `${what}不存在，或您无权查看`);
/** Raised by the database itself (migrations/0070-departments.sql) for every row that refers to a deleted department. */
export const deptGone = refusal(codes.refused, (name: string) => `部门“${name}”已删除，请改选现有的部门后再提交`);
export const stale = refusal(
  codes.stale,
  (what: string, _current: unknown) => `${what}刚被他人修改，请核对最新内容后再提交`,
  (_what, current) => ({ current }),
);
export const tooMany = refusal(
  codes.tooMany,
  (what: string, seconds: number) => `${what}过于频繁，请 ${waitText(seconds)}后再试`,
  (_what, seconds) => ({ retry_after: Math.ceil(seconds) }),
);
export const invalid = refusal(
  codes.invalid,
  (errors: FieldError[]) => errors.map((e) => `${e.label}：${e.msg}`).join('；'),
  (errors) => ({ errors }),
);

function waitText(seconds: number): string {
  if (seconds > 10_800) return `${Math.ceil(seconds / 3600)} 小时`;
  return seconds >= 90 ? `${Math.ceil(seconds / 60)} 分钟` : `${Math.max(1, Math.ceil(seconds))} 秒`;
}
