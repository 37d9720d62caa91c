import { request } from 'undici';

export interface Sent {
  status: number;
  headers: Headers;
  bytes: Buffer;
}
export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Milliseconds until an answer that does not come is given up. */
const patience = 60_000;

/** One request as it stands; costs a third of `fetch`, where thousands are made. */
export async function send(url: string, { method = 'GET', headers, body }: Sending = {}): Promise<Sent> {
  const answer = await request(url, {
    method,
    headers: { 'user-agent': 'node', accept: '*/*', ...headers },
    headersTimeout: patience,
    bodyTimeout: patience,
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return { status: answer.statusCode, headers: new Headers(lines), bytes };
}
