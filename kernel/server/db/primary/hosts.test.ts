import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { hostsOf, poolOf } from './hosts.ts';

const said = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
/** The messages of a server that accepts a connection and ends it at once. */
const taken = said('R', Buffer.alloc(4));
const ready = said('Z', Buffer.from('I'));
const ended = said(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

test('a database connection that ends as soon as it opens fails its caller and not the process', async () => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([taken, ready, ended])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ ...poolOf(hostsOf(`postgres://nobody@127.0.0.1:${port}/nothing`)), max: 1 });
  pool.on('error', () => undefined);
  await expect(pool.query('select 1')).rejects.toThrow(/not queryable|terminat/);
  await pool.end();
  server.close();
});
