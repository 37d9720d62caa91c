import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asking {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
  text: string;
}
/** Returns a body (usually an envelope), a status and headers; or writes to the response itself and returns nothing. */
export type Answering = (asking: Asking, response: ServerResponse) => unknown;

declare const jsdom: { reconfigure(options: { url: string }): void };

/** A real HTTP server for the client; the page's address becomes the server's. */
export async function startServer() {
  const asked: Asking[] = [];
  let answer: Answering = () => ok(null);
  const server = createServer((request, response) => {
    // jsdom's XMLHttpRequest keeps the origin that the page began with and sends a preflight first.
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', 'x-saving');
    response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type, idempotency-key, x-visitor');
    if (request.method === 'OPTIONS') return void response.end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://test');
      const text = Buffer.concat(chunks).toString('utf8');
      const isJson = request.headers['content-type'] === 'application/json';
      const asking: Asking = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: isJson ? JSON.parse(text) : undefined,
        text,
      };
      asked.push(asking);
      const reply = answer(asking, response);
      if (reply === undefined) return;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(reply));
    });
  });
  // A connection that is closed at the moment of its reuse would look like a network failure.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  jsdom.reconfigure({ url: `${origin}/` });
  return {
    asked,
    answers(next: Answering) {
      answer = next;
      asked.length = 0;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((stopped) => server.close(stopped));
    },
  };
}

export const ok = (data: unknown) => ({ code: 0, msg: '成功', data });
export const refuse = (code: number, msg: string, data: unknown = null) => ({ code, msg, data });
