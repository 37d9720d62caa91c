import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange, FileReply } from './implement.ts';

/** Sends bytes so that a browser never runs them; sends parts (`Range`) of content that can be opened at any position. */
export async function sendFile(
  reply: FastifyReply,
  file: FileReply,
  asked: IncomingHttpHeaders,
): Promise<FastifyReply> {
  const { bytes: source, size, tag } = file;
  const parts = typeof source === 'function' && size !== undefined;
  const same = asked['if-range'] === undefined || asked['if-range'] === `"${tag}"`;
  const range = parts && same ? rangeOf(asked.range, size) : null;
  if (range === 'outside') return reply.code(416).header('content-range', `bytes */${size}`).send('');
  const bytes = typeof source === 'function' ? await source(range ?? undefined) : source;
  // Headers are set only now, so that content that could not be opened is answered like any other fault.
  reply
    .code(file.status ?? 200)
    .type(file.type)
    .header('cache-control', file.cache ?? 'no-store')
    .header('content-security-policy', file.policy ?? "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('content-disposition', file.name ? attachment(file.name) : 'inline');
  if (parts) reply.header('accept-ranges', 'bytes');
  if (tag !== undefined) reply.header('etag', `"${tag}"`);
  if (!range) return sendBytes(reply, bytes, size);
  reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  return sendBytes(reply, bytes, range.last - range.first + 1);
}

function sendBytes(reply: FastifyReply, bytes: Buffer | Readable, size?: number): FastifyReply {
  if (bytes instanceof Readable) closeWithReply(bytes, reply);
  if (size !== undefined) reply.header('content-length', size);
  return reply.send(bytes);
}

/** One range as in RFC 9110; null if the whole is to be sent: no range, several, or an invalid one. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'outside' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') return Number(to) === 0 ? 'outside' : { first: Math.max(0, size - Number(to)), last: size - 1 };
  if (to !== '' && Number(to) < Number(from)) return null;
  if (Number(from) >= size) return 'outside';
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** A client that left before the first byte is never written to, which would keep the stream and its source open. */
export function closeWithReply(stream: Readable, reply: FastifyReply): void {
  if (reply.raw.destroyed || reply.raw.socket?.destroyed) stream.destroy();
  else reply.raw.once('close', () => stream.destroy());
}

/** RFC 6266: a plain name for old readers, the real one percent-encoded. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
