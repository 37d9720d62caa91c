/** The words before the trace id in a failure's message. */
export const quoting = '，问题编号 ';

function traceOf(data: unknown): string {
  const id = (data as { trace_id?: unknown } | null | undefined)?.trace_id;
  return typeof id === 'string' ? id : '';
}

/** The failure of a call. `code` is the envelope's, 0 without an envelope; `status` is HTTP's, 0 if no answer came. */
export class CallFailed extends Error {
  readonly kind: 'refused' | 'status' | 'network' | 'timeout';
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  readonly status: number;

  private constructor(kind: CallFailed['kind'], code: number, msg: string, data: unknown, status: number) {
    super(msg);
    this.name = 'CallFailed';
    this.kind = kind;
    this.code = code;
    this.msg = msg;
    this.data = data;
    this.status = status;
  }

  static refused(answer: { code: number; msg: string; data: unknown }, status: number): CallFailed {
    return new CallFailed('refused', answer.code, answer.msg, answer.data, status);
  }
  static status(status: number, answer: { code: number; msg: string; data: unknown } | null): CallFailed {
    // A busy server explains itself in its message; a proxy before it sends no envelope.
    const trace = traceOf(answer?.data);
    const msg = status === 503 && answer ? answer.msg : `系统接口${status}异常${trace && quoting + trace}`;
    return new CallFailed('status', answer?.code ?? 0, msg, answer?.data ?? null, status);
  }
  static network(): CallFailed {
    return new CallFailed('network', 0, '后端接口连接异常', null, 0);
  }
  static outdated(): CallFailed {
    return new CallFailed('network', 0, '系统已更新到新版本，请刷新页面后继续，填写的内容已存为草稿', null, 0);
  }
  static timeout(): CallFailed {
    return new CallFailed('timeout', 0, '系统接口请求超时', null, 0);
  }

  /** The id of this failure in the server's log, or ''. */
  get trace(): string {
    return traceOf(this.data);
  }
  /** True if an earlier request with the same key was done, and this one differs from it. */
  get sentBefore(): boolean {
    return (this.data as { sent_before?: unknown } | null)?.sent_before === true;
  }
  /** True if the database is away, so that the same request may be sent again soon. */
  get awaits(): boolean {
    return this.status === 503 && (this.data as { saving_waits?: unknown } | null)?.saving_waits === true;
  }
  /** True if the server may not have processed the attempt, so that sending it again must carry the same key. */
  get unanswered(): boolean {
    return this.kind !== 'refused';
  }
}
