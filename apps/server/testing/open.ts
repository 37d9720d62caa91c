import { obtainNginx } from '../../../scripts/find-nginx.ts';
import { openApp, type App, type AppOptions } from '../office.ts';
import { startNode } from './node.ts';
import { quietPort } from './port.ts';
import { startProxy } from './proxy.ts';

export interface Opened {
  url: string;
  /** The addresses of the nodes themselves. */
  nodes: readonly string[];
  /** The services of the first node. */
  services: App['services'];
  close(): Promise<void>;
}

type Options = Omit<AppOptions, 'trustedProxies'>;
const proxies = ['127.0.0.1'];

async function openOne(options: Options, trustedProxies: readonly string[]): Promise<Opened & App> {
  const app = await openApp({ ...options, trustedProxies });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, url, nodes: [url] };
}

/** The same product in a separate process, configured only by its environment, like an operator's. */
async function startOther(options: Options): Promise<Pick<Opened, 'url' | 'close'>> {
  const { s3, ...files } = options.files;
  const node = await startNode(await quietPort(), {
    DATABASE_URL: options.databaseUrl,
    READ_DATABASE_URL: options.readDatabaseUrl,
    SESSION_SECRET: options.secret,
    DATA_DIR: files.folder,
    PUBLIC_URL: options.publicUrl,
    TRUSTED_PROXIES: proxies.join(','),
    OUTGOING_ALLOW: options.outgoingAllow?.join(','),
    CLAMD: files.clamd,
    SOFFICE: files.soffice,
    S3_ENDPOINT: s3?.endpoint,
    S3_BUCKET: s3?.bucket,
    S3_REGION: s3?.region,
    S3_ACCESS_KEY: s3?.accessKey,
    S3_SECRET_KEY: s3?.secretKey,
    LOG_LEVEL: options.log.level,
  });
  return { url: node.url, close: async () => void (await node.stop('SIGTERM')) };
}

/**
 * The product in this process; with NODES=2 in the environment a second time in a separate process, both behind the proxy, so that a test's calls
 * alternate. If the test itself receives the log or the codes, the second one runs in this process too.
 */
export async function openNodes(options: Options): Promise<Opened> {
  if (process.env['NODES'] !== '2') return openOne(options, []);
  const nginx = obtainNginx();
  if (!nginx) throw new Error('NODES=2: no nginx to stand before two nodes');
  // The nodes get the address that people use, as behind any proxy.
  const port = await quietPort();
  const both = { ...options, publicUrl: `http://127.0.0.1:${port}` };
  const heardHere = options.sendCode !== undefined || options.modules !== undefined || options.log.level !== 'silent';
  const first = await openOne(both, proxies);
  const second = await (heardHere ? openOne(both, proxies) : startOther(both));
  const proxy = await startProxy(nginx, [first.url, second.url], port);
  return {
    url: proxy.url,
    nodes: [first.url, second.url],
    services: first.services,
    // The proxy is stopped last, because the nodes' final requests go through it.
    async close() {
      await Promise.all([first.close(), second.close()]);
      await proxy.stop();
    },
  };
}
