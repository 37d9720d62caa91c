import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to a database that a test can cut. */
export interface Line {
  /** The database's address through this line. */
  url: string;
  /** New connections go to the database at another address. */
  lead(databaseUrl: string): void;
  /** Ends all connections at once, and every new one until `mend`. */
  cut(): void;
  mend(): void;
  /** Silently drops everything sent over the present connections; new ones work. */
  dropSilently(): void;
  /** Accepts what is sent, over new connections as well, and answers nothing until `mend`: a host that hangs. */
  hang(): void;
  /** The number of connection attempts. */
  tried(): number;
  close(): void;
}

/** Opens a line to the database at this address; `said` may change what the database sends, keeping its length. */
export async function openLine(databaseUrl: string, said = (bytes: Buffer) => bytes): Promise<Line> {
  let { hostname, port } = new URL(databaseUrl);
  const ends = new Set<Socket>();
  let whole = true;
  let hung = false;
  let tried = 0;
  const server = createServer((near) => {
    tried++;
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => undefined);
      end.on('close', () => [near, far].forEach((each) => ends.delete(each.destroy())));
    }
    if (hung) return void near.resume();
    near.pipe(far);
    far.on('data', (bytes: Buffer) => near.write(said(bytes)));
    far.on('end', () => near.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line: Line = {
    url: Object.assign(new URL(databaseUrl), {
      hostname: '127.0.0.1',
      port: String((server.address() as AddressInfo).port),
    }).href,
    lead: (url) => void ({ hostname, port } = new URL(url)),
    cut() {
      whole = false;
      for (const end of ends) end.destroy();
    },
    mend() {
      whole = true;
      if (hung) for (const end of ends) end.destroy();
      hung = false;
    },
    hang() {
      hung = true;
      line.dropSilently();
    },
    dropSilently() {
      for (const end of ends) end.unpipe().removeAllListeners('data').resume();
    },
    tried: () => tried,
    close() {
      line.cut();
      server.close();
    },
  };
  return line;
}
