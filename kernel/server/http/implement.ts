import type { Readable } from 'node:stream';
import type { core } from 'zod';
import type {
  Access,
  BodyOf,
  Call,
  Calls,
  FileReplyMark,
  ParamsOf,
  ProtocolReplyMark,
  QueryOf,
  TokenAccess,
} from '#kernel/contract/call.ts';
import type { Cookies } from './cookies.ts';
import type { Db } from '../db/db.ts';
import type { Viewer, ViewerOf } from '../access/viewer.ts';
import type { Services } from '../services.ts';
import { handlersOf } from '../generic.ts';

export interface Origin {
  ip: string;
  userAgent: string;
  traceId: string;
}

/** The request as it came, for protocols that use headers and sign addresses; nothing of it is believed. */
export interface Wire {
  /** Path and query. */
  url: string;
  header(name: string): string | undefined;
}

export interface UploadedFile {
  name: string;
  bytes: Buffer;
}

/** Bytes that are still arriving: to be read once, in `before`. The stream fails if the sender leaves half-way. */
export interface Incoming {
  /** The name as the sender spells it; '' for a raw body. */
  name: string;
  stream: Readable;
}

/** The input of a caller, parsed by the contract. */
export interface Input<C> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** Present only if the contract takes an `upload`. */
  file: UploadedFile;
  /** Present only if the contract takes the upload as a `stream`. */
  incoming: Incoming;
  /** The request itself if it claims to be signed as a web hook; nothing of it is believed yet. */
  signedBody: SignedBody | null;
}

/** A request signed as in the Standard Webhooks specification, by a system that shares a secret with us. */
export interface SignedBody {
  id: string;
  /** Seconds since 1970, as text. */
  timestamp: string;
  signature: string;
  /** The body as it arrived. */
  body: string;
}

/** The change of a write, for the audit log: the record and its business fields before and after. */
export interface Change {
  type: string;
  id?: number | string | null;
  title?: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

export interface Context<C extends Call = Call> {
  tx: Db;
  user: ViewerOf<C['access']>;
  now: Date;
  origin: Origin;
  cookies: Cookies;
  wire: Wire;
  services: Services;
  /** Adds a change to this call's row in the audit log. */
  audit(change: Change): void;
  /** Work of a call with `notesReading`: done in one writing transaction before its answer is sent. */
  afterReading(work: AfterReading): void;
}

export type AfterReading = (tx: Db) => Promise<void>;

/** The context of work that no request asked for: nothing of it reaches a browser, and it adds nothing to the operation log. */
export const withoutRequest = (
  tx: Db,
  user: Viewer,
  now: Date,
  traceId: string,
): Omit<Context, 'user'> & { user: Viewer } => ({
  tx,
  user,
  now,
  origin: { ip: '', userAgent: '', traceId },
  cookies: { get: () => undefined, set: () => undefined },
  wire: { url: '', header: () => undefined },
  services: tx.services,
  audit: () => undefined,
  afterReading: () => undefined,
});

/** First and last byte, both sent. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Bytes instead of an envelope. */
export interface FileReply {
  type: string;
  /** A function is called when the answer begins, and may be asked for a part if `size` is given. */
  bytes: Buffer | Readable | ((range?: ByteRange) => Promise<Readable>);
  /** The name of the download; shown inline when absent. */
  name?: string;
  /** Cache-Control; `no-store` when absent. */
  cache?: string;
  size?: number;
  /** The Content-Security-Policy of a page of ours. Without one nothing in the file runs or is sent anywhere. */
  policy?: string;
  /** 200 when absent. */
  status?: number;
  /** Identifies the content: a part is sent only to a client that has the beginning of the same content. */
  tag?: string;
}

/** The whole answer of an external protocol. */
export class ProtocolReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: object | null;
  readonly file: FileReply | null;
  constructor(
    status: number,
    { headers = {}, json, file }: { headers?: Record<string, string>; json?: object; file?: FileReply } = {},
  ) {
    this.status = status;
    this.headers = headers;
    this.json = json ?? null;
    this.file = file ?? null;
  }
}

export type ReplyTo<C> =
  C extends Call<core.$ZodType, core.$ZodType, core.$ZodType, infer R, infer A> ? ReplyBy<R, A> : never;
type ReplyBy<R, A extends Access> = R extends FileReplyMark
  ? FileReply
  : R extends ProtocolReplyMark
    ? ProtocolReply
    : R extends core.$ZodType
      ? core.input<R> | (A extends TokenAccess ? ProtocolReply : never)
      : never;

export type Answer<C extends Call, P = undefined> = (
  input: Input<C> & { prepared: P },
  context: Context<C>,
) => Promise<ReplyTo<C>> | ReplyTo<C>;

/** A handler whose slow first part (hashing, sheets, pictures, other servers) must not hold a database connection. */
export interface Staged<C extends Call, P> {
  before(input: Input<C>, context: Omit<Context<C>, 'tx' | 'audit' | 'afterReading'> & { read: Db }): Promise<P>;
  // A method: only `staged` knows the type of the prepared value, which is the same on both sides.
  run(...given: Parameters<Answer<C, P>>): ReturnType<Answer<C, P>>;
}

export type Handler<C extends Call> = Answer<C> | Staged<C, unknown>;

/** Ties `before` and `run` together by the type of the prepared value. */
export function staged<C extends Call, P>(_call: C, stages: Staged<C, P>): Staged<C, unknown> {
  return stages;
}

export interface Mounted {
  module: string;
  name: string;
  call: Call;
  handler: Handler<Call>;
}

export interface ServerModule {
  name: string;
  calls: readonly Mounted[];
}

/** One handler for each call of a contract; a missing handler or a wrong reply does not compile. */
export function implement<const C extends Calls>(
  module: string,
  calls: C,
  handlers: { [K in keyof C]: Handler<C[K]> },
): ServerModule {
  const mounted = handlersOf<Record<string, Handler<Call>>>(handlers);
  return {
    name: module,
    calls: Object.entries(calls).map(([name, call]) => ({ module, name, call, handler: mounted[name]! })),
  };
}

export function isStaged(handler: Handler<Call>): handler is Staged<Call, unknown> {
  return typeof handler === 'object';
}

/** Functions that a product must provide to the kernel: identify the caller, and record changes. */
export interface Ports {
  /** The person behind a token, or null if it is not (or no longer) valid. */
  identify(token: string): Promise<Viewer | null>;
  /** The person an application acts for, if its signature of this request is valid; null otherwise. */
  identifySigned(request: SignedRequest, origin: Origin): Promise<Viewer | null>;
  /** The person behind the access token of a protocol, if it is valid at this time; null otherwise. */
  identifyByToken(token: string, now: Date): Promise<Viewer | null>;
  /** Writes one row for a changing call, in the call's own transaction. */
  remember(tx: Db, entry: AuditEntry): Promise<void>;
  /** Records that a call was refused; many refusals of one person and call become one row. */
  rememberRefusal(tx: Db, entry: AuditEntry): Promise<void>;
  /** Queues an export as a background job and returns the message; null if it is to be sent at once. If absent, every export is sent at once. */
  exportLater?(tx: Db, asked: ExportAsked): Promise<string | null>;
}

/** An export whose number of rows is known: the path of the list in its contract, and its query as it arrived. */
export interface ExportAsked {
  user: Pick<Viewer, 'id'>;
  path: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  title: string;
  rows: number;
}

/** A request signed by an application instead of carrying a token; nothing of it is believed yet. */
export interface SignedRequest {
  app: string;
  time: string;
  sign: string;
  method: string;
  /** Path and query as they arrived. */
  url: string;
  /** SHA-256 of the body's bytes, in hexadecimal. */
  bodyHash: string;
  call: Call;
}

export interface AuditEntry {
  module: string;
  action: string;
  method: string;
  path: string;
  user: Pick<Viewer, 'id' | 'username' | 'alias' | 'application'> | null;
  origin: Origin;
  result: number;
  milliseconds: number;
  changes: readonly Change[];
}
