import { savingHeader } from '#kernel/contract/busy.ts';
import type { Asked, Calls, ReplyOf } from '#kernel/contract/call.ts';
import { fileReply, pathOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { CallFailed } from './failure.ts';
import { announce } from './announce.ts';
import { patience, watchdog } from './patience.ts';
import { heardSaving, hold } from './saving.ts';
import { token } from './token.ts';

type AnyCall = Calls[string];

export interface SendOptions {
  signal?: AbortSignal;
  /** Identifies the attempt of a write: the same value when the same attempt is sent again. */
  attempt?: string;
  /** The transferred share of the bytes, 0–1; null while the size is unknown. */
  onProgress?: (share: number | null) => void;
  /** Failures are thrown but not shown: the caller shows them in its own place. */
  quiet?: boolean;
  /** False if nobody waits for the call, and it is repeated anyway. */
  hold?: false;
  /** Milliseconds; `patience` unless given. */
  timeout?: number;
  /** Additional headers: credentials of a caller without a session. */
  headers?: Readonly<Record<string, string>>;
  /** The request continues when the window is closed. */
  keepalive?: boolean;
  /** Sent as multipart field `file`; only for `download`. */
  file?: File;
}

export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}
export interface FileAnswer {
  blob: Blob;
  /** Name the server proposes, or an empty string. */
  name: string;
}

/** A random identifier; also where the page is not a secure context and `randomUUID` is missing. */
export function newAttempt(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Address of a call with its parameters and query; empty values are left out, lists repeat their key. */
export function addressOf(call: AnyCall, asked: Partial<Record<'params' | 'query', unknown>> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((asked.query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(key, String(one));
    }
  }
  const query = search.toString();
  return pathOf(call, asked.params as Record<string, unknown>) + (query ? `?${query}` : '');
}

/** Sends a call and returns its `data`. Every failure is shown as the error catalogue says and thrown as `CallFailed`. */
export async function send<C extends AnyCall>(
  call: C,
  asked: Asked<C>,
  options: SendOptions = {},
): Promise<ReplyOf<C>> {
  return keptUp(call, options, async (keyed) => {
    const { response, watch } = await request(call, asked, keyed);
    try {
      if (call.reply === fileReply) return (await readFile(response, watch, keyed)).blob as ReplyOf<C>;
      return unwrap(await envelopeOf(response), response) as ReplyOf<C>;
    } catch (error) {
      throw watch.explain(error);
    } finally {
      watch.stop();
    }
  });
}

/** Holds a person's write while the database is away; each try carries the same key, so that it is done once. */
function keptUp<T>(call: AnyCall, options: SendOptions, once: (keyed: SendOptions) => Promise<T>): Promise<T> {
  const keyed = { ...options, attempt: options.attempt ?? newAttempt() };
  const doneOnce = call.method !== 'GET' && !call.shownOnce && call.reply !== fileReply && token() !== null;
  const sent = doneOnce && options.hold !== false ? hold(() => once(keyed), options.signal) : once(keyed);
  return sent.catch((error: unknown) => Promise.reject(shown(error, options)));
}

/**
 * Fetches a file: from a call that replies with one, or a list with `export`. An answer in an envelope is a failure, or `null` if the file comes
 * later by message.
 */
export async function download<C extends AnyCall>(
  call: C,
  asked: Asked<C>,
  options: SendOptions = {},
): Promise<FileAnswer | null> {
  const { response, watch } = await request(call, asked, options).catch((error: unknown) =>
    Promise.reject(shown(error, options)),
  );
  try {
    if (response.ok && !isJson(response)) return await readFile(response, watch, options);
    unwrap(await envelopeOf(response), response);
    return null;
  } catch (error) {
    throw shown(watch.explain(error), options);
  } finally {
    watch.stop();
  }
}

/** Sends one file as multipart field `file`. */
export function upload<C extends AnyCall>(
  call: C,
  asked: Asked<C>,
  file: File,
  options: SendOptions = {},
): Promise<ReplyOf<C>> {
  return keptUp(call, options, (keyed) => transmit(call, asked, formOf(asked, file), keyed));
}

/** The fields come first: the server reads them while the file is still arriving. */
function formOf(asked: { body?: unknown }, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((asked.body ?? {}) as Record<string, unknown>))
    form.append(name, String(value));
  form.append('file', file);
  return form;
}

/** Sends bytes as the whole body. */
export function sendBytes<C extends AnyCall>(
  call: C,
  asked: Asked<C>,
  bytes: Blob,
  options: SendOptions = {},
): Promise<ReplyOf<C>> {
  const body = new Blob([bytes], { type: 'application/octet-stream' });
  return keptUp(call, options, (keyed) => transmit(call, asked, body, keyed));
}

/** Uses XMLHttpRequest, because fetch reports no progress of an upload. */
function transmit<C extends AnyCall>(
  call: C,
  asked: Asked<C>,
  body: FormData | Blob,
  options: SendOptions,
): Promise<ReplyOf<C>> {
  return new Promise((resolve, reject) => {
    const fail = (error: CallFailed) => reject(error);
    const xhr = new XMLHttpRequest();
    xhr.open(call.method, addressOf(call, asked));
    xhr.withCredentials = true;
    for (const [key, value] of Object.entries(headersOf(call, options))) xhr.setRequestHeader(key, value);
    let idle = setTimeout(() => xhr.abort(), options.timeout ?? patience);
    let stopped = false;
    xhr.upload.onprogress = (event) => {
      clearTimeout(idle);
      idle = setTimeout(() => xhr.abort(), options.timeout ?? patience);
      options.onProgress?.(event.lengthComputable ? event.loaded / event.total : null);
    };
    options.signal?.addEventListener('abort', () => {
      stopped = true;
      xhr.abort();
    });
    xhr.onloadend = () => clearTimeout(idle);
    xhr.onerror = () => fail(CallFailed.network());
    xhr.onabort = () => (stopped ? reject(new DOMException('stopped', 'AbortError')) : fail(CallFailed.timeout()));
    xhr.onload = () => {
      heardSaving(xhr.getResponseHeader(savingHeader));
      try {
        resolve(unwrap(parsed(xhr.responseText), xhr) as ReplyOf<C>);
      } catch (error) {
        fail(error as CallFailed);
      }
    };
    xhr.send(body);
  });
}

/** Field errors of a validation refusal; empty for any other failure. */
export function fieldErrors(error: unknown): FieldError[] {
  if (!(error instanceof CallFailed) || error.code !== codes.invalid) return [];
  const errors = (error.data as { errors?: FieldError[] } | null)?.errors;
  return Array.isArray(errors) ? errors : [];
}

async function request(
  call: AnyCall,
  asked: { params?: unknown; query?: unknown; body?: unknown },
  options: SendOptions,
) {
  const watch = watchdog(options);
  const headers = headersOf(call, options);
  const { file } = options;
  if (!file && asked.body !== undefined) headers['Content-Type'] = 'application/json';
  const sent = file ? formOf(asked, file) : asked.body === undefined ? undefined : JSON.stringify(asked.body);
  try {
    const response = await fetch(new URL(addressOf(call, asked), location.origin), {
      method: call.method,
      headers,
      credentials: 'include',
      body: sent,
      signal: watch.signal,
      ...(options.keepalive && { keepalive: true }),
    });
    heardSaving(response.headers.get(savingHeader));
    return { response, watch };
  } catch (error) {
    watch.stop();
    throw watch.explain(error);
  }
}

function headersOf(call: AnyCall, options: SendOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  const jwt = token();
  if (jwt) headers['Authorization'] = `JWT ${jwt}`;
  if (call.method !== 'GET') headers['Idempotency-Key'] = options.attempt ?? newAttempt();
  return headers;
}

async function readFile(
  response: Response,
  watch: ReturnType<typeof watchdog>,
  options: SendOptions,
): Promise<FileAnswer> {
  if (!response.ok || isJson(response)) unwrap(await envelopeOf(response), response);
  // A sheet is written while it is sent: its size is an estimate that must not look like completion.
  const exact = Number(response.headers.get('Content-Length')) || 0;
  const size = exact || Number(response.headers.get('X-Export-Bytes')) || 0;
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    watch.alive();
    parts.push(part.value);
    read += part.value.length;
    options.onProgress?.(size ? Math.min(exact ? 1 : 0.99, read / size) : null);
  }
  return { blob: new Blob(parts, { type: response.headers.get('Content-Type') ?? '' }), name: nameOf(response) };
}

function nameOf(response: Response): string {
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]*)"/i.exec(disposition)?.[1] ?? '');
}

function isJson(response: Response): boolean {
  return (response.headers.get('Content-Type') ?? '').includes('application/json');
}

async function envelopeOf(response: Response): Promise<Envelope | null> {
  return parsed(await response.text());
}

function parsed(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as Envelope;
    return typeof value?.code === 'number' ? value : null;
  } catch {
    return null;
  }
}

/** The only function that knows the envelope. */
function unwrap(envelope: Envelope | null, { status }: { status: number }): unknown {
  if (status < 200 || status >= 300 || !envelope) {
    throw CallFailed.status(status, envelope);
  }
  if (envelope.code !== codes.ok) throw CallFailed.refused(envelope, status);
  return envelope.data;
}

function shown(error: unknown, options: SendOptions): unknown {
  if (error instanceof CallFailed && !options.quiet) announce(error);
  return error;
}
