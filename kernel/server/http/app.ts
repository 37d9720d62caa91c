import multipart from '@fastify/multipart';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { createHash, randomUUID } from 'node:crypto';
import { savingHeader, type SavingWaits } from '#kernel/contract/busy.ts';
import { fileReply, type Access, type Call } from '#kernel/contract/call.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { isAway, isCrowded } from '../db/lost.ts';
import { openJar } from './cookies.ts';
import { createDispatch, rememberDenied, type Answered, type Arrived, type Kernel } from './dispatch.ts';
import { away, awaySeconds, busy, busySeconds, fault, refusalOf, refused, statusOf, transport } from './envelope.ts';
import { attachment, closeWithReply, sendFile } from './file-reply.ts';
import type { SignedBody, Mounted, ServerModule, SignedRequest } from './implement.ts';
import { isTooDeep, tooDeep } from './json-depth.ts';
import { callerOf, drain, hashCheck, takeRawBodies, unreadable, uploadOf } from './incoming.ts';
import { createMetrics, type Metrics } from '../process/metrics.ts';
import { compressed, secureHeaders } from './headers.ts';

export interface HttpOptions extends Kernel {
  modules: readonly ServerModule[];
  trustedProxies: readonly string[];
  https: boolean;
}
export interface App {
  server: FastifyInstance;
  metrics: Metrics;
}

const bodyLimit = 1024 * 1024;
const formLimit = 64 * 1024;
/** The limit of Node for a request's head; a parameter that is too long is refused by its call. */
const maxAddress = 16_384;

/** The HTTP side of all calls: routes, envelope, headers. Static files and health pages are added by the server. */
/** Calls validate by their own schemas, so the compilers of the library are not loaded. */
const noCompiler = (): never => {
  throw new Error('a route has a schema of its own');
};

export function createApp(options: HttpOptions): App {
  const secure = secureHeaders(options.https);
  const server = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    requestTimeout: 120_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxAddress },
    forceCloseConnections: 'idle',
    // An address that cannot be decoded reaches no hook of the routes.
    frameworkErrors: (_error, request, reply) => {
      secure(request, reply as FastifyReply, () => undefined);
      return (reply as FastifyReply).code(400).send(transport(400, '地址格式不正确'));
    },
  });
  const metrics = createMetrics(options.databases.replicaUp);
  const dispatch = createDispatch(options, metrics);
  void server.register(multipart, { limits: { files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 } });
  server.addHook('onRequest', secure);
  server.addHook('onSend', compressed);
  // A call whose client has left still runs; its resources may be closed only after it.
  const running = new Set<Promise<unknown>>();
  server.addHook('onClose', async () => void (await Promise.allSettled(running)));
  // An answer that began before the server stops promises to keep its connection, which would then hold up the server.
  let stopping = false;
  server.addHook('preClose', async () => void (stopping = true));
  const closeIdle = () => void (stopping && setImmediate(() => server.server.closeIdleConnections()));
  server.addHook('onResponse', async () => closeIdle());
  // The body of a refused request may still be arriving by then.
  server.addHook('onRequest', async ({ raw }) => void raw.once('end', closeIdle));
  hashSignedBodies(server);
  takeRawBodies(server);

  const mount = (on: FastifyInstance, wanted: (call: Call) => boolean) => {
    for (const mounted of options.modules.flatMap((module) => module.calls.filter(({ call }) => wanted(call)))) {
      const handle = (request: FastifyRequest, reply: FastifyReply) => {
        const served = serve(mounted, request, reply).finally(() => running.delete(served));
        running.add(served);
        return served;
      };
      for (const path of [mounted.call.path, ...(mounted.call.aliases ?? [])]) {
        const config: object = { rawBody: mounted.call.stream === 'body' };
        // Nobody sends HEAD to a call, and each would be another route.
        on.route({
          method: mounted.call.method,
          url: routeOf(path),
          config,
          exposeHeadRoute: false,
          handler: handle,
        });
      }
    }
  };
  const isProtocol = (call: Call) => call.access.kind === 'protocol';
  const isPressed = ({ access, method, upload, reply }: Call) =>
    access.kind === 'public' && method === 'POST' && reply === fileReply && !upload;
  mount(server, (call) => !isProtocol(call) && !isPressed(call));
  // A page without script sends a form.
  void server.register(async (scope) => {
    const form = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit: formLimit }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    mount(scope, isPressed);
  });
  // External protocols name the type of their content as they like.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    mount(scope, isProtocol);
  });

  const savingWaits = (): SavingWaits => (options.databases.older() ? 'older' : 'waits');

  async function serve(mounted: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const started = performance.now();
    let code: number = codes.ok;
    let userId: number | null = null;
    const jar = openJar(request.headers.cookie, options.https);
    const arrived = { ...arrivedBy(mounted.call, request), cookies: jar };
    arrived.upload = uploadOf(mounted.call, request);
    try {
      const answered = await dispatch(mounted, arrived);
      userId = answered.user?.id ?? null;
      if (!options.databases.saves()) reply.header(savingHeader, savingWaits());
      if (jar.lines.length > 0) reply.header('set-cookie', jar.lines);
      return await send(request, reply, answered);
    } catch (error) {
      if (isTransport(error)) throw error;
      const refusal = refusalOf(error);
      code = refusal?.code ?? codes.fault;
      if (refusal && (refusal.code === codes.forbidden || arrived.user?.application))
        await rememberDenied(options, mounted, arrived, refusal).catch((failed: unknown) => {
          if (!isAway(failed)) throw failed;
          request.log.warn({ call: mounted.call.summary, user: arrived.user?.id }, 'refused, and not written down');
        });
      // The outage has its own line in the log.
      if (isAway(error)) {
        code = 503;
        reply.code(503).header('retry-after', String(awaySeconds)).header(savingHeader, savingWaits());
        const said = away(mounted.call.method === 'GET' ? 'reading' : savingWaits());
        return reply.send(arrived.accessToken === null ? said : undefined);
      }
      if (isCrowded(error)) {
        code = 503;
        request.log.warn({ err: error, call: mounted.call.summary }, 'too busy for a call');
        reply.code(503).header('retry-after', String(busySeconds));
        return reply.send(arrived.accessToken === null ? busy() : undefined);
      }
      if (!refusal) request.log.error({ err: error, call: mounted.call.summary }, 'call failed');
      if (arrived.accessToken !== null) return reply.code(statusOf(refusal)).send();
      return refusal ? reply.send(refused(refusal)) : reply.code(500).send(fault(request.id));
    } finally {
      if (mounted.call.stream || arrived.whole || isProtocol(mounted.call)) drain(request);
      const milliseconds = performance.now() - started;
      metrics.called(mounted, code, milliseconds);
      request.log.info(
        {
          call: `${mounted.module}.${mounted.name}`,
          user: userId,
          ip: arrived.origin.ip,
          code,
          ms: Math.round(milliseconds),
        },
        'call',
      );
    }
  }

  server.setErrorHandler((error: { statusCode?: number; code?: string; message: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (error instanceof Refusal) return reply.send(refused(error));
    if (status === 413) return reply.code(413).send(transport(413, '提交的内容过大，请减小后再提交'));
    if (status === 415) return reply.code(415).send(transport(415, '不支持的内容类型，请以 JSON 提交'));
    if (status < 500) return reply.code(200).send(refused(unreadable()));
    // A client that leaves before its answer began is no fault.
    const left = error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed;
    if (!left) request.log.error({ err: error }, 'request failed');
    return reply.code(500).send(fault(request.id));
  });

  server.all('/api', noSuchCall);
  server.all('/api/*', noSuchCall);
  return { server, metrics };
}

async function noSuchCall(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return reply.code(404).send(transport(404, `没有这个接口：${request.method} ${request.url.split('?')[0]}`));
}

const isTransport = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof Refusal) && 'statusCode' in error && Number(error.statusCode) < 500;

/** Ids are digits only, so that a literal segment is never taken for one. */
function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    if (name === 'ids') return ':ids(^[\\d,]+$)';
    return /id$/i.test(name) ? `:${name}(^\\d+$)` : `:${name}`;
  });
}

function arrivedBy(call: Call, request: FastifyRequest): Omit<Arrived, 'cookies'> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  const site = request.headers['sec-fetch-site'];
  const signed = signedBy(call, request);
  return {
    token: scheme === 'JWT' && token ? token : null,
    signed,
    whole: signed && request.isMultipart() ? hashCheck(request, signed.bodyHash) : null,
    signedBody: signedBodyIn(request),
    accessToken: accessTokenIn(call.access, request.query),
    wire: { url: request.url, header: (name) => [request.headers[name]].flat()[0] },
    params: request.params,
    query: single(request.query as Record<string, unknown>),
    body: request.body,
    idempotencyKey: [request.headers['idempotency-key']].flat()[0] ?? null,
    crossSite: site !== undefined && site !== 'same-origin' && site !== 'none',
    origin: {
      ip: callerOf(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      traceId: request.id,
    },
    path: (request.url.split('?')[0] ?? '').slice(0, 300),
  };
}

/** Returns '' if a protocol's call came without a token. */
function accessTokenIn(access: Access, query: unknown): string | null {
  const { access_token: given } = single(query as Record<string, unknown>);
  if (access.kind !== 'protocol' && !('token' in access && given !== undefined)) return null;
  return typeof given === 'string' ? given : '';
}

const bodyHashes = new WeakMap<FastifyRequest, string>();
const letters = new WeakMap<FastifyRequest, string>();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Keeps the hash of a body that an application signed, or that is signed as a web hook, because the bytes are gone after parsing. */
function hashSignedBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.headers['x-app'] !== undefined) bodyHashes.set(request, sha256(body as string));
    if (request.headers['webhook-signature'] !== undefined) letters.set(request, body as string);
    if (isTooDeep(body as string)) return done(tooDeep());
    return parse(request, body as string, done);
  });
}

/** Signed requests have JSON, a form with the hash that it declares, or no body. */
function signedBy(call: Call, request: FastifyRequest): SignedRequest | null {
  const { 'x-app': app, 'x-time': time, 'x-sign': sign, 'content-type': type } = request.headers;
  if (typeof app !== 'string' || typeof time !== 'string' || typeof sign !== 'string') return null;
  const bodyHash = bodyHashes.get(request) ?? saidHash(request) ?? (type === undefined ? sha256('') : null);
  if (bodyHash === null) return null;
  return { app, time, sign, method: request.method, url: request.url, bodyHash, call };
}

/** The SHA-256 that a form declares; it is believed only after all its bytes have arrived. */
function saidHash(request: FastifyRequest): string | null {
  const said = request.headers['x-body-sha256'];
  return request.isMultipart() && typeof said === 'string' && /^[\da-f]{64}$/.test(said) ? said : null;
}

function signedBodyIn(request: FastifyRequest): SignedBody | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
  const body = letters.get(request);
  const whole = typeof id === 'string' && typeof timestamp === 'string' && typeof signature === 'string';
  return whole && body !== undefined ? { id, timestamp, signature, body } : null;
}

/** A parameter that was sent twice counts once, by its last value, so that no check reads another value than the handler. */
function single(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? value.at(-1) : value]),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, answered: Answered): Promise<FastifyReply> | FastifyReply {
  if (answered.kind === 'envelope') return reply.send(answered.envelope);
  if (answered.kind === 'protocol') {
    const { status, headers, json, file } = answered.reply;
    void reply.code(status).headers(headers);
    return file ? sendFile(reply, file, request.headers) : reply.send(json ?? undefined);
  }
  if (answered.kind === 'sheet') {
    closeWithReply(answered.sheet.bytes, reply);
    return reply
      .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      .header('content-disposition', attachment(`${answered.title}.xlsx`))
      .header('x-export-rows', answered.sheet.rows)
      .header('x-export-bytes', answered.sheet.about)
      .send(answered.sheet.bytes);
  }
  return sendFile(reply, answered.file, request.headers);
}
