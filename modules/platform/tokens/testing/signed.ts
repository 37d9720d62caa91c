import { createHash } from 'node:crypto';
import { signatureOf } from '../identity.ts';

export interface Sending {
  method?: string;
  url?: string;
  /** JSON as text, or a form with a file. */
  body?: string | FormData | undefined;
  time?: number;
  /** Sent instead of the signed request; `alter` changes the bytes, `hash` declares their hash, null none. */
  instead?: {
    url?: string;
    body?: string;
    alter?: (bytes: Buffer) => Buffer;
    time?: number;
    method?: string;
    hash?: string | null;
  };
}

/** Sends a request signed with an application's key to a server. */
export async function sendSigned(
  origin: string,
  { app, key }: { app: string; key: string },
  { method = 'GET', url = '/', body, time = Date.now(), instead = {} }: Sending,
) {
  const { bytes, type } = await written(body);
  const bodyHash = createHash('sha256').update(bytes).digest('hex');
  const sign = signatureOf(key, { method, url, time: String(time), bodyHash });
  const { hash = body instanceof FormData ? bodyHash : null } = instead;
  const sent = instead.body === undefined ? (instead.alter?.(bytes) ?? bytes) : Buffer.from(instead.body);
  const response = await fetch(origin + (instead.url ?? url), {
    method: instead.method ?? method,
    headers: {
      'x-app': app,
      'x-time': String(instead.time ?? time),
      'x-sign': sign,
      ...(hash === null ? {} : { 'x-body-sha256': hash }),
      ...(type === null ? {} : { 'content-type': type }),
    },
    ...(type === null ? {} : { body: new Uint8Array(sent) }),
  });
  return (await response.json()) as { code: number; msg: string; data: unknown };
}

/** The bytes of a body and their type; null if there is none. */
async function written(body: string | FormData | undefined): Promise<{ bytes: Buffer; type: string | null }> {
  if (body instanceof FormData) {
    const form = new Response(body);
    return { bytes: Buffer.from(await form.arrayBuffer()), type: form.headers.get('content-type') };
  }
  return { bytes: Buffer.from(body ?? ''), type: body === undefined ? null : 'application/json' };
}
