import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Call } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Arrived } from './dispatch.ts';
import type { Incoming, UploadedFile } from './implement.ts';

type Upload = NonNullable<Arrived['upload']>;

/** Some proxies write the port as well. */
const withPort = /^(?:\[([^\]]+)\]|([^:]+)):\d{1,5}$/;
const longestAddress = 45;

/** The caller's address as the trusted proxies report it; if they report none, the address of the connection. */
export function callerOf(request: FastifyRequest): string {
  const [, inner, plain] = withPort.exec(request.ip) ?? [];
  const address = inner ?? plain ?? request.ip;
  return isIP(address) && address.length <= longestAddress ? address : (request.socket.remoteAddress ?? '');
}

/** Returns the reader of a call's file, to be used once the caller is known to be allowed; undefined for calls that take none. */
export function uploadOf(call: Call, request: FastifyRequest): Upload | undefined {
  const { upload: maxBytes, stream } = call;
  if (!maxBytes) return undefined;
  if (stream === 'body') return async () => ({ incoming: rawBody(request), body: undefined });
  if (stream === 'file') return () => streamedFile(maxBytes, request);
  return () => wholeFile(maxBytes, request);
}

/** An unread body would keep the connection, and with it the answer, waiting. */
export function drain(request: FastifyRequest): void {
  request.raw.unpipe();
  request.raw.resume();
}

/** Checks that the bytes of an unread request have a SHA-256: they are hashed while they are read, and the rest is read for the check. */
export function hashCheck(request: FastifyRequest, sha256: string): () => Promise<boolean> {
  const hash = createHash('sha256');
  // Paused, so that the reader decides when the first byte flows, and how fast.
  request.raw.pause().on('data', (chunk: Buffer) => void hash.update(chunk));
  return async () => {
    drain(request);
    const whole = await finished(request.raw).then(
      () => true,
      () => false,
    );
    return whole && hash.copy().digest('hex') === sha256;
  };
}

/** Raw bytes are accepted by the calls that ask for them and refused (415) everywhere else, unread. */
export function takeRawBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    const { rawBody: wanted } = request.routeOptions.config as { rawBody?: boolean };
    if (wanted) done(null, payload);
    else done(Object.assign(new Error('no raw body here'), { statusCode: 415 }), undefined);
  });
}

export const unreadable = () => invalid([{ field: '', label: '提交的内容', msg: '格式不正确，请刷新页面后重试' }]);

function rawBody(request: FastifyRequest): Incoming {
  // A request without any bytes has no content type either.
  if (request.body === undefined || request.body === null) return { name: '', stream: Readable.from([]) };
  if (!(request.body instanceof Readable)) throw unreadable();
  return { name: '', stream: request.body };
}

async function streamedFile(maxBytes: number, request: FastifyRequest): Promise<{ incoming: Incoming; body: unknown }> {
  const part = await filePart(maxBytes + 1, request);
  return { incoming: { name: part.filename, stream: part.file }, body: fieldsOf(part) };
}

async function wholeFile(maxBytes: number, request: FastifyRequest): Promise<{ file: UploadedFile; body: unknown }> {
  const part = await filePart(maxBytes, request);
  const file: UploadedFile = { name: part.filename, bytes: await part.toBuffer() };
  return { file, body: fieldsOf(part) };
}

async function filePart(fileSize: number, request: FastifyRequest) {
  if (!request.isMultipart()) throw unreadable();
  const part = await request.file({ limits: { fileSize } });
  if (!part) throw invalid([{ field: 'file', label: '文件', msg: '请选择文件' }]);
  return part;
}

function fieldsOf(part: Awaited<ReturnType<typeof filePart>>): unknown {
  return Object.fromEntries(
    Object.entries(part.fields).flatMap(([name, field]) =>
      field && !Array.isArray(field) && field.type === 'field' ? [[name, field.value]] : [],
    ),
  );
}
