import { createHash } from 'node:crypto';
import { signatureOf } from '../identity.ts';

export interface Sending {
  method?: string;
  url?: string;
  body?: string | undefined;
  time?: number;
  /** Sent instead of what was signed. */
  instead?: { url?: string; body?: string; time?: number; method?: string };
}

/** Sends a request signed with an application's key to a server. */
export async function sendSigned(
  origin: string,
  { app, key }: { app: string; key: string },
  { method = 'GET', url = '/', body, time = Date.now(), instead = {} }: Sending,
) {
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const sign = signatureOf(key, { method, url, time: String(time), bodyHash });
  const sent = instead.body ?? body;
  const response = await fetch(origin + (instead.url ?? url), {
    method: instead.method ?? method,
    headers: {
      'x-app': app,
      'x-time': String(instead.time ?? time),
      'x-sign': sign,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  return (await response.json()) as { code: number; msg: string; data: unknown };
}
