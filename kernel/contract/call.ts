import type { core } from 'zod';

type Schema = core.$ZodType;

/** The six permission codes of the specification. */
export const permissionCodes = ['Create', 'Retrieve', 'Update', 'Delete', 'chuli', 'daochu'] as const;
export type PermissionCode = (typeof permissionCodes)[number];

/** The callers a call accepts: anybody, signed-in persons (the record's own rule decides further), or holders of a code on one of the pages. */
export type Access = PublicAccess | SessionAccess | AddressAccess | TokenAccess | ProtocolAccess | GrantAccess;
export interface PublicAccess {
  kind: 'public';
}
export interface SessionAccess {
  kind: 'session';
}
/** A session, or a signed address the handler checks itself: for pictures and downloads, which send no header. */
export interface AddressAccess extends SessionAccess {
  address: true;
}
/** A session, or the access token of an external protocol in the query (`access_token`); the answer then follows that protocol. */
export interface TokenAccess extends SessionAccess {
  token: true;
}
/** Only a token of an external protocol; `name` is the protocol's name. */
export interface ProtocolAccess {
  kind: 'protocol';
  name: string;
}
export interface GrantAccess {
  kind: 'grant';
  code: PermissionCode;
  pages: readonly [string, ...string[]];
  /** The call changes data of the whole institution, so the code counts only with a scope over everything. */
  whole?: true;
}

export const everyone: PublicAccess = { kind: 'public' };
export const signedIn: SessionAccess = { kind: 'session' };
export const signedInOrAddress: AddressAccess = { kind: 'session', address: true };
export const signedInOrToken: TokenAccess = { kind: 'session', token: true };
export const byProtocol = (name: string): ProtocolAccess => ({ kind: 'protocol', name });
export function grant(code: PermissionCode, ...pages: [string, ...string[]]): GrantAccess {
  return { kind: 'grant', code, pages };
}
export const grantOverAll = (code: PermissionCode, ...pages: [string, ...string[]]): GrantAccess => ({
  ...grant(code, ...pages),
  whole: true,
});

/** Steps that a person may owe before entry, in the order in which they are asked for. */
export const entrySteps = ['password', 'second'] as const;
export type EntryStep = (typeof entrySteps)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Marks a reply that is a stream of bytes and carries no envelope. */
export const fileReply = Symbol('file reply');
export type FileReplyMark = typeof fileReply;
/** Marks a reply whose status, headers and body follow an external protocol; refusals become its statuses. */
export const protocolReply = Symbol('protocol reply');
export type ProtocolReplyMark = typeof protocolReply;
type Marks = FileReplyMark | ProtocolReplyMark;

export interface Call<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema | Marks = Schema | Marks,
  A extends Access = Access,
> {
  readonly method: Method;
  /** Canonical path with a trailing slash, `{name}` for a parameter, e.g. `/api/accounts/roles/{id}/`. */
  readonly path: string;
  readonly access: A;
  /** A description of the call in Chinese: the audit log, the API page and the list of grantable points show it. */
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Converts a body that was sent in another accepted shape before it is parsed. */
  readonly bodyOf?: (sent: unknown) => unknown;
  readonly reply: R;
  /** Sentence of a successful answer; 成功 when absent. */
  readonly message?: string;
  /** The message where it depends on the reply; a method, so that a call may name the type of its own reply. */
  says?(reply: unknown): string;
  /** More paths that answer the same. */
  readonly aliases?: readonly string[];
  /** A GET that changes something: runs in a writing transaction on the primary and refuses cross-site requests. */
  readonly writes?: boolean;
  /**
   * A GET that records that it was read: it reads from a reading connection and writes the record in a short transaction of its own. `always` refuses
   * to show anything unrecorded, even while the database is away.
   */
  readonly notesReading?: true | 'always';
  /** A GET that must see the latest commit: reads from the primary. */
  readonly fresh?: boolean;
  /** Largest file in bytes, for calls that take one file as multipart field `file`. */
  readonly upload?: number;
  /**
   * Streams the bytes of an `upload` to the handler while they arrive: `file` for the multipart field, `body` for the whole body as
   * `application/octet-stream`. If absent, the file is read into memory first.
   */
  readonly stream?: 'file' | 'body';
  /** A list that may be exported with `export=xlsx`. */
  readonly exports?: Exports;
  /** The reply holds a secret that is shown once: it is not kept, and a repeated request is refused. */
  readonly shownOnce?: boolean;
  /** Left out of the audit log although it writes (say, a preference). */
  readonly quiet?: boolean;
  /** Writes one entry of the audit log for each row that it changed instead of one for all. */
  readonly logsEach?: boolean;
  /** Completes one of the steps owed before entry: answered once the steps before it are done, however many follow. */
  readonly settles?: EntryStep;
  /** Also answered to a person who signed in with a one-time password and has not chosen an own one yet. */
  readonly beforeNewPassword?: boolean;
  /** Also answered to a session that has not shown its second step yet. */
  readonly beforeSecondStep?: boolean;
  /** Also answered, although it writes, to an administrator who views the product with the rights of another person or role. */
  readonly whileSeeing?: boolean;
}

/** The page whose `daochu` an export needs, the sheet's name and its columns; `key` names a field of the reply's rows. */
export interface Exports {
  readonly page: string;
  readonly title: string;
  /** A function if the columns depend on the query. */
  readonly columns: readonly ExportColumn[] | ((query: Readonly<Record<string, unknown>>) => readonly ExportColumn[]);
}
export interface ExportColumn {
  readonly key: string;
  readonly title: string;
  /** Turns the field into what the sheet shows, e.g. a code into its label; a method, so that a column may name the type of its own field. */
  show?(value: unknown): string | number | null;
}

type NoSchema = core.$ZodType<undefined, undefined>;

/** Declares a call once. Server, client, button, form, API page, audit log and the sweep tests all read this value. */
export function call<
  R extends Schema | Marks,
  P extends Schema = NoSchema,
  Q extends Schema = NoSchema,
  B extends Schema = NoSchema,
  A extends Access = Access,
>(definition: Call<P, Q, B, R, A>): Call<P, Q, B, R, A> {
  return definition;
}

/** Returns the message of a successful answer; undefined if the call has no message of its own. */
export const messageOf = ({ message, says }: Pick<Call, 'message' | 'says'>, reply: unknown): string | undefined =>
  says?.(reply) ?? message;

export type Calls = Record<string, Call>;
export type ParamsOf<C> = C extends Call<infer P, Schema, Schema> ? core.output<P> : never;
export type QueryOf<C> = C extends Call<Schema, infer Q, Schema> ? core.output<Q> : never;
export type BodyOf<C> = C extends Call<Schema, Schema, infer B> ? core.output<B> : never;
export type ReplyOf<C> =
  C extends Call<Schema, Schema, Schema, infer R> ? (R extends Schema ? core.output<R> : Blob) : never;

/**
 * The parts of a request that the contract names, as a caller passes them. Of a call that is known only at run time (`Call` itself, as the parts of
 * the kit take it) any parts may be passed, because nothing is known of its schemas; the server parses what arrives in any case.
 */
export type Asked<C> =
  C extends Call<infer P, infer Q, infer B> ? Given<'params', P> & Given<'query', Q, true> & Given<'body', B> : never;
type Given<K extends string, S extends Schema, Soft = false> = S extends NoSchema
  ? { [k in K]?: undefined }
  : Schema extends S
    ? { [k in K]?: unknown }
    : Soft extends true
      ? { [k in K]?: Partial<core.input<S>> }
      : { [k in K]: core.input<S> };

/** Fills `{name}` of a path, each value encoded. */
export function pathOf(call: { path: string }, params: Record<string, unknown> = {}): string {
  return call.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
}
