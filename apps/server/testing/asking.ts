import type { Call } from '#kernel/contract/call.ts';
import { pathOf } from '#kernel/contract/call.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import type { Client } from '../testing.ts';

export const named = ({ module, call }: Mounted) => `${module}: ${call.method} ${call.path}`;

/** Fills a path with valid parameters that name nothing. */
export const nowhere = (call: Call, id: string | number = 999_999) =>
  pathOf(
    call,
    Object.fromEntries(
      [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, /ids?$/i.test(name!) ? id : 'x']),
    ),
  );

export interface Answer {
  status: number;
  /** The envelope's code; null for bytes. */
  code: number | null;
  headers: Headers;
  text: string;
}
/** Sends a call as it is, without any check on this side. */
export async function ask(
  client: Client,
  call: Pick<Call, 'method'>,
  path: string,
  body?: string | FormData,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { method } = call;
  const sent =
    body instanceof FormData
      ? await client.fetch(path, { method, headers, body }).then(async (answer) => ({
          status: answer.status,
          headers: answer.headers,
          bytes: Buffer.from(await answer.arrayBuffer()),
        }))
      : await client.send(path, {
          method,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { body }),
        });
  const text = sent.bytes.toString('utf8');
  const json = (sent.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: sent.status,
    code: json ? (JSON.parse(text) as { code: number }).code : null,
    headers: sent.headers,
    text,
  };
}
/** Works on a few items at a time, because the server answers several people at once. */
export async function each<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) await work(item, at);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
/** Selects the inputs to try at one of many calls: by night all of them, by day one part, and at the next call the next part. */
export const turnOf = <T>(tries: readonly T[], at: number, parts: number): readonly T[] =>
  process.env['NIGHTLY'] ? tries : tries.filter((_try, nth) => nth % parts === at % parts);
export const bodyFor = (call: Call, value: unknown) =>
  call.method === 'GET' || call.upload ? undefined : JSON.stringify(value);
