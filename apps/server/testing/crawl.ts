import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import { pathOf, type Call } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { signatureOf } from '#modules/platform/tokens/identity.ts';
import { send, type Sent } from './send.ts';

/** The answer of an address as one text: of a workbook the text of all its sheets. */
export interface Heard {
  path: string;
  text: string;
  /** The envelope's code; null for bytes. */
  code: number | null;
}
export type Fetch = (path: string) => Promise<Sent>;

/** Fetches as an application that signs its requests. */
export function signedFetch(origin: string, { id, key }: { id: number; key: string }): Fetch {
  const bodyHash = createHash('sha256').update('').digest('hex');
  return (url) => {
    const time = String(Date.now());
    const sign = signatureOf(key, { method: 'GET', url, time, bodyHash });
    return send(origin + url, { headers: { 'x-app': String(id), 'x-time': time, 'x-sign': sign } });
  };
}

/** Calls that start something, end the session, or answer with random values. */
const leftOut = /\/(logout|smscode|login_url|wechatlogin|challenge|oauth\/login)\b/;
const reads = (mounted: readonly Mounted[]) =>
  mounted.flatMap(({ call }) => (call.method === 'GET' && !leftOut.test(call.path) ? [call] : []));

/** Every list, count and report: as a whole, by each of its choices, by a search for the word, and as a sheet. */
export function wholes(mounted: readonly Mounted[], word: string): string[] {
  return reads(mounted)
    .filter((call) => !call.path.includes('{'))
    .flatMap((call) => {
      const asked = call.query ? ((wireSchema(call.query)['properties'] ?? {}) as Record<string, Json>) : {};
      const filters = Object.entries(asked).filter(([name]) => name !== 'order_by');
      const choices = filters.flatMap(([name, schema]) =>
        choicesOf(schema).map((choice) => `${name}=${encodeURIComponent(String(choice))}`),
      );
      const search = 'search_value' in asked ? [`search_value=${word}`] : [];
      const sheets = call.exports ? ['export=xlsx', `export=xlsx&search_value=${word}`] : [];
      const must = mustOf(call);
      return ['', ...choices, ...search, ...sheets].map(
        (query) => `${call.path}?${[must, query].filter(Boolean).join('&')}`,
      );
    });
}

/** Required parameters: some days from now on, for calls that take days. */
const inDays = (days: number) => dayOf(new Date(Date.now() + days * 86_400_000));
const needed: Readonly<Record<string, () => string>> = {
  reason: () => 'test',
  start: () => inDays(0),
  from: () => inDays(-7),
  end: () => inDays(30),
  to: () => inDays(30),
  date: () => inDays(1),
  month: () => inDays(20).slice(0, 7),
  room_id: () => '1',
  start_time: () => `${inDays(1)} 00:00`,
  end_time: () => `${inDays(1)} 23:55`,
};
function mustOf({ query }: Call): string {
  const { required = [] } = (query ? wireSchema(query) : {}) as { required?: string[] };
  return required.flatMap((name) => (name in needed ? `${name}=${encodeURIComponent(needed[name]!())}` : [])).join('&');
}
const choicesOf = (schema: Json): unknown[] =>
  ['enum', 'anyOf']
    .flatMap((name) => (name in schema ? (schema[name] as unknown[]) : []))
    .flatMap((one) => (one !== null && typeof one === 'object' ? ('const' in one ? [one.const] : []) : [one]));

/** Every address that names a record, for the first numbers. */
export function singles(mounted: readonly Mounted[], numbers: number): string[] {
  return reads(mounted)
    .filter((call) => call.path.includes('{'))
    .flatMap((call) =>
      Array.from({ length: numbers }, (_, at) => {
        const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, at + 1]);
        return pathOf(call, Object.fromEntries(names));
      }),
    );
}

/** Requests all of them, a few calls at a time; a call that is not granted is refused before its query is parsed, so it is requested once. */
export async function crawl(ask: Fetch, paths: readonly string[]): Promise<Heard[]> {
  const left = Object.values(Object.groupBy(paths, (path) => path.split('?')[0]!)) as string[][];
  const heard: Heard[] = [];
  const worker = async () => {
    for (let group = left.shift(); group; group = left.shift())
      for (const path of group) {
        const one = await heardAtLast(ask, path);
        heard.push(one);
        if (isClosed(one)) break;
      }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return heard;
}
const isClosed = ({ code, text }: Heard) =>
  code === codes.signedOut || (code === codes.forbidden && text.includes('"没有“'));

/** Plain words appear unchanged in the XML; the reader of uploaded sheets would start a thread for each. */
const sheetsOf = (bytes: Uint8Array) =>
  Object.values(unzipSync(bytes, { filter: ({ name }) => /^xl\/(worksheets|sharedStrings)/.test(name) }))
    .map((part) => strFromU8(part))
    .join();

/** A person has two places for exports, released a moment after the last byte: a caller who is asked to wait tries again. */
async function heardAtLast(ask: Fetch, path: string): Promise<Heard> {
  const until = performance.now() + 60_000;
  for (;;) {
    const one = await hear(ask, path);
    if (one.code !== codes.tooMany || !path.includes('export=') || performance.now() > until) return one;
    await setTimeout(50);
  }
}

async function hear(ask: Fetch, path: string): Promise<Heard> {
  const answer = await ask(path);
  const { bytes } = answer;
  const type = answer.headers.get('content-type') ?? '';
  const headers = JSON.stringify([...answer.headers].filter(([name]) => name === 'content-disposition'));
  if (type.includes('spreadsheetml')) return { path, code: null, text: headers + sheetsOf(bytes) };
  const text = bytes.toString('utf8');
  const code = type.startsWith('application/json') ? (JSON.parse(text) as { code: number }).code : null;
  return { path, code, text: decodeURIComponent(headers) + text };
}
