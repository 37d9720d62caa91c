import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { addWeb } from './web.ts';

test('an address with a user name in its query is served as a page, and a missing file is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gongdan-web-'));
  await Promise.all(['assets', 'root'].map((name) => mkdir(join(folder, name))));
  await writeFile(join(folder, 'root/worker.js'), '');
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  const server = fastify();
  await addWeb(server, folder, async () => null);
  const status = async (url: string) => (await server.inject(url)).statusCode;
  const pages = ['/system/user?search_value=shi.yufei', '/search?q=a.pdf?', '/index'];
  expect(await Promise.all(pages.map(status))).toEqual([200, 200, 200]);
  expect(await Promise.all(['/favicon.png', '/a.js?v=1', '/assets/a'].map(status))).toEqual([404, 404, 404]);
  const worker = await server.inject('/worker.js');
  expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'public, max-age=0']);
  await server.close();
  await rm(folder, { recursive: true });
});
