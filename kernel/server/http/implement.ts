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

export interface Origin {
  ip: string;
  userAgent: string;
  traceId: string;
}

/** The request as it came, for protocols that speak by headers and sign addresses; nothing of it is believed. */
export interface Wire {
  /** Path and query. */
  url: string;
  header(name: string): string | undefined;
}

export interface UploadedFile {
  name: string;
  bytes: Buffer;
}

/** Bytes on their way: to be read once, in `before`. The stream fails where the sender leaves half-way. */
export interface Incoming {
  /** As the sender spells it; empty for a raw body. */
  name: string;
  stream: Readable;
}

/** What a caller sent, parsed by the contract. */
export interface Input<C> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** Only where the contract takes an `upload`. */
  file: UploadedFile;
  /** Only where it takes one as a `stream`. */
  incoming: Incoming;
  /** The request itself where it says to be signed as web hooks are; nothing of it is believed yet. */
  signedBody: SignedBody | null;
}

/** A request signed as the Standard Webhooks specification says, by whoever shares a secret with us. */
export interface SignedBody {
  id: string;
  /** Seconds since 1970, as text. */
  timestamp: string;
  signature: string;
  /** As it arrived. */
  body: string;
}

/** What a write did, for the audit log: the record and its business fields before and after. */
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
  /** Work of a call that `notesReading`: done in one writing transaction before its answer leaves. */
  afterReading(work: AfterReading): void;
}

export type AfterReading = (tx: Db) => Promise<void>;

/** First and last byte, both sent. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Bytes instead of an envelope. */
export interface FileReply {
  type: string;
  /** A function is opened when the answer begins, and may be asked for a part where `size` is told. */
  bytes: Buffer | Readable | ((range?: ByteRange) => Promise<Readable>);
  /** Sent as the name of a download; shown inline when absent. */
  name?: string;
  /** Cache-Control; `no-store` when absent. */
  cache?: string;
  size?: number;
  /** For a page of ours: its Content-Security-Policy. Without one nothing in the file runs or is sent anywhere. */
  policy?: string;
  /** 200 when absent. */
  status?: number;
  /** Names the content: a part is only sent to who has the beginning of the same. */
  tag?: string;
}

/** The whole answer of a protocol of others. */
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
  run: Answer<C, P>;
}

export type Handler<C extends Call> = Answer<C> | Staged<C, never>;

/** Ties `before` and `run` together by the type of what is prepared. */
export function staged<C extends Call, P>(_call: C, stages: Staged<C, P>): Staged<C, never> {
  return stages as unknown as Staged<C, never>;
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

/** One handler for each call of a contract; a missing one, or a wrong reply, does not compile. */
export function implement<const C extends Calls>(
  module: string,
  calls: C,
  handlers: { [K in keyof C]: Handler<C[K]> },
): ServerModule {
  return {
    name: module,
    calls: Object.entries(calls).map(([name, call]) => ({
      module,
      name,
      call,
      handler: handlers[name] as unknown as Handler<Call>,
    })),
  };
}

export function isStaged(handler: Handler<Call>): handler is Staged<Call, never> {
  return typeof handler === 'object';
}

/** Ports of the kernel to what a product must bring: who is asking, and where changes are remembered. */
export interface Ports {
  /** The person behind a token, or null when it is not (or no longer) good. */
  identify(token: string): Promise<Viewer | null>;
  /** The person an application acts for, when its signature of this request is good; null otherwise. */
  identifySigned(request: SignedRequest, origin: Origin): Promise<Viewer | null>;
  /** The person behind the access token of a protocol, when it is good at this time; null otherwise. */
  identifyByToken(token: string, now: Date): Promise<Viewer | null>;
  /** Writes one row for a changing call, in the call's own transaction. */
  remember(tx: Db, entry: AuditEntry): Promise<void>;
  /** Writes that a call was refused; many of one person and call become one row. */
  rememberRefusal(tx: Db, entry: AuditEntry): Promise<void>;
  /** Has an export made beside requests and says so; null where it is to be sent at once. Absent: every one is. */
  exportLater?(tx: Db, asked: ExportAsked): Promise<string | null>;
}

/** An export whose number of rows is known: the list's path as its contract spells it, and what was asked of it, as it arrived. */
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
