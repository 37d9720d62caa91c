import staticFiles from '@fastify/static';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The built pages: assets by their hashed names for a year, every other address gets the application. */
export async function addWeb(server: FastifyInstance, folder: string): Promise<void> {
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
  server.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !request.url.startsWith('/assets/') && !/\.[a-z0-9]{1,5}(\?|$)/i.test(request.url);
    if (!isPage) return reply.code(404).type('text/plain').send('not found');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
