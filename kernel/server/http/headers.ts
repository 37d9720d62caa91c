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

/** What a page may load and do. `framed`: an origin whose pages it may show in a frame and post a form to. */
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
/** Letters; what is shorter travels in one packet either way. */
const worthIt = 4096;

/**
 * Lists and menus travel compressed to whoever takes them so. They are answered to a header that no other site can send, so nobody measures
 * by their length what stands in them.
 */
export async function compressed(request: FastifyRequest, reply: FastifyReply, answer: unknown): Promise<unknown> {
  if (typeof answer !== 'string' || answer.length < worthIt) return answer;
  if (!/\bgzip\b/.test([request.headers['accept-encoding']].flat().join())) return answer;
  reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  return zip(answer, { level: 4 });
}
