import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

// Styles stay 'unsafe-inline': the component library writes them at run time (see docs/decisions).
const rules = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The content policy of a page. `framed` is an origin that the page may show in a frame and post a form to. */
export function contentPolicy(framed: string | null): string {
  const frames = framed === null ? [] : [`frame-src 'self' ${framed}`];
  return [...rules, `form-action 'self'${framed === null ? '' : ` ${framed}`}`, ...frames].join('; ');
}
const policy = contentPolicy(null);

/** The security headers of every answer, errors and files included; nothing under /api is ever stored. */
export function secureHeaders(https: boolean) {
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(self), geolocation=(self), microphone=()',
    });
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    next();
  };
}

const zip = promisify(gzip);
/** In characters; shorter answers fit into one packet either way. */
const worthIt = 4096;

/**
 * Compresses lists and menus for clients that accept it. They are answered only to a header that no other site can send, so nobody can learn their
 * content from its compressed length.
 */
export async function compressed(request: FastifyRequest, reply: FastifyReply, answer: unknown): Promise<unknown> {
  if (typeof answer !== 'string' || answer.length < worthIt) return answer;
  if (!/\bgzip\b/.test([request.headers['accept-encoding']].flat().join())) return answer;
  reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  return zip(answer, { level: 4 });
}
