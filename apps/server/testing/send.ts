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

/** One request as it stands; costs a third of `fetch`, where thousands are made. */
export async function send(url: string, { method = 'GET', headers, body }: Sending = {}): Promise<Sent> {
  const answer = await request(url, {
    method,
    headers: { 'user-agent': 'node', accept: '*/*', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return { status: answer.statusCode, headers: new Headers(lines), bytes };
}
