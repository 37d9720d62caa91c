import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

/** Behaves like PgBouncer in transaction mode: a client has a session of the server until its transaction ends. */
export interface Pooler {
  url: string;
  close(): Promise<void>;
}

interface Session {
  client: pg.Client;
  stream: Socket;
}
const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const welcome = Buffer.concat([
  message('R', int(0)),
  message('K', Buffer.concat([int(1), int(1)])),
  message('Z', Buffer.from('I')),
]);

/**
 * `whole` keeps a session until the client leaves, as in session mode, with the settings that the product first asks for. The session that was given
 * back last is the next one handed out.
 */
export async function openPooler(databaseUrl: string, whole = false): Promise<Pooler> {
  const free: Session[] = [];
  const all: Session[] = [];
  const ends = new Set<Socket>();

  async function take(): Promise<Session> {
    const kept = free.pop();
    if (kept) return kept;
    const client = new pg.Client({
      connectionString: databaseUrl,
      options: '-c timezone=Asia/Shanghai',
      ...(whole && { statement_timeout: 10_000 }),
    });
    client.on('error', () => undefined);
    await client.connect();
    const stream = client.connection.stream as Socket;
    // From here on its bytes are passed on, not read.
    stream.removeAllListeners('data');
    const session = { client, stream };
    all.push(session);
    return session;
  }

  const server = createServer((near) => {
    ends.add(near);
    let begun = false;
    let session: Promise<Session> | null = null;
    let rest = Buffer.alloc(0);
    const back = (one: Session) => {
      one.stream.removeAllListeners('data');
      free.push(one);
      session = null;
    };
    /** Passes on what the server sends, and gives its session back when the server reports that it is idle. */
    const hear = (one: Session) => (bytes: Buffer) => {
      near.write(bytes);
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const end = rest.readInt32BE(1) + 1;
        const idle = rest[0] === 0x5a && rest[5] === 0x49;
        rest = rest.subarray(end);
        if (idle && !whole && rest.length === 0) back(one);
      }
    };
    near.on('error', () => undefined);
    near.on('close', () => {
      ends.delete(near);
      void session?.then(back);
    });
    near.on('data', (bytes: Buffer) => {
      if (!begun) {
        begun = true;
        return void near.write(welcome);
      }
      // The client ends its own connection, not the server's.
      if (bytes[0] === 0x58) return void near.end();
      session ??= take().then((one) => {
        one.stream.on('data', hear(one));
        return one;
      });
      void session.then((one) => one.stream.write(bytes));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    async close() {
      for (const end of ends) end.destroy();
      server.close();
      for (const { stream } of all) stream.destroy();
    },
  };
}
