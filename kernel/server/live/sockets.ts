import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Bus } from './bus.ts';
import { changesChannel, changesIn, cursorsOf, everybody, movedWithin } from './changes.ts';
import type { Db } from '../db/db.ts';
import { transport } from '../http/envelope.ts';
import { closings, createRoom, type Seat } from './socket-room.ts';

/** The person and session that a ticket admitted. */
export interface Admitted {
  userId: number;
  sessionId: number;
}

export interface SocketOptions {
  path: string;
  bus: Bus;
  /** Reads from the primary. */
  fresh: Db;
  log: Logger;
  /** The origin that people use, if the server's own name differs from it. */
  publicUrl?: string | undefined;
  /** Uses up a ticket; null if it is not valid. */
  redeem(ticket: string): Promise<Admitted | null>;
  /** Returns those of the sessions that are still valid. */
  alive(sessionIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Channels whose messages may mean that sessions have ended. */
  endings: readonly string[];
}

const frameBytes = 256;
const sweepMs = 4000;
const pulseMs = 30_000;
const strangersMs = 5000;

/**
 * Sockets on which a person's windows learn that something changed, never what: they then use the ordinary calls. A window that brings a cursor
 * learns at once whether it missed a message. Nothing that arrives on a socket is believed; the heartbeat only shows that somebody is there. Returns
 * the number of open sockets on this node.
 */
export function addSockets(server: FastifyInstance, options: SocketOptions): { count(): number } {
  const { bus, fresh, log } = options;
  const room = createRoom();
  const logged = (error: unknown) => log.error({ err: error }, 'sockets');
  const failed = (error: Error, socket: WebSocket) => {
    log.debug({ err: error }, 'socket failed');
    socket.terminate();
  };

  bus.listen(changesChannel, (payload) => {
    for (const { person, at, topics } of changesIn(payload)) room.say(person, at, topics);
  });
  bus.onGap(() => void (bus.connected() && catchUp().catch(logged)));

  async function catchUp(): Promise<void> {
    const cursors = await cursorsOf(fresh, room.people());
    for (const [person, at] of cursors) room.say(person, at, ['*']);
  }

  let sweeping: Promise<void> | null = null;
  let again = false;
  const sweep = (): void => {
    again = sweeping !== null;
    sweeping ??= endOver()
      .catch(logged)
      .finally(() => {
        sweeping = null;
        if (again) sweep();
      });
  };
  async function endOver(): Promise<void> {
    const sessions = room.sessions();
    if (sessions.length === 0) return;
    const alive = await options.alive(sessions);
    room.endSessions(sessions.filter((session) => !alive.has(session)));
  }
  for (const channel of options.endings) bus.listen(channel, sweep);
  const timers = [setInterval(sweep, sweepMs), setInterval(() => room.pulse(), pulseMs)];
  for (const timer of timers) timer.unref();

  async function open(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { userId, sessionId, reply } = admitted.get(request)!;
    // A listener on the request would keep it and its answer in memory as long as the window is open: half of a window's cost.
    const line = request.raw.socket.removeAllListeners('timeout');
    reply.raw.detachSocket(line);
    socket.removeAllListeners('error').on('error', (error) => failed(error, socket));
    const seat: Seat = { socket, userId, sessionId, here: true, frames: 0, at: 0, wide: 0 };
    // The listeners are added before the first wait: earlier messages would be lost.
    socket.on('message', () => room.heard(seat));
    socket.on('pong', () => (seat.here = true));
    socket.on('close', () => room.leave(seat));
    if (!room.enter(seat)) return socket.close(closings.tooMany);
    // The session may have ended while the socket was opened, and from here on the person's numbers may change.
    sweep();
    const cursors = await cursorsOf(fresh, [userId]);
    const knew = queryOf(request, 'cursor');
    // A window's first socket has no cursor, but knows how long ago it began to ask.
    const age = /^\d{1,9}$/.test(queryOf(request, 'age')) ? Number(queryOf(request, 'age')) : null;
    const upToDate = knew === '' && age !== null && !(await movedWithin(fresh, userId, age));
    room.greet(seat, cursors.get(userId) ?? 0, cursors.get(everybody) ?? 0, upToDate ? null : knew);
  }

  const admitted = new WeakMap<FastifyRequest, Admitted & { reply: FastifyReply }>();
  void server.register(websocket, {
    options: { maxPayload: frameBytes, perMessageDeflate: false, clientTracking: false },
    errorHandler: failed,
    preClose: (done) => {
      for (const timer of timers) clearInterval(timer);
      room.empty(done);
    },
  });
  // After a refused upgrade, none of the server's timeouts watches the connection any more.
  server.addHook('onRequest', (request, _reply, next) => {
    if (request.headers.upgrade !== undefined) request.raw.socket.setTimeout(strangersMs, () => request.raw.destroy());
    next();
  });
  void server.after(() =>
    server.route({
      method: 'GET',
      url: options.path,
      exposeHeadRoute: false,
      handler: (_request, reply) => reply.code(426).send(transport(426, '请使用 WebSocket 连接')),
      wsHandler: open,
      preValidation: async (request, reply) => {
        if (!request.ws) return;
        const refuse = (status: number, msg: string) => reply.code(status).send(transport(status, msg));
        if (!isOurs(request, options.publicUrl)) return refuse(403, '只能在本系统页面内连接');
        if (room.full()) return refuse(503, '实时连接数已满，请稍后重试');
        const person = await options.redeem(queryOf(request, 'ticket'));
        if (!person || !(await options.alive([person.sessionId])).has(person.sessionId))
          return refuse(401, '连接凭证无效或已过期，请刷新页面');
        admitted.set(request, { ...person, reply });
      },
    }),
  );
  return { count: room.count };
}

function queryOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.slice(0, 100) : '';
}

/** A page of another site can open sockets with nothing but an address, so only our own pages are admitted. */
function isOurs(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === publicUrl || new URL(origin).host === request.host;
}
