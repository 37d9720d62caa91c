import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type * as Undici from 'undici';
import { whenNeeded } from '../process/when-needed.ts';
import { createNames } from './names.ts';
import { mayConnect, rangesOf } from './outgoing-address.ts';
import { addressOf, checked, NotAllowed, Unanswered } from './outgoing.ts';
import { pingAll } from './ping.ts';
import { Look, type Certificate, type Probe, type Probed } from './probe-look.ts';

export type { Certificate, Probe, Probed };

const undici = whenNeeded<typeof Undici>('undici');

export interface Probes {
  /** Checks once, under the same address rules as all outgoing requests. Never throws. */
  probe(probe: Probe): Promise<Probed>;
  /** Returns why a target must not be asked, in a sentence; null if it may be, or if that cannot be determined now. */
  forbids(probe: Pick<Probe, 'kind' | 'target'>): Promise<string | null>;
  /** Pings many hosts with one program; only if `canPing`. Answers in their order. */
  ping(hosts: readonly string[], seconds: number): Promise<Probed[]>;
  readonly canPing: boolean;
}
export interface ProbesOptions {
  /** Addresses and networks of the internal network that may be asked. */
  allow: readonly string[];
  lookup?: (host: string) => Promise<string[]>;
  /** Path of the program that pings; null if there is none. */
  fping?: string | null;
  /** `address:port` of the product itself, if a demonstration watches it. */
  own?: string | undefined;
}

const redirects = 5;
/** Milliseconds for which a name is looked up while somebody saves. */
const patience = 1500;
const bodyBytes = { http: 65_536, keyword: 1_048_576 };

export function createProbes({ allow, lookup = createNames(), fping = null, own }: ProbesOptions): Probes {
  const everywhere = rangesOf(allow);

  const allowedAt = (host: string, port: number) =>
    own === `${host}:${port}` ? [...everywhere, ...rangesOf([host])] : everywhere;

  async function forbids({ kind, target }: Pick<Probe, 'kind' | 'target'>): Promise<string | null> {
    try {
      const isWeb = kind === 'http' || kind === 'keyword';
      const url = isWeb ? checked(target) : kind === 'ping' ? hostOf(target) : hostAndPort(target, kind);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      await Promise.race([addressOf(host, allowedAt(host, port), lookup), setTimeout(patience, null, { ref: false })]);
      return null;
    } catch (error) {
      // A name that cannot be resolved now is resolved again at every check.
      return error instanceof NotAllowed ? error.message : null;
    }
  }

  /** The only way to a socket: a name is looked up once, all its addresses are checked, and the socket is asked where it is connected to. */
  async function open(url: URL, secure: boolean, look: Look): Promise<Socket | TLSSocket> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port || (secure ? 443 : 80));
    const allowed = allowedAt(host, port);
    const address = await look.step('dns', () => look.withinTime(addressOf(host, allowed, lookup)));
    const to = { host: address, port, autoSelectFamily: false };
    const named = {
      ...(isIP(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    };
    // One socket instead of two nested ones: the runtime crashes when both end.
    const socket = look.keep(secure ? connectTls({ ...to, ...named }) : connectTcp(to));
    await look.step('connect', () => look.withinTime(once(socket, 'connect')));
    if (!mayConnect(socket.remoteAddress ?? '', allowed)) throw new NotAllowed(`不允许访问 ${host}：它在内部网络中`);
    if (!secure) return socket;
    const tls = socket as TLSSocket;
    await look.step('tls', () => look.withinTime(once(tls, 'secureConnect')));
    const leaf = certificateOf(tls);
    if (look.hops === 0) look.certificate = leaf;
    if (look.probe.ignoreTls) return tls;
    if (leaf && leaf.ends < Date.now())
      throw new Unanswered(`证书已于 ${new Date(leaf.ends + 8 * 3_600_000).toISOString().slice(0, 10)} 到期`);
    if (tls.authorizationError) throw new Unanswered(`证书不受信任（${String(tls.authorizationError)}）`);
    return tls;
  }

  async function askHttp(probe: Probe, look: Look): Promise<void> {
    const agent = new (undici().Agent)({
      pipelining: 0,
      maxHeaderSize: 32_768,
      connect: (options, answer) => {
        const { protocol, hostname, port } = options;
        const url = new URL(
          `${protocol}//${hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname}${port ? `:${port}` : ''}`,
        );
        open(url, protocol === 'https:', look).then(
          (socket) => answer(null, socket),
          (error: Error) => answer(error, null),
        );
      },
    });
    try {
      let url = checked(probe.target);
      for (let left = redirects; ; left--) {
        const answer = await look.step('first', () =>
          undici().request(url, {
            dispatcher: agent,
            signal: look.signal,
            headers: { 'user-agent': 'gongdan', 'accept-encoding': 'identity' },
          }),
        );
        answer.body.on('error', () => undefined);
        look.httpCode = answer.statusCode;
        const { location } = answer.headers;
        if (isAccepted(probe.accepted, answer.statusCode)) {
          await readBody(answer, probe);
          return;
        }
        if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== 'string')
          throw new Unanswered(`状态码 ${answer.statusCode} 不在 ${probe.accepted ?? '200-299'} 中`);
        if (left === 0) throw new Unanswered(`转向超过 ${redirects} 次`);
        answer.body.destroy();
        look.hops++;
        url = checked(new URL(location, url).href);
      }
    } finally {
      await agent.destroy().catch(() => undefined);
    }
  }

  async function probeOne(probe: Probe): Promise<Probed> {
    const look = new Look(probe);
    try {
      if (probe.kind === 'http' || probe.kind === 'keyword') await askHttp(probe, look);
      else await open(hostAndPort(probe.target, probe.kind), probe.kind === 'certificate', look);
      return look.result('ok', '');
    } catch (error) {
      return look.failed(error);
    } finally {
      look.end();
    }
  }

  const ping: Probes['ping'] = (hosts, seconds) =>
    pingAll(hosts, seconds, fping, async (host) =>
      addressOf(hostOf(host).hostname.replace(/^\[|\]$/g, ''), everywhere, lookup),
    );
  return {
    canPing: fping !== null,
    forbids,
    ping,
    probe: async (probe) => (probe.kind === 'ping' ? (await ping([probe.target], probe.seconds))[0]! : probeOne(probe)),
  };
}

/** A host with or without a port, however it is spelled; nothing else. */
function hostOf(target: string): URL {
  const url = URL.canParse(`http://${target}`) ? new URL(`http://${target}`) : null;
  if (!url || url.username || url.password || url.pathname !== '/' || url.search || url.hash || /[/?#@]/.test(target))
    throw new NotAllowed(`目标“${target.slice(0, 100)}”不正确，请填写主机名或 IP 地址`);
  return url;
}
function hostAndPort(target: string, kind: Probe['kind']): URL {
  if (kind === 'certificate' && /^https:/i.test(target)) return checked(target);
  const url = hostOf(target);
  // The URL parser drops the usual port of an http address.
  if (kind === 'tcp' && !url.port && !/:0*80$/.test(target))
    throw new NotAllowed(`目标“${target.slice(0, 100)}”没有端口，请写成“主机:端口”`);
  if (kind === 'certificate' && !url.port) url.port = /:0*80$/.test(target) ? '80' : '443';
  return url;
}

/** True if a status is among those accepted, `200-299,401`. */
function isAccepted(accepted = '200-299', status: number): boolean {
  return accepted.split(',').some((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return status >= from! && status <= to!;
  });
}

async function readBody({ body }: Undici.Dispatcher.ResponseData, { kind, keyword = '' }: Probe): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  const most = kind === 'keyword' ? bodyBytes.keyword : bodyBytes.http;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (kind === 'keyword') parts.push(part);
    size += part.length;
    if (size >= most) break;
  }
  body.destroy();
  if (kind === 'keyword' && !Buffer.concat(parts).includes(keyword))
    throw new Unanswered(`回答中没有关键字“${keyword}”`);
}

function certificateOf(tls: TLSSocket): Certificate | null {
  const leaf = tls.getPeerX509Certificate();
  if (!leaf) return null;
  const short = (name: string) => (/^CN=(.*)$/m.exec(name)?.[1] ?? name.replaceAll('\n', '，')).slice(0, 200);
  return {
    ends: Date.parse(leaf.validTo),
    subject: short(leaf.subject),
    issuer: short(leaf.issuer ?? ''),
    fingerprint: leaf.fingerprint256,
  };
}

const once = (socket: Socket, event: string) =>
  new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Unanswered('连接被对方关闭')));
  });
