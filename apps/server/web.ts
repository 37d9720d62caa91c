import staticFiles from '@fastify/static';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { contentPolicy } from '#kernel/server/http/headers.ts';

/**
 * The built pages: assets under their hashed names are cached for a year, every other address gets the application. `framed` returns the origin of
 * external pages that it may show, null for none.
 */
export async function addWeb(
  server: FastifyInstance,
  folder: string,
  framed: () => Promise<string | null>,
): Promise<void> {
  const page = await readFile(join(folder, 'index.html'));
  await server.register(staticFiles, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    list: false,
    decorateReply: false,
  });
  // Files that must have a fixed name at the root: revalidated each time.
  await server.register(staticFiles, {
    root: join(folder, 'root'),
    prefix: '/',
    wildcard: false,
    index: false,
    maxAge: 0,
    decorateReply: false,
  });
  server.setNotFoundHandler(async (request, reply) => {
    const isPage =
      request.method === 'GET' &&
      !request.url.startsWith('/assets/') &&
      !/^[^?]*\.[a-z0-9]{1,5}(\?|$)/i.test(request.url);
    if (!isPage) return reply.code(404).type('text/plain').send('not found');
    // The page is served even if the settings cannot be read.
    const origin = await framed().catch(() => null);
    if (origin !== null) reply.header('content-security-policy', contentPolicy(origin));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
