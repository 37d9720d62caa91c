import { callbackify } from 'node:util';
import pg from 'pg';
import { Away } from '../lost.ts';
import { createKeeper, OlderHistory, type Keeper } from './history.ts';

/** One server an address names. */
export interface Host {
  host: string;
  port: number;
}

/** The server that is wanted: one that accepts writes, or preferably one that follows it. */
export type Want = 'write' | 'read';

/** The servers behind one address, of which one is used at a time. */
export interface Hosts {
  /** The address with a single host, for libraries that support only one. */
  readonly url: string;
  readonly want: Want;
  readonly clients: Set<HostClient>;
  /** The known history of the server that accepts writes. */
  readonly history: Keeper;
  /**
   * Returns the server in use; if none is known, looks for one, and takes one of an older history only if there is no other. Null if the address
   * names a single host. Throws `Away`.
   */
  find(): Promise<Host | null>;
  /** Forgets the server in use, because it is no longer the wanted one. */
  forget(): void;
  /** Ends the connections, including those that wait for an answer; with `idle` only those that wait for nothing. */
  cut(which?: 'idle'): void;
}

const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i;
const patienceMs = 2000;
/** Milliseconds to wait for other servers after the first one says that it accepts writes: another may have been promoted over it. */
const secondThoughtMs = 200;

interface Address {
  hosts: Host[];
  at(host: Host): string;
  want: Want | null;
}

/** Parses an address as PostgreSQL's own programs write it: `postgres://a:5432,b/name?target_session_attrs=read-write`; null if it is none. */
export function addressIn(url: string): Address | null {
  const [, head, names = '', path, search = ''] = form.exec(url) ?? [];
  if (head === undefined) return null;
  const query = new URLSearchParams(search);
  const wanted = query.get('target_session_attrs');
  query.delete('target_session_attrs');
  const rest = `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const at = ({ host, port }: Host) => `${head}${host.includes(':') ? `[${host}]` : host}:${port}${rest}`;
  if (!names.includes(',')) {
    const alone = `${head}${names}${rest}`;
    return URL.canParse(alone) ? { hosts: [], at: () => alone, want: null } : null;
  }
  const hosts = names.split(',').map((name) => {
    const { 1: v6, 2: plain, 3: port = '5432' } = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(name) ?? [];
    return { host: v6 ?? plain ?? '', port: Number(port) };
  });
  if (hosts.some(({ host, port }) => host === '' || port > 65_535) || !URL.canParse(at(hosts[0]!))) return null;
  const want = wanted === null ? null : /^(read-write|primary)$/.test(wanted) ? 'write' : 'read';
  return { hosts, at, want };
}

const known = new Map<string, Hosts>();

/** The servers behind an address; all callers in this process share them. */
export function hostsOf(url: string, usual: Want = 'write'): Hosts {
  const key = `${usual} ${url}`;
  const hosts = known.get(key) ?? makeHosts(url, usual);
  known.set(key, hosts);
  return hosts;
}

function makeHosts(url: string, usual: Want): Hosts {
  const address = addressIn(url) ?? { hosts: [], at: () => url, want: null };
  const want = address.want ?? usual;
  let current: Host | null = null;
  let looking: Promise<Host> | null = null;
  const history = createKeeper();

  async function look(): Promise<Host> {
    const looks = address.hosts.map((host) => ask(address.at(host), history).then((said) => ({ host, ...said })));
    const fits = looks.map((one) =>
      one.then((said) => (said.standby === (want === 'read') && !said.older ? said : Promise.reject())),
    );
    const first = await Promise.any(fits).catch(() => null);
    const answered = await inTime(Promise.allSettled(looks), first && want === 'write' ? secondThoughtMs : 0, looks);
    if (want === 'read') {
      const any = first ?? answered[0];
      if (any) return any.host;
      throw new Away();
    }
    const [best] = answered
      .filter((said) => !said.standby)
      .toSorted((a, b) => Number(a.older) - Number(b.older) || b.timeline - a.timeline);
    if (!best) throw new Away();
    return best.host;
  }

  const hosts: Hosts = {
    url: address.at(address.hosts[0] ?? { host: '', port: 0 }),
    want,
    clients: new Set(),
    history,
    async find() {
      if (address.hosts.length === 0) return null;
      if (current) return current;
      looking ??= look()
        .then((found) => (current = found))
        .finally(() => (looking = null));
      return looking;
    },
    forget: () => void (current = null),
    cut(which) {
      for (const client of hosts.clients)
        if (which === undefined || client.getTransactionStatus() === 'I') client.connection.stream.destroy();
    },
  };
  return hosts;
}

interface Said {
  standby: boolean;
  timeline: number;
  /** The server accepts writes and its history is older than the known one. */
  older: boolean;
}

/** Returns the servers that answered within `millis`; all of them for 0. */
async function inTime<T>(all: Promise<unknown>, millis: number, each: readonly Promise<T>[]): Promise<T[]> {
  const answered: T[] = [];
  for (const one of each)
    one.then(
      (said) => answered.push(said),
      () => undefined,
    );
  await (millis > 0 ? Promise.race([all, new Promise((done) => setTimeout(done, millis))]) : all);
  return answered;
}

async function ask(url: string, history: Keeper): Promise<Said> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gongdan-watch',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Omit<Said, 'older'>>(roleText);
    const said = rows[0]!;
    return { ...said, older: !said.standby && (await isOlder(client, history)) };
  } finally {
    void client.end().catch(() => undefined);
  }
}

const isOlder = (client: pg.Client, history: Keeper) =>
  history.examine(client).then(
    () => false,
    (error: unknown) => {
      if (error instanceof OlderHistory) return true;
      throw error;
    },
  );

/** Tells whether a server follows another one, and how many promotions it has had. */
const roleText = `select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then 2147483647
    else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end as timeline`;

/** A connection to the server in use when it is made. Code that learns that the server went away may cut it. */
export class HostClient extends pg.Client {
  readonly #hosts: Hosts;
  readonly #reads: boolean;
  #follows = false;
  /** Set if the server's history is older than the known one; only readers are connected then. */
  older: OlderHistory | null = null;
  constructor(config: pg.ClientConfig & { hosts: Hosts; reads?: boolean }) {
    super({ ...config, connectionString: config.hosts.url, keepAlive: true });
    this.#hosts = config.hosts;
    this.#reads = config.reads ?? false;
    this.#hosts.clients.add(this);
    // Without a listener, a connection that breaks between being made and being handed out would end the process.
    this.on('error', () => undefined);
    this.once('end', () => this.#hosts.clients.delete(this));
    this.connection.on('parameterStatus', (said: { parameterName: string; parameterValue: string }) => {
      if (said.parameterName === 'in_hot_standby') this.#follows = said.parameterValue === 'on';
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())(callback);
  }

  async #connect(): Promise<pg.Client> {
    let found: Host | null;
    try {
      found = await this.#hosts.find();
      if (found) Object.assign(this, found);
      // The waiting caller may have given up meanwhile.
      if (this.connection.stream.destroyed) throw new Away();
    } catch (error) {
      process.nextTick(() => this.emit('end'));
      throw error;
    }
    try {
      await super.connect();
      if (this.#hosts.want === 'write') await this.#examine(found !== null);
    } catch (error) {
      this.#hosts.forget();
      this.connection.stream.destroy();
      throw error;
    }
    return this;
  }

  async #examine(isOneOfSeveral: boolean): Promise<void> {
    // For a server that follows another one, only the address says whether it was wanted.
    if (this.#follows) {
      if (isOneOfSeveral) throw new Away();
      return;
    }
    try {
      await this.#hosts.history.examine(this);
    } catch (error) {
      if (!(error instanceof OlderHistory && this.#reads)) throw error;
      this.older = error;
    }
  }
}

/** Settings of a library pool whose connections lead to the servers behind an address; `reads` means that it writes nothing. */
export function poolOf(hosts: Hosts, reads = false): Pick<pg.PoolConfig, 'Client'> {
  class PooledClient extends HostClient {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, hosts, reads });
    }
  }
  return { Client: PooledClient };
}
