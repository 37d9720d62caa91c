import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { createMetrics } from '#kernel/server/process/metrics.ts';
import { openLine } from '#kernel/server/testing/line.ts';
import { addHealth } from './health.ts';

const token = 'a word that only the collector knows';
let pool: pg.Pool;
let server: FastifyInstance;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: inject('databaseUrl') });
});
afterAll(() => pool.end());
afterEach(() => server.close());

const metricsFor = (metricsToken: string | undefined) => {
  server = Fastify();
  addHealth(server, { pool, metrics: createMetrics(() => null), metricsToken });
  return async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const { statusCode, body } = await server.inject({ url: '/metrics', remoteAddress, headers });
    expect(body.includes('gongdan_')).toBe(statusCode === 200);
    return statusCode;
  };
};

test('without a token metrics are served to this machine only', async () => {
  const asked = metricsFor(undefined);
  expect(await asked('127.0.0.1')).toBe(200);
  expect(await asked('::1')).toBe(200);
  for (const address of ['203.0.113.9', '10.0.0.1', '::ffff:203.0.113.9', '2001:db8::1'])
    expect(await asked(address)).toBe(404);
  expect(await asked('203.0.113.9', { authorization: 'Bearer ' })).toBe(404);
});

test('with a token metrics are served to its bearer from anywhere, and to nobody else', async () => {
  const asked = metricsFor(token);
  for (const address of ['203.0.113.9', '127.0.0.1']) {
    expect(await asked(address, { authorization: `Bearer ${token}` })).toBe(200);
    expect(await asked(address)).toBe(404);
    for (const wrong of [`Bearer ${token}x`, `Bearer ${token.toUpperCase()}`, 'Bearer ', token, `Basic ${token}`])
      expect(await asked(address, { authorization: wrong })).toBe(404);
  }
});

test('a database that is silent is reported as unreachable at once, and as ready when it answers again', async () => {
  const line = await openLine(inject('databaseUrl'));
  const far = new pg.Pool({ connectionString: line.url, max: 2 });
  far.on('error', () => undefined);
  server = Fastify();
  addHealth(server, { pool: far, metrics: createMetrics(() => null), metricsToken: undefined });
  const ready = async () => (await server.inject('/readyz')).statusCode;
  try {
    expect(await ready()).toBe(200);
    line.dropSilently();
    await eventually(async () => expect(await ready()).toBe(503));
    await eventually(async () => expect(await ready()).toBe(200));
  } finally {
    line.close();
    await far.end();
  }
}, 180_000);

test('a metric that fails or takes over a second leaves the others readable', async () => {
  const metrics = createMetrics(() => null);
  metrics.figure('gongdan_silent', 'never comes', () => new Promise<number>(() => undefined));
  metrics.figure('gongdan_broken', 'fails', () => Promise.reject(new Error('connection lost')));
  metrics.figure('gongdan_well', 'comes', () => 7);
  server = Fastify();
  addHealth(server, { pool, metrics, metricsToken: undefined });
  const { statusCode, body } = await server.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  expect(statusCode).toBe(200);
  expect(body.match(/^gongdan_(silent|broken|well) .*$/gm)).toEqual([
    'gongdan_silent Nan',
    'gongdan_broken Nan',
    'gongdan_well 7',
  ]);
});
