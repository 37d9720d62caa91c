import type { FastifyReply, FastifyRequest } from 'fastify';

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
      'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
    });
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    next();
  };
}
