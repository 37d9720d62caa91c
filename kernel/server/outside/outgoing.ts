import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { callbackify, promisify } from 'node:util';
import type * as Undici from 'undici';
import { whenNeeded } from '../process/when-needed.ts';
import { mayConnect, rangesOf, type Range } from './outgoing-address.ts';

const undici = whenNeeded<typeof Undici>('undici');

export interface Outgoing {
  /**
   * Sends a request to another server. Only http and https, only public addresses and those the operator allows, at most `bytes` of an answer within
   * `seconds`; redirects are followed for GET alone, each checked like the first. Any status is an answer. Throws `NotAllowed` if the address must
   * not be asked, and `Unanswered` if no proper answer came.
   */
  request(url: string, asked?: Asked): Promise<Answer>;
  /** Returns an address of a host to connect to by another protocol. Throws like `request`. */
  reach(host: string): Promise<string>;
  close(): Promise<void>;
}
export interface Asked {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** 10 unless given. */
  seconds?: number;
  /** A million unless given. */
  bytes?: number;
  /** 3 unless given. */
  redirects?: number;
}
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The address must not be asked, now or later; the message is for people. */
export class NotAllowed extends Error {}
/** The other side did not answer, or not properly; it may later. */
export class Unanswered extends Error {}

export interface OutgoingOptions {
  /** Addresses and networks of the internal network that may be asked. */
  allow: readonly string[];
  /** Returns the addresses of a name; the system's resolver unless given. */
  lookup?: (host: string) => Promise<string[]>;
}

export function createOutgoing({ allow, lookup = systemAddresses }: OutgoingOptions): Outgoing {
  const allowed = rangesOf(allow);
  let agent: Undici.Agent | undefined;
  const connected = () =>
    (agent ??= new (undici().Agent)({
      connect: guarded(allowed, lookup),
      keepAliveTimeout: 4000,
      connections: 32,
      maxHeaderSize: 32_768,
    }));
  return {
    async request(url, asked = {}) {
      const signal = AbortSignal.timeout((asked.seconds ?? 10) * 1000);
      let at = checked(url);
      for (let left = asked.redirects ?? 3; ; left--) {
        const answer = await ask(connected(), at, asked, signal);
        const next = movedTo(answer, asked);
        if (!next) return answer;
        if (left === 0) throw new Unanswered(`对方转向次数过多（${at.host}）`);
        const to = checked(new URL(next, at).href);
        // Headers that were meant for one server are not sent to another.
        if (to.origin !== at.origin) asked = { ...asked, headers: {} };
        at = to;
      }
    },
    reach: (host) => addressOf(host, allowed, lookup),
    close: async () => agent?.close(),
  };
}

async function systemAddresses(host: string): Promise<string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

/** Normalises an address that may be asked, however it is spelled. Throws `NotAllowed` for any other. */
export function checked(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new NotAllowed('地址不正确，请填写以 http 或 https 开头的地址');
  if (url.username || url.password) throw new NotAllowed(`地址 ${url.host} 中不能带用户名和密码`);
  const port = Number(url.port || 0);
  if (port !== 0 && port !== 80 && port !== 443 && port < 1024)
    throw new NotAllowed(`不允许访问 ${url.host} 的端口 ${port}`);
  return url;
}

/** Resolves a name itself and connects to exactly the address that was checked, so that the name cannot change in between. */
function guarded(
  allowed: readonly Range[],
  lookup: (host: string) => Promise<string[]>,
): Undici.buildConnector.connector {
  const connect = promisify(undici().buildConnector({ timeout: 5000, autoSelectFamily: false }));
  const reach = async (options: Undici.buildConnector.Options): Promise<Socket> => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const address = await addressOf(host, allowed, lookup);
    const socket = (await connect({ ...options, hostname: address })) as Socket;
    if (mayConnect(socket.remoteAddress ?? '', allowed)) return socket;
    socket.destroy();
    throw new NotAllowed(`不允许访问 ${host}：它在内部网络中`);
  };
  const answer = callbackify(reach);
  return (options, callback) =>
    answer(options, (error: Error | null, socket) => (error ? callback(error, null) : callback(null, socket)));
}

/** An address of a host to connect to; every address of its name must be allowed. */
export async function addressOf(
  host: string,
  allowed: readonly Range[],
  lookup: (host: string) => Promise<string[]>,
): Promise<string> {
  const addresses = isIP(host) ? [host] : await lookup(host);
  if (addresses[0] === undefined) throw new Unanswered(`找不到 ${host} 的地址`);
  if (!addresses.every((address) => mayConnect(address, allowed)))
    throw new NotAllowed(`不允许访问 ${host}：它在内部网络中，确需访问请由管理员加入 OUTGOING_ALLOW`);
  return addresses[0];
}

async function ask(agent: Undici.Agent, url: URL, asked: Asked, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await undici().request(url, {
      dispatcher: agent,
      method: asked.method ?? 'GET',
      headers: { 'user-agent': 'gongdan', ...asked.headers, 'accept-encoding': 'identity' },
      body: asked.body ?? null,
      signal,
    });
    // A discarded body emits an error that would otherwise end the process.
    answer.body.on('error', () => undefined);
    const encoding = answer.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      answer.body.destroy();
      throw new Unanswered(`${url.host} 的回答经过压缩（${String(encoding)}），不予解开`);
    }
    return { status: answer.statusCode, headers: answer.headers, body: await read(answer, asked.bytes ?? 1_000_000) };
  } catch (error) {
    for (let at: unknown = error; at instanceof Error; at = at.cause)
      if (at instanceof NotAllowed || at instanceof Unanswered) throw at;
    const reason = signal.aborted ? '没有及时回答' : `没有回答（${(error as { code?: string }).code ?? '连接失败'}）`;
    throw new Unanswered(`${url.host} ${reason}`, { cause: error });
  }
}

async function read({ body }: Undici.Dispatcher.ResponseData, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw new Unanswered(`回答超过 ${most} 字节，不再接收`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function movedTo({ status, headers }: Answer, { method = 'GET' }: Asked): string | null {
  const { location } = headers;
  const moved = [301, 302, 303, 307, 308].includes(status) && method === 'GET';
  return moved && typeof location === 'string' && location ? location : null;
}
