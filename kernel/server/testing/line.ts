import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The way to a database, which can be cut. */
export interface Line {
  /** The database's address by this way. */
  url: string;
  /** New connections go to the database at another address. */
  lead(databaseUrl: string): void;
  /** Ends all connections at once, and every new one until it is mended. */
  cut(): void;
  mend(): void;
  /** Passes nothing on any more over the connections there are, and tells nobody; new ones are whole. */
  dropSilently(): void;
  /** Takes what is sent, over new connections as well, and answers nothing until it is mended: a host that hangs. */
  hang(): void;
  /** How often somebody has tried to come this way. */
  tried(): number;
  close(): void;
}

/** Opens a way to the database at this address; `said` may change what it says, as long as it stays as long. */
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
