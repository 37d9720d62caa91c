import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Databases } from '#kernel/server/db/db.ts';
import type { OlderHistory } from '#kernel/server/db/primary/history.ts';
import { isLoopback } from '#kernel/server/process/config.ts';
import type { Metrics } from '#kernel/server/process/metrics.ts';

interface HealthOptions {
  /** Reads, from a replica while the primary is away: this node stays in service as long as it can answer. */
  pool: Pick<pg.Pool, 'query'>;
  /** The reason why nothing is saved though the database answers. */
  older?: Databases['older'];
  metrics: Metrics;
  metricsToken: string | undefined;
}

/** `/livez`: the process answers. `/readyz`: the database does too, checked once a second at most. `/metrics`: loopback or token. */
export function addHealth(server: FastifyInstance, options: HealthOptions): { drain(): void } {
  let draining = false;
  let looked = { at: -Infinity, good: Promise.resolve(false) };
  const databaseAnswers = () => {
    if (performance.now() - looked.at > 1000) {
      looked = { at: performance.now(), good: answersInTime(options.pool) };
    }
    return looked.good;
  };
  server.get('/livez', async () => 'ok');
  server.get('/readyz', async (_request, reply) => {
    const ready = !draining && (await databaseAnswers());
    return reply
      .code(ready ? 200 : 503)
      .send(ready ? readyText(options.older?.() ?? null) : draining ? 'draining' : 'database unreachable');
  });
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, options.metricsToken)) return reply.code(404).send('not found');
    return reply.type(options.metrics.contentType).send(await options.metrics.text());
  });
  return { drain: () => void (draining = true) };
}

const patienceMs = 1000;

/** The body of the answer gives the reason why nothing is saved. */
const readyText = (older: OlderHistory | null) => (older ? `read-only: ${older.message}` : 'ok');

/** True if the database answers before a probe times out; a connection that does not is dropped. */
function answersInTime(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  // The library declares this option only for a client.
  const question = { text: 'select 1', query_timeout: patienceMs };
  const answer = pool.query(question).then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs).unref());
  return Promise.race([answer, late]);
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (!token) return isLoopback(request.ip) && request.headers['x-forwarded-for'] === undefined;
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
